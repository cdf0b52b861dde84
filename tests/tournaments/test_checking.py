"""What only the portal can find in a report: who its players are, and whether it is of this tournament."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from players.minors import NOBODY
from players.models import Federation, Membership, Player
from players.name_refusals import rename_players
from tests import make
from tests.trf_files import ROUNDS, Event
from tournaments.checking import CheckedReport, check_contents, check_in_public
from tournaments.lookups import Lookups
from tournaments.models import Report, Tournament
from tournaments.trf import read_report
from tournaments.trf.findings import SHIFTED
from tournaments.trf.tables import COLUMNS, row

pytestmark = pytest.mark.page

PLAYERS = [(1001, "Alpha, Anna"), (1002, "Beta, Boris"), (1003, "Gamma, Greta")]
PORTAL_CODES = ("event-", "player-", "id-", "birth-", "rounds-a-day", "rounds-in-all", "sex")


@pytest.fixture
def tournament(db: None) -> Tournament:
    swiss, _ = Federation.objects.get_or_create(code="SUI", defaults={"name": "Switzerland"})
    for fide_id, name in PLAYERS:
        Player.objects.create(fide_id=fide_id, name=name, federation=swiss)
    return Tournament(
        name="Open of Alphaville",
        federation=swiss,
        kind="rapid",
        start=date(2026, 1, 10),
        end=date(2026, 1, 11),
    )


def check(event: Event, tournament: Tournament, on: date = date(2026, 1, 20)) -> CheckedReport:
    return check_contents(read_report(event.content()), tournament, lookups=Lookups(), on=on)


def found(checked: CheckedReport) -> list[tuple[str, str]]:
    """Return code and severity of the portal's own findings."""
    return [
        (item.code, str(item.severity)) for item in checked.findings if item.code.startswith(PORTAL_CODES)
    ]


EVENT = Event(PLAYERS, ROUNDS)


@pytest.mark.parametrize(
    ("name", "kept"), [("Al pha, Anna", "Alpha, Anna"), ("Al pham, Anna", "Al pham, Anna")]
)
def test_a_blank_in_a_name_that_shifted_its_line_goes_where_the_register_has_none(
    tournament: Tournament, name: str, kept: str
) -> None:
    text = EVENT.content().decode()
    shifted = text.replace("Alpha, Anna".ljust(33), name.ljust(34))

    checked = check_contents(
        read_report(shifted.encode()), tournament, lookups=Lookups(), on=date(2026, 1, 20)
    )

    (finding,) = (one for one in checked.findings if one.code == SHIFTED)
    assert (COLUMNS["name"].text(str(finding.fix)), str(finding.fix)[47:] in text) == (kept, True)


