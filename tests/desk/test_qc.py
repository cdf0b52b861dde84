"""The QC's cases, appeals and the audit log by HTTP requests."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Federation
from ratings.services.reported import one_in
from tests.desk.conftest import NOW, seen
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    UserFactory,
    play,
    play_and_rate,
)
from tournaments.choices import Action
from tournaments.models import AuditEntry, Tournament
from tournaments.queries.indicators import indicators_of
from tournaments.services.information_requests import ask_for_information

CASE = "/desk/qc/SUI-PLAYED/"


def test_hold_by_staff_is_in_the_queue_until_released(
    chair: Client, signed_in: Callable[[str], Client], played: Tournament
) -> None:
    play(played, [], [])
    staff = signed_in("staff")

    reason = "All games within four minutes."
    staff.post(f"{CASE}question", {"hold-reason": reason} | seen())
    queue = chair.get("/desk/qc/").context["queue"]
    chair.post(f"{CASE}clear", {"release-reason": "The clocks agree."} | seen())

    assert [(row.event_id, row.why, row.deadline) for row in queue] == [
        ("SUI-PLAYED", reason, date(2026, 3, 31))
    ]
    assert chair.get("/desk/qc/").context["queue"] == []


def test_closed_ring_and_one_sided_games_are_indicated(swiss: Federation) -> None:
    players = [
        PlayerFactory(fide_id=1_300_001 + n, name=name, federation=swiss)
        for n, name in enumerate(("Alder, Ada", "Birch, Ben", "Cedar, Cleo"))
    ]
    games = [(1, 1, 2, "1-0"), (2, 1, 2, "1-0"), (3, 2, 3, "1/2")]
    events = [TournamentFactory(federation=swiss, start=date(2026, 1, day)) for day in (3, 10, 17)]
    for event in events:
        play(event, players, games)

    ring, one_sided = indicators_of(events[-1])
    names = ("Alder, Ada", "Birch, Ben", "Cedar, Cleo")
    assert (ring.code, [name in ring.sentence for name in names]) == ("closed-ring", [True] * 3)
    assert (one_sided.code, re.findall(r"\d+", one_sided.sentence)) == ("one-sided", ["6", "2"])
    assert [name in one_sided.sentence for name in names] == [True, True, False]


def test_arbiter_who_is_the_organiser_is_indicated(swiss: Federation) -> None:
    event = TournamentFactory(federation=swiss, chief_arbiter="Arbiter, Anna", organiser="Anna Arbiter")

    assert [found.code for found in indicators_of(event)] == ["same-person"]


@pytest.mark.parametrize(
    ("probabilities", "half_points", "times"),
    [
        # Five wins of five against equals have probability 1 in 2^5, nine against opponents 400 points up 1 in 12.5^9.
        ([50] * 5, 10, 32),
        ([50] * 5, 0, 32),
        ([50] * 5, 9, 5),
        ([8] * 9, 18, 7_450_580_596),
        ([92] * 9, 0, 7_450_580_596),
        ([50] * 4, 4, 1),
    ],
)
def test_7_1_2_probability_of_a_score(probabilities: list[int], half_points: int, times: int) -> None:
    assert one_in(probabilities, half_points) == times


@pytest.mark.database
def test_effect_of_a_decision_not_to_rate_is_shown_before_it(chair: Client, played: Tournament) -> None:
    basis = RatingListFactory(kind="rapid", date=date(2026, 2, 1))
    players = [ListEntryFactory(rating_list=basis).player for _ in range(3)]
    assert chair.get(CASE).context["rated"] is None
    play_and_rate(played, players, [(1, 1, 2, "1-0")])

    shown = chair.get(CASE).context

    assert (shown["rated"].counted_games, shown["rated"].players) == (1, 2)
    assert shown["progress"].expected_list == date(2026, 4, 1)


def waiting(swiss: Federation, *names: str) -> list[Tournament]:
    """Return late registrations that wait for the QC, one a day from tomorrow on."""
    return [
        TournamentFactory(
            event_id=f"SUI-{name}",
            name=name,
            federation=swiss,
            start=NOW.date() + timedelta(days=number),
            registered_on=NOW.date(),
            registration="waiting",
        )
        for number, name in enumerate(names, start=1)
    ]


def test_cases_are_the_tasks_of_the_chair_and_for_others_what_they_wait_for(
    signed_in: Callable[[str], Client], swiss: Federation
) -> None:
    first, second, asked = waiting(swiss, "First", "Second", "Asked")
    ask_for_information(asked, "Which hall?", due_on=NOW.date(), by=UserFactory(), on=NOW.date(), at=NOW)

    chair = signed_in("qc").get("/desk/").context
    others = {role: signed_in(role).get("/desk/").context for role in ("council", "auditor", "staff")}

    assert [(need.code, need.about, need.deadline) for need in chair["work"]] == [
        ("case-late", "First", first.start),
        ("case-late", "Second", second.start),
    ]
    assert ["1 day before the first day" in dict(need.facts).values() for need in chair["work"]] == [
        True,
        False,
    ]
    assert [case.event_id for case in chair["with_officers"]] == ["SUI-Asked"]
    for role, context in others.items():
        codes = {need.code for need in context["work"]}
        assert not {code for code in codes if code.startswith("case-")}, role
        assert [case.event_id for case in context["with_qc"]] == ["SUI-First", "SUI-Second", "SUI-Asked"]


def test_the_chair_clears_three_cases_without_going_back_to_the_queue(
    chair: Client, swiss: Federation
) -> None:
    waiting(swiss, "First", "Second", "Third")

    page, addresses = "/desk/qc/SUI-First/", []
    for name in ("First", "Second", "Third"):
        sent = {"decision": "allow", "reason": "The hall was late."} | seen(f"SUI-{name}")
        page = chair.post(page, sent)["Location"]
        addresses.append(page)

    assert addresses == ["/desk/qc/SUI-Second/", "/desk/qc/SUI-Third/", "/desk/qc/"]
    assert set(Tournament.objects.values_list("registration", flat=True)) == {"approved"}


def test_a_link_of_the_tasks_selects_a_decision_and_does_not_make_it(
    chair: Client, swiss: Federation
) -> None:
    waiting(swiss, "First")

    form = chair.get("/desk/qc/SUI-First/?decision=allow").context["form"]

    assert form["decision"].value() == "allow"
    assert Tournament.objects.get().registration == "waiting"


def test_qc_queue_starts_with_the_most_urgent_case(chair: Client, swiss: Federation) -> None:
    for event_id, start in [
        ("SUI-B", date(2026, 3, 9)),
        ("SUI-A", date(2026, 3, 5)),
        ("SUI-C", date(2026, 4, 1)),
    ]:
        TournamentFactory(event_id=event_id, federation=swiss, start=start, registration="waiting")
    TournamentFactory(event_id="SUI-D", federation=swiss, start=date(2026, 3, 4))

    queue = chair.get("/desk/qc/").context["queue"]

    assert [row.event_id for row in queue] == ["SUI-A", "SUI-B", "SUI-C"]


@pytest.mark.parametrize(
    ("registration", "decision", "after"),
    [
        ("waiting", "allow", "approved"),
        ("waiting", "refuse", "refused"),
        ("registered", "refuse", "refused"),
        ("approved", "not-rate", "not-rated"),
        ("refused", "allow", "approved"),
    ],
)
def test_the_chair_decides_with_a_reason(
    chair: Client, played: Tournament, registration: str, decision: str, after: str
) -> None:
    Tournament.objects.update(registration=registration)

    reason = "By the minutes of 3 March."
    without = chair.post("/desk/qc/SUI-PLAYED/", {"decision": decision, "reason": ""} | seen())
    done = chair.post("/desk/qc/SUI-PLAYED/", {"decision": decision, "reason": reason} | seen())

    assert list(without.context["form"].errors) == ["reason"]
    assert (done.status_code, done["Location"]) == (302, "/desk/qc/")
    assert Tournament.objects.get().registration == after
    assert played.audit_entries.get().reason == reason


def test_a_decision_that_the_state_does_not_allow_is_not_offered(chair: Client, played: Tournament) -> None:
    answer = chair.post("/desk/qc/SUI-PLAYED/", {"decision": "allow", "reason": "Why not"} | seen())

    assert list(answer.context["form"].errors) == ["decision"]
    assert Tournament.objects.get().registration == "registered"


def test_a_case_keeps_its_reason_after_files_and_requests(chair: Client, swiss: Federation) -> None:
    late = TournamentFactory(event_id="SUI-LATE", federation=swiss, registration="waiting")
    steps = (
        (Action.REGISTER, "Registered too late."),
        (Action.ATTACH, "hall.pdf"),
        (Action.ASK, "Which hall?"),
    )
    for action, reason in steps:
        AuditEntry.objects.create(tournament=late, action=action, reason=reason, at=timezone.now())

    for path in ("/desk/qc/", "/desk/qc/SUI-LATE/"):
        page = chair.get(path).content.decode()
        assert "Registered too late." in page
    assert "hall.pdf" not in chair.get("/desk/qc/").content.decode()
