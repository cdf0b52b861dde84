"""Staff try a text of the regulations on published months, adopt it and revoke it (D-90)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client

from core.errors import RefusedError
from desk.texts import difference_bars
from ratings.models import Adoption, RatingList, Run, TextTrial
from ratings.services.adoptions import adopt
from ratings.services.runs import perform
from ratings.services.text_trials import kept_part, tried_on, try_text
from ratings.systems.registry import rules_named
from tests.codes import codes_of_answer, codes_of_messages
from tests.desk.conftest import NOW
from tests.factories import (
    AppointmentFactory,
    ListEntryFactory,
    RatingListFactory,
    TournamentFactory,
    noon,
    play_and_rate,
    publish,
)

pytestmark = pytest.mark.slow

AMENDED = "fide-rapid-blitz-2024-12"
FEBRUARY = date(2026, 2, 1)


@pytest.fixture
def staff(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("staff")


@pytest.fixture
def february(db: None) -> RatingList:
    first = RatingListFactory()
    players = [
        ListEntryFactory(rating_list=first, rating=rating, k_factor=k, player__name=f"Of {rating}").player
        for rating, k in ((2700, 10), (1500, 20))
    ]
    play_and_rate(TournamentFactory(event_id="SUI-FAR"), players, [(1, 1, 2, "1/2")])
    return publish("rapid", FEBRUARY)


# In classes of five points: the players between -25 and +49 of the example below.
CLASSES = [
    ("−25", "−21", 2), ("−20", "−16", 1), ("−15", "−11", 0), ("−10", "−6", 0), ("−5", "−1", 0), ("0", "+4", 0),
    ("+5", "+9", 3), ("+10", "+14", 0), ("+15", "+19", 0), ("+20", "+24", 0), ("+25", "+29", 0), ("+30", "+34", 0),
    ("+35", "+39", 0), ("+40", "+44", 0), ("+45", "+49", 1),
]  # fmt: skip


def tried(staff: Client) -> TextTrial:
    """Try the amended text on February from the page, and run the worker's job."""
    answer = staff.post("/desk/texts/", {"text": AMENDED, "months": ["2026-02-01"]})
    made = TextTrial.objects.latest("pk")
    assert answer["Location"] == f"/desk/texts/trials/{made.pk}/"
    return made


def test_d_90_page_shows_texts_in_force_and_on_offer(staff: Client, february: RatingList) -> None:
    shown = staff.get("/desk/texts/").content.decode()
    assert "fide-rapid-blitz-2024</code>" in shown
    assert f"{AMENDED}</code></li>" in shown
    assert re.search(rf'<input type="radio" name="text" value="{AMENDED}"[^>]* checked>', shown)


def test_d_90_trial_runs_as_a_task_and_shows_its_progress(staff: Client, february: RatingList) -> None:
    made = tried(staff)
    assert Run.objects.get(work="trial").subject == str(made.pk)
    waiting = staff.get(f"/desk/texts/trials/{made.pk}/").content.decode()
    assert 'hx-trigger="every 3s"' in waiting
    assert "Adopt text" not in waiting
    perform("trial", str(made.pk), at=NOW)
    page = staff.get(f"/desk/texts/trials/{made.pk}/")
    done = page.content.decode()
    assert "hx-trigger" not in done.partition('id="trial"')[2]
    (month,) = page.context["months"]
    assert (month["title"], [number for _label, number in month["figures"]]) == (
        "Rapid, February 2026",
        [2, 1, 0, 0],
    )
    assert [item["difference"] for item in month["most"]] == [-8, 4]
    assert "Of 2700" in done
    keys = [game["reason_keys"] for item in month["most"] for game in item["games"]]
    assert keys == [["difference-600-7.3.1"]] * 2
    games = [
        (game["opponent"], game["before"], game["after"]) for item in month["most"] for game in item["games"]
    ]
    assert games == [(2700, "+0.42", "–"), (1500, "−0.42", "–")]
    assert "½ against 1500" in " ".join(done.split())


