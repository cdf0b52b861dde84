"""A case of the QC: indicators, decisions, and the way to the next case."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.test import Client

from players.models import Federation
from ratings.reported import one_in
from tests import make
from tests.desk.conftest import NOW, report_of, seen
from tournaments.holds import flag_outliers
from tournaments.indicators import indicators_of
from tournaments.information_requests import ask_for_information
from tournaments.models import Report, Tournament
from tournaments.trf import read_report
from tournaments.trf.checks.pairings import HALF_POINTS

CASE = "/desk/qc/SUI-PLAYED/"


def test_closed_ring_and_one_sided_games_are_indicated(swiss: Federation) -> None:
    players = [
        make.player(fide_id=1_300_001 + n, name=name, federation=swiss)
        for n, name in enumerate(("Alder, Ada", "Birch, Ben", "Cedar, Cleo"))
    ]
    games = [(1, 1, 2, "1-0"), (2, 1, 2, "1-0"), (3, 2, 3, "1/2")]
    events = [make.tournament(federation=swiss, start=date(2026, 1, day)) for day in (3, 10, 17)]
    for event in events:
        make.play(event, players, games)

    ring, one_sided = indicators_of(events[-1])
    names = ("Alder, Ada", "Birch, Ben", "Cedar, Cleo")
    assert (ring.code, [name in ring.sentence for name in names]) == ("closed-ring", [True] * 3)
    assert (one_sided.code, re.findall(r"\d+", one_sided.sentence)) == ("one-sided", ["6", "2"])
    assert [name in one_sided.sentence for name in names] == [True, True, False]


def test_arbiter_who_is_the_organiser_is_indicated(swiss: Federation) -> None:
    event = make.tournament(federation=swiss, chief_arbiter="Arbiter, Anna", organiser="Anna Arbiter")

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
    basis = make.rating_list(kind="rapid", date=date(2026, 2, 1))
    players = [make.entry(rating_list=basis).player for _ in range(3)]
    assert chair.get(CASE).context["rated"] is None
    make.play_and_rate(played, players, [(1, 1, 2, "1-0")])

    shown = chair.get(CASE).context

    assert (shown["rated"].counted_games, shown["rated"].players) == (1, 2)
    assert shown["progress"].expected_list == date(2026, 4, 1)


def test_a_flagged_result_is_shown_with_its_games(chair: Client, officer: Client, played: Tournament) -> None:
    content = report_of()
    player, other, *_others = read_report(content).players
    flag = {"code": "performance-outlier", "severity": "notice", "line": player.line}
    params = {
        "name": player.name,
        "rating": 2181,
        "score": "3.0",
        "games": 7,
        "deviations": 3,
        "expected": "5.79",
    }
    report = Report.objects.create(
        tournament=played,
        version=1,
        state="accepted",
        content=content,
        findings=[flag | {"params": params | {"direction": "below"}}],
        submitted_on=NOW.date(),
        submitted_at=NOW,
    )
    Tournament.objects.update(stage="rated")
    flag_outliers(report, at=NOW)

    case = chair.get(CASE).context
    ((_text, line, games),) = case["flagged"]
    indicated = [one.code for one in chair.get(f"{CASE}indicators").context["indicators"]]
    told = officer.get("/desk/tournaments/SUI-PLAYED/").context["flags"]

    assert (line, case["indicators"], told.tournament) == (player, None, played)
    assert games[0] == (player.results[0], other, HALF_POINTS.get(player.results[0].code, 0))
    assert "performance-outlier" not in indicated
    chair.post(f"{CASE}question", {"hold-reason": "Which clocks?"} | seen())
    held = chair.get(CASE).context
    assert (held["is_held"], held["holds"][0].why, held["flagged"][0][1]) == (True, "Which clocks?", player)


def late_registrations(swiss: Federation, *names: str) -> list[Tournament]:
    """Return late registrations that wait for the QC, one a day from tomorrow on."""
    return [
        make.tournament(
            event_id=f"SUI-{name}",
            name=name,
            federation=swiss,
            start=NOW.date() + timedelta(days=number),
            registered_on=NOW.date(),
            registration="waiting",
        )
        for number, name in enumerate(names, start=1)
    ]


def test_the_chair_clears_three_cases_without_going_back_to_the_queue(
    chair: Client, swiss: Federation
) -> None:
    late_registrations(swiss, "First", "Second", "Third")

    page, addresses = "/desk/qc/SUI-First/", []
    for name in ("First", "Second", "Third"):
        sent = {"decision": "allow", "reason": "The hall was late."} | seen(f"SUI-{name}")
        page = chair.post(page, sent)["Location"]
        addresses.append(page)

    assert addresses == ["/desk/qc/SUI-Second/", "/desk/qc/SUI-Third/", "/desk/"]
    assert set(Tournament.objects.values_list("registration", flat=True)) == {"approved"}


def test_a_link_of_the_tasks_selects_a_decision_and_does_not_make_it(
    chair: Client, swiss: Federation
) -> None:
    late_registrations(swiss, "First")

    form = chair.get("/desk/qc/SUI-First/?decision=allow").context["form"]

    assert form["decision"].value() == "allow"
    assert Tournament.objects.get().registration == "waiting"


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
    ask_for_information(played, "Which hall?", due_on=NOW.date(), by=make.user(), on=NOW.date(), at=NOW)

    reason = "By the minutes of 3 March."
    without = chair.post("/desk/qc/SUI-PLAYED/", {"decision": decision, "reason": ""} | seen())
    done = chair.post("/desk/qc/SUI-PLAYED/", {"decision": decision, "reason": reason} | seen())

    assert list(without.context["form"].errors) == ["reason"]
    assert (done.status_code, done["Location"]) == (302, "/desk/")
    assert Tournament.objects.get().registration == after
    assert played.log_entries.latest("pk").reason == reason
    # What was asked for the decision waits no more.
    assert [*played.cases.values_list("state", flat=True)] == ["withdrawn"]
    shown = chair.get(CASE).context
    assert (shown["is_asked"], shown["taken"].after, shown["taken"].why) == (False, after, reason)


def test_a_decision_that_the_state_does_not_allow_is_not_offered(chair: Client, played: Tournament) -> None:
    answer = chair.post("/desk/qc/SUI-PLAYED/", {"decision": "allow", "reason": "Why not"} | seen())

    assert list(answer.context["form"].errors) == ["decision"]
    assert "allow" not in answer.context["form"].errors["decision"].as_text()
    assert Tournament.objects.get().registration == "registered"


def test_the_case_of_a_report_that_nobody_accepts_has_its_reason_deadline_and_report(
    chair: Client, played: Tournament
) -> None:
    Tournament.objects.update(start=date(2026, 2, 1), end=date(2026, 2, 1))
    sent = make.hand_report(played, at=NOW)

    page = chair.get(CASE)

    (task,) = page.context["tasks"]
    assert (task.code, task.deadline) == ("case-undecided", date(2026, 3, 31))
    assert dict(task.facts)["Reason"]
    assert f'href="/desk/tournaments/SUI-PLAYED/handed/{sent.number}/"' in page.content.decode()
    assert page.context["may_ask"]


def test_the_case_of_a_change_has_the_reasons_of_all_steps(chair: Client, swiss: Federation) -> None:
    (late,) = late_registrations(swiss, "Late")
    changes = [{"field": "start", "before": "2026-03-04", "after": "2026-03-05"}]
    make.step(late, "register", "waiting", reason="The town was late.", at=NOW)
    make.step(late, "change", "waiting", reason="The hall is closed.", changes=changes, at=NOW)

    assert [(one.words, one.why) for one in chair.get("/desk/qc/SUI-Late/").context["events"]] == [
        ("The town was late.", ""),
        ("The hall is closed.", "First day: 4 Mar 2026 → 5 Mar 2026"),
    ]
