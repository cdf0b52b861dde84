"""A report against the lists in force: which results are outliers, and which list gives a rating (7.2.1)."""

from __future__ import annotations

from datetime import date

import pytest

from players.models import Player
from ratings.reported import check_against_lists
from tests import make
from tournaments.checks.inspection import Inspection
from tournaments.lookups import Lookups
from tournaments.models import Tournament
from tournaments.report_people import ReportPeople
from tournaments.trf import Finding, PlayerRecord, Report, RoundResult

OTHER = {"1": "0", "0": "1", "=": "="}
TOURNAMENT = Tournament(kind="rapid", start=date(2026, 1, 10), end=date(2026, 1, 10))

pytestmark = [pytest.mark.django_db, pytest.mark.page]


def report_of(codes: str) -> tuple[Report, dict[int, Player]]:
    """Return a report of two players in which the first has these results, and who they are."""
    results = {
        1: tuple(RoundResult(number, 2, "w", code) for number, code in enumerate(codes, 1)),
        2: tuple(RoundResult(number, 1, "b", OTHER[code]) for number, code in enumerate(codes, 1)),
    }
    players = {number: make.player(fide_id=1000 + number) for number in results}
    records = tuple(
        PlayerRecord(number, name=player.name, results=results[number], line=number)
        for number, player in players.items()
    )
    return Report(players=records, rounds=len(codes), lines=("001 ",) * 2), players


def findings_of(
    report: Report, players: dict[int, Player], tournament: Tournament = TOURNAMENT
) -> list[Finding]:
    return [*check_against_lists(Inspection(report, tournament, ReportPeople(players, {}, ()), Lookups()))]


def found(codes: str, *ratings: int, kind: str = "rapid") -> list[Finding]:
    report, players = report_of(codes)
    rating_list = make.rating_list(kind=kind)
    for player, rating in zip(players.values(), ratings, strict=False):
        make.entry(rating_list=rating_list, player=player, rating=rating)
    return findings_of(report, players)


@pytest.mark.parametrize(
    ("codes", "ratings", "directions"),
    [
        # Nine equal opponents: 4.5 points are expected, one standard deviation is 1.5.
        ("1" * 9, (1800, 1800), ["above", "below"]),
        ("1" * 8 + "=", (1800, 1800), []),
        ("1" * 8, (1800, 1800), []),
        # 400 or more higher: 0.08 a game, one standard deviation of five games is 0.607.
        ("11100", (1500, 1900), ["above", "below"]),
        ("11=00", (1500, 2300), ["above", "below"]),
        ("11000", (1500, 1900), []),
        # Four games tell too little; one with an unrated player tells nothing.
        ("1111", (1400, 2400), []),
        ("11111", (1500,), []),
    ],
)
def test_three_standard_deviations_are_an_outlier(
    codes: str, ratings: tuple[int, ...], directions: list[str]
) -> None:
    outliers = [item for item in found(codes, *ratings) if item.code == "performance-outlier"]
    assert [item.params["direction"] for item in outliers] == directions


def test_a_standard_rating_serves_who_has_none_of_the_kind() -> None:
    (first, second) = found("1" * 9, 1800, 1800, kind="standard")
    assert (first.code, first.params["rating"], first.params["expected"], second.code) == (
        "performance-outlier",
        1800,
        "4.50",
        "performance-outlier",
    )


def test_without_a_list_nothing_is_compared() -> None:
    report, players = report_of("11111")
    assert findings_of(report, players) == []


@pytest.mark.parametrize(("ratings", "count"), [((2710, 2690), 1), ((2711, 2690), 0)])
def test_0_2_the_presidents_decision_needs_an_average_above_2700(
    ratings: tuple[int, int], count: int
) -> None:
    report, players = report_of("=====")
    for player, rating in zip(players.values(), ratings, strict=True):
        make.entry(rating_list=make.rating_list(), player=player, rating=rating)
    tournament = Tournament(
        kind="rapid", start=date(2026, 1, 10), end=date(2026, 1, 10), decided_by="president"
    )
    codes = [item.code for item in findings_of(report, players, tournament)]
    assert codes == ["president-average-0.2"] * count