def test_report_of_the_tournament_has_no_finding_and_its_players_are_matched(tournament: Tournament) -> None:
    checked = check(EVENT, tournament)
    assert found(checked) == []
    assert {number: player.fide_id for number, player in checked.players.items()} == {
        1: 1001,
        2: 1002,
        3: 1003,
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name": "Another Cup"}, [("event-name", "warning")]),
        ({"name": "alphaville  OPEN of"}, [("event-name", "warning")]),
        ({"name": "OPEN OF ALPHAVILLÉ"}, []),
        ({"federation": "FRA"}, [("event-federation", "warning")] + [("player-federation", "notice")] * 3),
    ],
)
def test_findings_against_the_portal(
    tournament: Tournament, changes: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert found(check(replace(EVENT, **changes), tournament)) == expected


@pytest.mark.parametrize(
    ("name", "born", "code", "number", "expected"),
    [
        ("Alpha, Anna", 1980, "SUI", "a7", {1: 1001}),
        ("Omega, Otto", 1980, "SUI", "a7", {}),
        ("Alpha, Anna", 1990, "SUI", "a7", {}),
        ("Alpha, Anna", 1980, "AUT", "a7", {}),
        ("Alpha, Anna", 1980, "SUI", "a8", {}),
    ],
)
def test_a_line_without_an_id_is_of_who_has_its_national_number(
    tournament: Tournament, name: str, born: int, code: str, number: str, expected: dict[int, int]
) -> None:
    Player.objects.filter(pk=1001).update(birth_year=1980)
    Membership.objects.create(player_id=1001, federation_id="SUI", number="A7", since=date(2026, 1, 1))
    record = row(code, 1, "", "", "", None, "", number, "").dumps()
    content = replace(EVENT, players=[(0, name), *PLAYERS[1:]]).content()
    report = read_report(content + f"{record}\n".encode())
    lines = tuple(one._replace(birth_year=born) if one.number == 1 else one for one in report.players)
    report = replace(report, players=lines)

    checked = check_contents(report, tournament, lookups=Lookups(), on=date(2026, 1, 20))
    codes = [item.code for item in checked.findings if item.code in ("id-missing", "national-number")]
    # Whoever checks a file in public finds nobody by a number.
    public = check_in_public(report, tournament, minors=NOBODY, lookups=Lookups())

    assert {number: player.pk for number, player in checked.players.items()} == {
        2: 1002,
        3: 1003,
    } | expected
    assert codes == ([] if expected else ["id-missing", *(["national-number"] if code == "SUI" else [])])
    assert (1 in public.players, "national-number" in {item.code for item in public.findings}) == (
        False,
        False,
    )


def with_number(number: str = "A7", name: str = "Alpha, Anna") -> bytes:
    """Return a report the first line of which has a national number alone."""
    record = row("SUI", 1, "", "", "", None, "", number, "").dumps()
    return replace(EVENT, players=[(0, name), *PLAYERS[1:]]).content() + f"{record}\n".encode()


def numbered(tournament: Tournament, content: bytes = b"") -> dict[int, int]:
    """Return who the lines of a report are."""
    report = read_report(content or with_number())
    checked = check_contents(report, tournament, lookups=Lookups(), on=date(2026, 1, 20))
    return {number: player.pk for number, player in checked.players.items()}


@pytest.mark.parametrize(
    ("since", "until", "code"),
    [
        # Transferred after the tournament, and entered in the register after it.
        (date(2026, 1, 1), date(2026, 1, 12), "AUT"),
        (date(2026, 1, 15), None, "SUI"),
    ],
)
def test_the_register_of_the_last_day_tells_who_a_line_is(
    tournament: Tournament, since: date, until: date | None, code: str
) -> None:
    make.federation(code=code)
    Membership.objects.create(player_id=1001, federation_id="SUI", number="A7", since=since, until=until)
    Player.objects.filter(pk=1001).update(federation=code)
    tournament.pk = 1

    assert numbered(tournament) == {1: 1001, 2: 1002, 3: 1003}


def test_a_number_that_another_player_of_the_name_has_now_stays_with_the_former(
    tournament: Tournament,
) -> None:
    other = make.player(name="Alpha, Anna", federation=tournament.federation)
    for player, since, until in (
        (1001, date(2026, 1, 1), date(2026, 1, 12)),
        (other.pk, date(2026, 1, 12), None),
    ):
        Membership.objects.create(
            player_id=player, federation_id="SUI", number="A7", since=since, until=until
        )
    tournament.pk = 1

    assert numbered(tournament)[1] == 1001


@pytest.mark.parametrize(
    ("number", "name", "expected"),
    [("A7", "Alpha, Anna", 1001), ("A8", "Alpha, Anna", None), ("A7", "Alpha, A.", None)],
)
def test_a_line_of_the_accepted_report_keeps_its_player(
    tournament: Tournament, number: str, name: str, expected: int | None
) -> None:
    registered = make.tournament(federation=tournament.federation, start=tournament.start, end=tournament.end)
    report = make.play(registered, [Player.objects.get(pk=pk) for pk in (1001, 1002, 1003)], [])
    Report.objects.filter(pk=report.pk).update(content=with_number())
    # Nobody has the number any more.
    assert Membership.objects.count() == 0

    assert numbered(registered, with_number(number, name)).get(1) == expected


def test_d16_more_rounds_a_day_than_allowed_are_an_error(tournament: Tournament) -> None:
    rounds = [[(1, 2, "1-0"), (3, 3, "1-0")][:1] for _ in range(16)]
    days = ["26/01/10"] * 16
    assert ("rounds-a-day-3.1", "error") in found(check(Event(PLAYERS, rounds, round_dates=days), tournament))


def test_report_before_the_last_day_is_an_error(tournament: Tournament) -> None:
    assert found(check(EVENT, tournament, date(2026, 1, 10))) == [("event-not-over", "error")]


def test_merged_id_leads_to_its_successor(tournament: Tournament) -> None:
    Player.objects.create(fide_id=1099, name="Alpha, A.", federation_id="SUI", merged_into_id=1001)
    checked = check(Event([(1099, "Alpha, Anna"), *PLAYERS[1:]], ROUNDS), tournament)
    assert checked.players[1].fide_id == 1001


def test_the_former_name_of_a_player_is_no_other_person(tournament: Tournament) -> None:
    rename_players([(1003, "Delta, Greta", "Gamma, Greta")])
    Player.objects.filter(pk=1003).update(name="Delta, Greta")
    assert found(check(EVENT, tournament)) == []
    former = replace(EVENT, players=[*PLAYERS[:2], (1003, "Omega, Greta")])
    assert found(check(former, tournament)) == [("id-of-another", "warning")]


def test_deceased_player_is_a_warning(tournament: Tournament) -> None:
    Player.objects.filter(pk=1003).update(died_on=date(2025, 12, 1))
    assert found(check(EVENT, tournament)) == [("player-deceased", "warning")]


@pytest.mark.parametrize(
    ("line", "owner", "expected"),
    [
        (("Gamma, Greta", 1990, "w"), ("Gamma, Greta", 1990, "F"), []),
        (("Gamma, Greta", None, ""), ("Gamma, Greta", 1990, "F"), []),
        (("Gamma, Greta", 1990, "w"), ("Gamma, Greta", None, ""), []),
        (("GAMMA G.", 1990, "w"), ("Gamma, Greta", 1990, "F"), []),
        (("Gamma, Greta", 1991, "w"), ("Gamma, Greta", 1990, "F"), ["birth-year"]),
        (("Gamma, Greta", 1992, "w"), ("Gamma, Greta", 1990, "F"), ["birth-year-apart"]),
        (("Gamma, Greta", 1976, "w"), ("Gamma, Greta", 1990, "F"), ["birth-year-apart"]),
        (("Gamma, Greta", 1975, "w"), ("Gamma, Greta", 1990, "F"), ["id-of-namesake"]),
        (("Gamma, G.", 2015, "w"), ("Gamma, Greta", 1990, "F"), ["id-of-namesake"]),
        (("Gamma, Gerd", 1991, "m"), ("Gamma, Greta", 1990, "F"), ["id-of-another"]),
        (("Gamma, Gerd", 1990, "m"), ("Gamma, Greta", 1990, "F"), ["sex"]),
        (("Gamma, Hans", 1990, "w"), ("Gamma, Greta", 1990, "F"), ["id-of-another"]),
        (("Omega, Greta", 1991, "w"), ("Gamma, Greta", 1990, "F"), ["id-of-another"]),
        (("Omega, Greta", 1992, "w"), ("Gamma, Greta", 1990, "F"), ["id-name-and-year"]),
        (("Gamma, Hans", 1992, "w"), ("Gamma, Greta", 1990, "F"), ["id-name-and-year"]),
        (("Van der Meer, Jan", 1990, "m"), ("Van der Berg, Piet", 1990, "M"), ["id-of-another"]),
        (("Klein, Paul sen.", None, "m"), ("Klein, Paul jun.", 1990, "M"), ["id-of-another"]),
        (("Гамма, Грета", 1990, "w"), ("Gamma, Greta", 1990, "F"), []),
        (("王伟", 1990, "w"), ("Gamma, Greta", 1990, "F"), ["id-of-another"]),
        (("?", 1990, "w"), ("Gamma, Greta", 1990, "F"), ["id-of-another"]),
        (("?amm?, Gr?ta", 1990, "w"), ("Ĝammą, Gręta", 1990, "F"), []),
        (("?????, ?????", 1990, "w"), ("Gamma, Greta", 1990, "F"), ["id-of-another"]),
        (("?amm?, Gr?ta", 1990, "w"), ("Ĝommą, Gręta", 1990, "F"), ["id-of-another"]),
        (("1 2", 1990, "w"), ("Gamma, Greta", 1990, "F"), ["id-of-another"]),
    ],
)
def test_d118_a_line_of_another_person_than_its_id(
    tournament: Tournament,
    line: tuple[str, int | None, str],
    owner: tuple[str, int | None, str],
    expected: list[str],
) -> None:
    Player.objects.filter(pk=1003).update(name=owner[0], birth_year=owner[1], sex=owner[2])
    lines = EVENT.text().split("\n")
    number = next(index for index, text in enumerate(lines) if text.startswith("001    3"))
    name, year, sex = line
    born = f"{year}/00/00" if year else ""
    old = lines[number]
    lines[number] = f"{old[:9]}{sex:1}{old[10:14]}{name:<33}{old[47:69]}{born:<10}{old[79:]}"

    checked = check_contents(
        read_report("\n".join(lines).encode()), tournament, lookups=Lookups(), on=date(2026, 1, 20)
    )

    assert [code for code, _ in found(checked)] == expected


@pytest.mark.parametrize(
    ("hides", "code", "finds"), [(True, "AUT", False), (False, "AUT", True), (True, "SUI", True)]
)
@pytest.mark.parametrize("guess", ["2012", "2013"])
def test_a_report_tells_no_year_of_birth_that_another_federation_hides(
    tournament: Tournament, hides: bool, code: str, finds: bool, guess: str
) -> None:
    Federation.objects.update_or_create(
        code=code, defaults={"name": code, "hides_birth_years_of_minors": hides}
    )
    Player.objects.filter(pk=1003).update(birth_year=2013, federation=code)
    lines = EVENT.text().split("\n")
    number = next(index for index, line in enumerate(lines) if line.startswith("001    3"))
    lines[number] = f"{lines[number][:69]}{guess}/00/00{lines[number][79:]}"
    read = read_report("\n".join(lines).encode())

    checked = check_contents(read, tournament, lookups=Lookups(), on=date(2026, 1, 20))

    codes = [finding.code for finding in checked.findings]
    assert ("birth-year" in codes) is (finds and guess == "2012")


def test_number_of_queries_does_not_grow_with_the_players(
    tournament: Tournament, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(5):
        check(EVENT, tournament)
    with django_assert_max_num_queries(5):
        check(Event(PLAYERS[:2], ROUNDS[:1]), tournament)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"round_dates": ["26/01/10"] * 31}, ["rounds-a-day-3.1"]),
        ({"players": [*PLAYERS[:2], (1002, "Beta, Boris")]}, ["player-twice"]),
        ({"players": [*PLAYERS, (1002, "Beta, B.")]}, ["id-of-used-line"]),
    ],
)
def test_what_the_text_shows_too_is_said_once(
    tournament: Tournament, changes: dict[str, Any], expected: list[str]
) -> None:
    days = len(changes.get("round_dates", ()))
    rounds = [[(1, 2, "1-0")]] * days or ROUNDS
    checked = check(Event(**{"players": PLAYERS, "rounds": rounds, **changes}), tournament)
    said = ("rounds-a-day", "rounds-in-all", "player-twice", "fide-id", "id-of")
    assert [item.code for item in checked.findings if item.code.startswith(said)] == expected


def test_a_schedule_taken_from_the_report_is_no_difference(tournament: Tournament) -> None:
    tournament.schedule = ["2026-01-10"] * 3
    checked = check(replace(EVENT, round_dates=["26/01/10"] * 3), tournament)
    assert [item.code for item in checked.findings if item.code.startswith("event-")] == []
