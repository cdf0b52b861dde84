"""A registration is of one event (D-127), and a wrong day is put right by a request (D-140)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from players.cases import decide as decide_case
from players.choices import CaseState
from players.models import Case
from ratings.models import RatingList
from tests import make
from tests.codes import refusal
from tests.tournaments.test_registration import OPEN
from tests.tournaments.test_requested_changes import AFTER, BEFORE, FIRST_DAY, START, at, has_request
from tournaments.case_queue import cases
from tournaments.changed_fields import shown_changes
from tournaments.choices import Action
from tournaments.conditions import Conditions
from tournaments.identity import is_another_text, late_changes
from tournaments.indicators import indicators_of
from tournaments.information_requests import ask_for_information
from tournaments.lists import Lists
from tournaments.models import RequestedChange, Tournament
from tournaments.qc import decide
from tournaments.registered_conditions import registered_conditions
from tournaments.registration import register_tournament
from tournaments.registration_changes import change_registration
from tournaments.states import progress_of

pytestmark = pytest.mark.page

LATE = START - timedelta(days=2)
EVENT = replace(OPEN, city="Alphaville", organiser="Alpha Chess Club", chief_arbiter="Alpha, Anna")


@pytest.fixture(autouse=True)
def _federation(db: None) -> None:
    make.federation(code="SUI", name="Switzerland")


def registered(wanted: Conditions = EVENT) -> Tournament:
    on = date(2026, 1, 2)
    return register_tournament(wanted, by=None, on=on, at=at(on))


def change(tournament: Tournament, on: date, **others: Any) -> Tournament:
    wanted = registered_conditions(tournament, **others)
    return change_registration(tournament, wanted, reason="It was a slip.", by=None, on=on, at=at(on))


def test_0_2_an_answer_comes_before_the_first_day_even_one_that_is_moved() -> None:
    late = replace(EVENT, late_reason="Hall")
    tournament, day = register_tournament(late, by=None, on=LATE, at=at(LATE)), timedelta(days=1)
    asked: dict[str, Any] = {"by": None, "on": LATE, "at": at(LATE)}

    with refusal() as refused:
        ask_for_information(tournament, "Why so late?", due_on=START, **asked)
    ask_for_information(tournament, "Why so late?", due_on=START - day, **asked)
    change(tournament, LATE, start=START - day, end=START - day, schedule=[str(START - day)])

    assert refused.found == ["due-far"]
    progress = progress_of(tournament, Lists([]), today=LATE)
    assert [(one.code, one.deadline) for one in progress.steps[:3]] == [
        ("answer", START - 2 * day),
        ("decide", START - day),
        ("play", START - day),
    ]


def test_a_time_control_and_a_chief_arbiter_are_one_change_each() -> None:
    tournament = registered()
    arbiter = make.player(fide_id=1_300_001, name="Alpha, Anna")
    change(tournament, BEFORE, increment_seconds=5, chief_id=arbiter.pk)

    shown = [str(one) for one in shown_changes(tournament.log_entries.get(action="change").changes)]
    expected = ["Time control: 15+10 → 15+5", "Chief arbiter: Alpha, Anna → Alpha, Anna (1300001)"]
    assert shown == expected


def shown(tournament: Tournament) -> list[tuple[str, str, str, date]]:
    entries = [*tournament.log_entries.order_by("at", "pk")]
    return [
        (one.change.field, one.change.before, one.change.after, one.on)
        for one in late_changes(tournament, entries)
    ]


@pytest.mark.parametrize(
    ("one", "other", "is_another"),
    [
        ("Open of Alphaville", "OPEN of  Alphavile", False),
        ("Zürich Open 2026", "Zuerich Open 2026", False),
        ("Кубок Москвы", "Kubok Moskvy", False),
        ("Open of Alphaville", "Open of Betaville", True),
        ("Open of Alphaville", "Open of Alphaville, Rapid", True),
        ("Placeholder 0", "Placeholder 1", True),
        ("Rapid +1800", "Rapid -1800", True),
        ("Open A", "Open A+", True),
        ("Open C", "Open K", True),
        ("", "Alphaville", True),
    ],
)
def test_d_127_other_texts_are_told_from_other_spellings(one: str, other: str, is_another: bool) -> None:
    assert (is_another_text(one, other), is_another_text(other, one)) == (is_another, is_another)


def test_d_127_until_the_deadline_anything_changes_freely() -> None:
    others = {"name": "Betaville Blitz", "city": "Betaville", "organiser": "Beta", "start": date(2026, 1, 11)}

    made = change(registered(), BEFORE, **others)

    assert (made.registration, made.name, shown(made)) == ("registered", "Betaville Blitz", [])


@pytest.mark.parametrize(
    "others",
    [{"name": "Betaville Rapid"}, {"city": "Betaville"}, {"organiser": "Beta"}, {"chief_arbiter": "Beta, B"}],
    ids=lambda others: next(iter(others)),
)
def test_d_127_one_change_after_the_deadline_is_shown_on_the_public_page(others: dict[str, str]) -> None:
    ((field, after),) = others.items()
    made = change(registered(), LATE, **others)

    page = Client().get(f"/tournaments/{made.event_id}/")

    assert (made.registration, shown(made)) == (
        "registered",
        [(field, getattr(EVENT, field), after, LATE)],
    )
    assert page.content.decode().count(f'data-change="{field}"') == 1


def test_d_127_spelling_is_not_shown() -> None:
    assert shown(change(registered(), LATE, name="Open of Alphavile")) == []


@pytest.mark.parametrize(
    "steps",
    [
        [{"name": "Betaville Rapid", "city": "Betaville"}],
        [{"name": "Betaville Rapid"}, {"organiser": "Beta"}],
        [{"city": "Betaville"}, {"organiser": "Beta"}],
        [{"start": date(2026, 1, 9)}],
        # However far ahead, and whatever follows.
        [{"start": date(2026, 2, 10), "end": date(2026, 2, 10), "schedule": ["2026-02-10"]}],
        [
            {"start": date(2026, 2, 10), "end": date(2026, 2, 10), "schedule": ["2026-02-10"]},
            {"end": date(2026, 2, 11)},
        ],
    ],
)
def test_d_127_another_event_under_a_registration_waits_for_the_qc(steps: list[dict[str, Any]]) -> None:
    made = registered()
    for others in steps:
        made = change(made, LATE, **others)

    changed = made.log_entries.filter(before="registered").get()
    page = Client().get(f"/tournaments/{made.event_id}/").content.decode()
    assert made.registration == "waiting"
    # Beside the requested first day, on which the QC has not decided yet.
    assert ("<del>10 Jan 2026</del>" in page) == any("start" in others for others in steps)
    assert [item.get("code") for item in changed.stated or []][:1] == ["another-event"]


def test_d_127_what_the_qc_approved_is_what_later_changes_are_compared_with() -> None:
    made = change(registered(), LATE, name="Betaville Rapid", city="Betaville")
    decide(made, Action.ALLOW, reason="It moved.", by=None, at=at(LATE))

    change(made, LATE, organiser="Beta")

    assert made.registration == "approved"
    assert [field for field, *_values in shown(made)] == ["name", "city", "organiser"]
    change(made, LATE, increment_seconds=5)
    stated = made.log_entries.latest("pk").stated or [{}]
    assert (made.registration, stated[0].get("code")) == ("waiting", "changed-late")


@pytest.mark.parametrize("on", [FIRST_DAY, AFTER])
def test_d_127_from_the_first_day_on_only_the_arbiter_and_spellings_change(on: date) -> None:
    made = change(
        registered(),
        on,
        name="Open of Alphavile",
        city="Betaville",
        organiser="Beta",
        chief_arbiter="Beta, Boris",
    )

    request = RequestedChange.objects.get()
    assert [one["field"] for one in request.changes] == ["city", "organiser"]
    assert (made.name, made.city, made.chief_arbiter) == ("Open of Alphavile", "Alphaville", "Beta, Boris")
    assert [field for field, *_values in shown(made)] == ["chief_arbiter"]


def test_d_127_name_does_not_become_another_one_spelling_by_spelling() -> None:
    made = registered()
    for name in ("Open of Alphavilla", "Open of Alphavilta", "Open of Alpharilta"):
        change(made, AFTER, name=name)
        if has_request(made):
            break

    (asked,) = RequestedChange.objects.get().changes
    assert (asked["field"], has_request(made), made.name != asked["after"]) == ("name", True, True)


def test_d_127_what_staff_report_they_change_and_the_page_shows_it() -> None:
    made = registered(replace(EVENT, is_official=True))

    change(made, AFTER, name="Betaville Rapid", city="Betaville")

    assert (made.registration, has_request(made), len(shown(made))) == ("registered", False, 2)


def spell(client: Client, tournament: Tournament, **texts: str) -> Any:
    """Send the form of the admin."""
    names = ("city", "chief_arbiter", "organiser", "decision_reference")
    form = {name: getattr(tournament, name) for name in names} | texts
    for prefix in ("reports", "log_entries"):
        form |= {f"{prefix}-TOTAL_FORMS": "0", f"{prefix}-INITIAL_FORMS": "0"}
    return client.post(f"/admin/tournaments/tournament/{tournament.pk}/change/", form)


def test_d_127_admin_corrects_the_spelling_alone(client: Client) -> None:
    made = registered()
    client.force_login(make.person("staff"))

    answer = spell(client, made, city="Betaville", chief_arbiter="Alfa, Anna", organiser="Beta")

    errors = answer.context["adminform"].form.errors.as_data()
    assert {field: [error.code for error in found] for field, found in errors.items()} == {
        "city": ["other-event-D-127"],
        "organiser": ["other-event-D-127"],
    }


def test_d_127_admin_makes_no_other_town_spelling_by_spelling_and_the_log_has_each(client: Client) -> None:
    made, staff = registered(), make.person("staff")
    client.force_login(staff)

    answers = [spell(client, made, city=city).status_code for city in ("Alphavilla", "Alphavilta")]

    (step,) = made.log_entries.filter(action="change")
    assert (step.by, step.changes) == (
        staff,
        [{"field": "city", "before": "Alphaville", "after": "Alphavilla"}],
    )
    assert answers == [302, 200]


def test_d_127_registrations_that_were_not_reported_are_counted() -> None:
    made = registered()
    for number, (days, others) in enumerate(
        [(60, {}), (60, {"stage": "published"}), (60, {"registration": "withdrawn"}), (440, {}), (0, {})]
    ):
        day = START - timedelta(days=days)
        make.tournament(event_id=f"SUI-{number}", federation=made.federation, start=day, end=day, **others)

    assert [one.code for one in indicators_of(made)] == ["unreported"]
    assert " 1 " in indicators_of(made)[0].sentence
    with time_machine.travel(make.noon(START - timedelta(days=55)), tick=False):
        assert indicators_of(made) == []


WRONG = {"start": date(2027, 1, 10), "end": date(2027, 1, 11), "schedule": ["2027-01-10"] * 5}
RIGHT = {"start": START, "end": date(2026, 1, 11), "schedule": ["2026-01-10"] * 5}


def test_d_140_question_is_asked_where_the_first_day_is_more_than_a_year_ahead() -> None:
    with refusal() as asked:
        registered(replace(EVENT, **WRONG))

    assert asked.found == ["year-ahead-D-140"]
    assert registered(replace(EVENT, **WRONG, is_year_ahead=True)).registration == "registered"


@pytest.mark.parametrize(
    "wrong",
    [
        WRONG,
        {"start": date(2026, 1, 17), "end": date(2026, 1, 18), "schedule": ["2026-01-17"] * 5},
    ],
    ids=["another year", "a week later"],
)
def test_d_140_wrong_first_day_is_put_right_by_a_request_on_any_day(wrong: dict[str, Any]) -> None:
    made = change(registered(replace(EVENT, **wrong, is_year_ahead=True)), AFTER, **RIGHT)

    (case,) = cases(Lists[Any](), AFTER, Case.objects.all())
    progress = progress_of(made, Lists[Any](), today=AFTER)
    decide_case(RequestedChange.objects.get(), CaseState.APPROVED, answer="So.", by=None, at=at(AFTER))
    made.refresh_from_db()

    # The list of February closes for events that ended by 29 January.
    assert (case.code, case.deadline) == ("change", date(2026, 1, 31))
    found = (progress.step.code, progress.step.deadline, progress.expected_list)
    assert found == ("request", date(2026, 1, 31), date(2026, 2, 1))
    assert (made.start, made.end, made.registration) == (START, RIGHT["end"], "registered")


def test_d_140_day_typed_a_year_too_early_is_put_right_after_the_third_list() -> None:
    made = registered()
    third = date(2026, 4, 1)
    lists = Lists([RatingList(kind="rapid", date=third, published_at=at(third))])
    on = date(2026, 12, 1)
    days = {"start": date(2027, 1, 9), "end": date(2027, 1, 10), "schedule": ["2027-01-09"] * 5}

    missed = progress_of(made, lists, today=on).step.code
    change(made, on, **days)
    made.refresh_from_db()

    step = progress_of(made, lists, today=on).step
    assert (missed, step.code, step.deadline) == ("missed", "request", days["start"])


def test_d_140_request_for_another_last_day_is_decided_by_the_earlier_one() -> None:
    made = change(registered(), FIRST_DAY, end=EVENT.end + timedelta(days=1))

    step = progress_of(made, Lists[Any](), today=EVENT.end).step

    assert (step.code, step.deadline) == ("request", EVENT.end)


def test_d_140_request_for_days_without_regulations_is_refused() -> None:
    made = registered()

    with refusal() as error:
        change(made, AFTER, start=date(1990, 1, 1))

    assert error.found == ["no-rules-D-13"]