def test_d_90_second_click_tries_a_text_once(staff: Client, february: RatingList) -> None:
    assert tried(staff) == tried(staff)
    assert (TextTrial.objects.count(), Run.objects.filter(work="trial").count()) == (1, 1)
    TextTrial.objects.update(at=NOW - timedelta(minutes=5))

    tried(staff)

    assert TextTrial.objects.count() == 2


def test_d_90_killed_trial_continues_where_it_stopped(february: RatingList) -> None:
    rules = rules_named(AMENDED)
    names = ["rapid 2026-02-01"] * 2
    kept = kept_part(tried_on(february, rules))
    made = TextTrial.objects.create(text=AMENDED, lists=names, results=[kept], at=NOW)
    Run.objects.create(work="trial", subject=str(made.pk), created_at=NOW)
    perform("trial", str(made.pk), at=NOW)
    made.refresh_from_db()
    assert (made.is_done, made.results[0]) == (True, made.results[1])


def test_d_90_text_is_adopted_from_its_trial_and_revoked(staff: Client, february: RatingList) -> None:
    page = f"/desk/texts/trials/{tried(staff).pk}/"
    values = {"first_day": "2026-06-01", "reason": "Congress", "reference": "GA 4"}
    staff.post(page, values)
    assert not Adoption.objects.filter(text=AMENDED).exists()
    perform("trial", page.split("/")[-2], at=NOW)
    too_early = staff.post(page, values | {"first_day": "2026-03-04"})
    assert codes_of_answer(too_early) == {"first_day": ["day-not-in-future"]}
    assert staff.post(page, values)["Location"] == "/desk/texts/"
    made = Adoption.objects.get(text=AMENDED)
    assert (made.first_day, made.reason, made.reference) == (date(2026, 6, 1), "Congress", "GA 4")
    staff.post(f"/desk/texts/{made.pk}/revoke", {"reason": ""})
    made.refresh_from_db()
    assert made.revoked_at is None
    staff.post(f"/desk/texts/{made.pk}/revoke", {"reason": "Postponed"})
    made.refresh_from_db()
    assert made.revoked_reason == "Postponed"


def test_d_90_used_adoption_has_no_button(staff: Client, february: RatingList) -> None:
    shown = staff.get("/desk/texts/").content.decode()
    assert "Revoke adoption" not in shown
    used = Adoption.objects.get(text="fide-rapid-blitz-2024")
    answer = staff.post(f"/desk/texts/{used.pk}/revoke", {"reason": "No"}, follow=True)
    assert codes_of_messages(answer) == ["adoption-used"]


@pytest.mark.parametrize(
    ("distribution", "expected"),
    [
        ([], []),
        ([[-2, 1], [3, 4]], [("−2", 1), ("−1", 0), ("0", 0), ("+1", 0), ("+2", 0), ("+3", 4)]),
        (
            [[-25, 2], [-20, 1], [7, 3], [49, 1]],
            [(f"{first} to {last}", number) for first, last, number in CLASSES],
        ),
    ],
)
def test_bars_of_differences_have_one_width(
    distribution: list[list[int]], expected: list[tuple[str, int]]
) -> None:
    assert [(bar.label, bar.value) for bar in difference_bars(distribution)] == expected


@pytest.mark.parametrize("role", ["officer", "qc", "arbiter"])
def test_d_90_services_refuse_all_but_staff(role: str, february: RatingList) -> None:
    user: Any = AppointmentFactory(role=role).user
    with pytest.raises(RefusedError):
        try_text(AMENDED, [FEBRUARY], by=user, at=NOW)
    with pytest.raises(RefusedError):
        adopt(AMENDED, first_day=date(2026, 9, 1), reason="R", by=user, at=noon(FEBRUARY))
    assert not TextTrial.objects.exists()


@pytest.mark.parametrize(
    "values", [{}, {"text": AMENDED}, {"text": "x", "months": ["2026-02-01"]}, {"months": ["2026-09-01"]}]
)
def test_invalid_forms_are_shown_again(staff: Client, february: RatingList, values: dict[str, Any]) -> None:
    assert staff.post("/desk/texts/", values).status_code == 200
    assert not TextTrial.objects.exists()
