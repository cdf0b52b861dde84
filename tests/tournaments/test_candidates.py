"""Candidates for lines without a FIDE ID, with an unknown one, or with that of another person."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from players.models import Membership, Player
from players.name_refusals import rename_players
from tests import make
from tests.trf_files import ROUNDS, Event
from tournaments.checking import CheckedReport, check_contents
from tournaments.lookups import Lookups
from tournaments.models import Tournament
from tournaments.trf import read_report
from tournaments.trf.tables import row
from tournaments.worksheet import suggestions

pytestmark = pytest.mark.page

PLAYERS = [(1001, "Alpha, Anna"), (1002, "Beta, Boris"), (1003, "Gamma, Greta")]


@pytest.fixture
def tournament(db: None) -> Tournament:
    for code in ("SUI", "FRA"):
        make.federation(code=code)
    for fide_id, name in PLAYERS:
        make.player(fide_id=fide_id, name=name, federation_id="SUI")
    days = {"start": date(2026, 1, 10), "end": date(2026, 1, 11)}
    return Tournament(name="Open of Alphaville", federation_id="SUI", kind="rapid", **days)


def check(tournament: Tournament, *first: tuple[int, str]) -> CheckedReport:
    event = Event([*first, *PLAYERS[len(first) :]], ROUNDS)
    return check_contents(read_report(event.content()), tournament, lookups=Lookups(), on=date(2026, 1, 20))


def found(checked: CheckedReport) -> dict[int, list[int]]:
    """Return the candidates' FIDE IDs by starting rank."""
    return {
        number: [item.player.fide_id for item in some]
        for number, some in suggestions(checked, own="SUI", on=date(2026, 3, 4)).items()
    }


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ((1001, "Alpha, Anna"), {}),
        ((0, "Alpha, Anna"), {1: [1001]}),
        ((0, "ANNA ALPHA"), {1: [1001]}),
        ((9999, "Alpha, A."), {1: [1001]}),
        ((1003, "Alpha, Anna"), {1: [1001]}),
        ((0, "Nobody, Known"), {}),
        ((0, ""), {}),
    ],
)
def test_lines_without_a_player_have_candidates(
    tournament: Tournament, line: tuple[int, str], expected: dict[int, list[int]]
) -> None:
    assert found(check(tournament, line)) == expected


def test_a_former_name_leads_to_its_player(tournament: Tournament) -> None:
    rename_players([(1001, "Delta, Anna", "Alpha, Anna")])
    Player.objects.filter(pk=1001).update(name="Delta, Anna")
    for name in ("Alpha, Anna", "Delta, Anna"):
        [[candidate]] = suggestions(check(tournament, (0, name)), own="SUI", on=date(2026, 3, 4)).values()
        assert (candidate.player.pk, "name" in candidate.differs) == (1001, False)


@pytest.mark.parametrize(("holder", "number"), [(1001, "A8"), (1002, "A7")])
def test_who_has_another_national_number_than_the_line_is_not_sure(
    tournament: Tournament, holder: int, number: str
) -> None:
    Membership.objects.create(player_id=holder, federation_id="SUI", number=number, since=date(2026, 1, 1))
    content = Event([(0, "Alpha, Anna"), *PLAYERS[1:]], ROUNDS).content()
    record = row("SUI", 1, "", "", "", None, "", "A7", "").dumps()
    report = read_report(content + f"{record}\n".encode())
    checked = check_contents(report, tournament, lookups=Lookups(), on=date(2026, 1, 20))

    [[candidate]] = suggestions(checked, own="SUI", on=date(2026, 3, 4)).values()

    assert (candidate.player.pk, candidate.differs[0]) == (1001, "number")


def test_name_counts_before_federation(tournament: Tournament) -> None:
    make.player(fide_id=2001, name="Alpha, Anna", federation_id="FRA")
    make.player(fide_id=2002, name="Alpha, Bea", federation_id="SUI")
    assert found(check(tournament, (0, "Alpha, Anna"))) == {1: [1001, 2001, 2002]}


def test_candidates_line_has_the_id_and_is_read_so(tournament: Tournament) -> None:
    checked = check(tournament, (0, "Alpha, Anna"))
    (candidate,) = suggestions(checked, own="SUI", on=date(2026, 3, 4))[1]
    assert candidate.fix is not None
    line = checked.report.lines[checked.report.players[0].line - 1]
    assert (candidate.fix[57:68], candidate.fix[:57], candidate.fix[68:]) == (
        "       1001",
        line[:57],
        line[68:],
    )


def test_number_of_queries_does_not_grow(
    tournament: Tournament, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    one = check(tournament, (0, "Alpha, Anna"))
    three = check(tournament, *((0, name) for _, name in PLAYERS))
    for checked in (one, three):
        with django_assert_max_num_queries(4):
            suggestions(checked, own="SUI", on=date(2026, 3, 4))


def test_a_second_line_with_a_number_is_not_compared_with_the_person_of_the_first(
    tournament: Tournament,
) -> None:
    text = Event([*PLAYERS, (0, "Gamma, Greta")], ROUNDS).content().decode()
    report = read_report(text.replace("001    4", "001    1"))
    checked = check_contents(report, tournament, lookups=Lookups(), on=date(2026, 1, 20))

    line = report.players[3].line
    assert [item.code for item in checked.errors] == ["player-number-duplicate"]
    assert [item.code for item in checked.warnings if item.line == line] == []
