"""A trial of a text on published months, and its adoption (D-90)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client

from desk.texts.trial import difference_bars
from ratings.models import Adoption, RatingList, Run, TextTrial
from ratings.runs import perform
from ratings.systems.registry import rules_named
from ratings.text_trials import kept_part, tried_on
from tests.codes import codes_of_answer
from tests.desk.conftest import NOW
from tests.desk.texts.conftest import AMENDED, tried

pytestmark = pytest.mark.slow


# In classes of five points: the players between -25 and +49 of the example below.
CLASSES = [
    ("−25", "−21", 2), ("−20", "−16", 1), ("−15", "−11", 0), ("−10", "−6", 0), ("−5", "−1", 0), ("0", "+4", 0),
    ("+5", "+9", 3), ("+10", "+14", 0), ("+15", "+19", 0), ("+20", "+24", 0), ("+25", "+29", 0), ("+30", "+34", 0),
    ("+35", "+39", 0), ("+40", "+44", 0), ("+45", "+49", 1),
]  # fmt: skip


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
    assert page.context["is_different"] == any(value for _label, value in month["figures"])
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
