"""Who the people of a report are in the portal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from players.minors import Minors, without_year
from players.models import Membership, Player
from players.person_names import Likeness, compare_names
from tournaments.choices import ReportState
from tournaments.hooks import ids_on_list
from tournaments.lookups import KnownPlayers
from tournaments.models import Participant, Tournament
from tournaments.trf import PlayerRecord, Report, read_report
from tournaments.trf.checks.numbers import with_right_numbers
from tournaments.trf.findings import Place

# From so many years on another year of birth is no slip (D-118).
YEARS_APART = 2
ARBITER_TAGS = ("102", "112")
# ASCII, as `\d` alone matches the digits of every script.
ID_IN_TEXT = re.compile(r"(?<!\d)\d{5,10}(?!\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ArbiterId:
    """A FIDE ID in the record of an arbiter, with its text."""

    tag: str
    place: Place
    fide_id: int
    text: str


@dataclass(frozen=True, slots=True)
class ReportPeople:
    """The players of a report by starting rank, as it counts them; `known` by the ID as reported.

    `wrong_numbers` are national numbers of lines that nobody of the name and age has in the register.
    """

    players: Mapping[int, Player]
    known: Mapping[int, Player]
    arbiters: tuple[ArbiterId, ...]
    wrong_numbers: Mapping[int, str] = field(default_factory=dict)


def people_of(
    report: Report, players: KnownPlayers, tournament: Tournament | None = None, *, is_public: bool = False
) -> ReportPeople:
    """Return whom the FIDE IDs of a report name, players and arbiters: one query, and two more for merged IDs.

    Lines without one are looked up in the register of the federation, except in public.
    A merged ID that was still on the list in force on the tournament's first day stays what it was then: opponents met
    its rating, whichever of merger and acceptance comes first (D-1). Else it is led to its successor.
    """
    arbiters = tuple(_arbiter_ids(report))
    known = players.by_id(_ids(report, arbiters))
    merged = {fide_id: player.merged_into_id for fide_id, player in known.items() if player.merged_into_id}
    # Asked for merged IDs alone: successors of all players would cost two look-ups a line.
    if merged and tournament is not None:
        merged |= ids_on_list.answer(tournament.kind, tournament.start, list(merged))
    others = players.by_id({*merged.values()})
    found = known | {fide_id: others[other] for fide_id, other in merged.items()}
    records = report.by_number.items()
    matched = {number: found[record.fide_id] for number, record in records if record.fide_id in found}
    wrong: dict[int, str] = {}
    if tournament is not None and not is_public:
        by_number = _by_national_number(report, tournament)
        wrong = _wrong_numbers(report, tournament.federation_id, by_number)
        matched = by_number | matched
    return ReportPeople(_one_line_each(report, matched), known, arbiters, wrong)


def _wrong_numbers(report: Report, code: str, found: Mapping[int, Player]) -> dict[int, str]:
    """Return the national numbers by which nobody was found, where the federation has a register with numbers."""
    numbers = national_numbers(report, code)
    wrong = {number: text for number, text in numbers.items() if number not in found}
    has_register = wrong and Membership.objects.filter(federation=code).exclude(number="").exists()
    return wrong if has_register else {}


def _by_national_number(report: Report, tournament: Tournament) -> dict[int, Player]:
    """Return the players of lines without a FIDE ID whose national record has a number of the federation.

    Its own register alone is looked into, as of the last day, else as of today: a register may come after the
    tournament. Who has another name or age there is nobody on the line (D-118).
    """
    code = tournament.federation_id
    wanted = national_numbers(report, code)
    if not wanted:
        return {}
    lines = report.by_number
    rows = Membership.objects.on(tournament.end) | Membership.objects.present()
    members: dict[str, list[Membership]] = {}
    for member in rows.filter(federation=code, number__in={*wanted.values()}).select_related("player"):
        members.setdefault(member.number, []).append(member)
    found = {}
    for number, text in wanted.items():
        alike = [member for member in members.get(text, ()) if _can_be(lines[number], member.player)]
        then = [member for member in alike if member.since <= tournament.end] or alike
        if len({member.player_id for member in then}) == 1:
            found[number] = then[0].player
    return found | _as_accepted(lines, wanted, tournament)


def national_numbers(report: Report, code: str) -> dict[int, str]:
    """Return the national numbers of the lines without a FIDE ID."""
    numbers = {row["number"]: row["national_id"].upper() for row in report.rows(code) if row["national_id"]}
    lines = report.by_number.items()
    return {number: numbers[number] for number, line in lines if not line.fide_id and number in numbers}


def _as_accepted(
    lines: Mapping[int, PlayerRecord], wanted: Mapping[int, str], tournament: Tournament
) -> dict[int, Player]:
    """Return whom the accepted report counts lines for whose name and number are the same in it.

    What becomes of the register afterwards takes no game from anybody.
    """
    # A preview is of a tournament that is not registered yet.
    accepted = tournament.reports.filter(state=ReportState.ACCEPTED).first() if tournament.pk else None
    if accepted is None:
        return {}
    former = with_right_numbers(read_report(bytes(accepted.content)))
    theirs = former.by_number
    places = {
        (theirs[number].name, text): number
        for number, text in national_numbers(former, tournament.federation_id).items()
    }
    rows = Participant.objects.filter(report=accepted, number__in=places.values(), player__isnull=False)
    people = {row.number: row.player for row in rows.select_related("player__merged_into")}
    found = {number: people.get(places.get((lines[number].name, text), 0)) for number, text in wanted.items()}
    return {number: player.merged_into or player for number, player in found.items() if player is not None}


def _can_be(line: PlayerRecord, player: Player) -> bool:
    """Return whether neither name nor age tell a line from a player."""
    born = player.birth_year or 0
    is_near = abs((line.birth_year or born) - born) < YEARS_APART
    return is_near and compare_names(line.name, player.name) == Likeness.SAME


def person_of(player: Player) -> int:
    """Return the FIDE ID of a person, whichever of the person's IDs a player is."""
    return player.merged_into_id or player.fide_id


def ids_in(report: Report) -> set[int]:
    """Return the FIDE IDs that a report names, of players and arbiters."""
    return _ids(report, _arbiter_ids(report))


def _ids(report: Report, arbiters: Iterable[ArbiterId]) -> set[int]:
    ids = {record.fide_id for record in report.players if record.fide_id}
    return ids | {item.fide_id for item in arbiters}


def without_years(people: ReportPeople, minors: Minors) -> ReportPeople:
    """Return the people of a report without the years of birth of the minors: no finding tells or confirms one."""
    if not minors:
        return people
    shown = {number: without_year(player, minors) for number, player in people.players.items()}
    return replace(people, players=shown)


def _one_line_each(report: Report, matched: dict[int, Player]) -> dict[int, Player]:
    """Leave out a second line of the same person that has no played game: it is an entry that was not used."""
    lines: dict[int, list[int]] = {}
    for number, player in matched.items():
        lines.setdefault(person_of(player), []).append(number)
    doubled = [numbers for numbers in lines.values() if len(numbers) > 1]
    if not doubled:
        return matched
    playing = {number for game in report.games if game.played for number in (game.white, game.black)}
    unused = {
        number
        for numbers in doubled
        for number in numbers
        # Where neither line has a game, the first one stays.
        if number not in playing and number != next((n for n in numbers if n in playing), numbers[0])
    }
    return {number: player for number, player in matched.items() if number not in unused}


def _arbiter_ids(report: Report) -> Iterator[ArbiterId]:
    """Yield the FIDE IDs in the records of the chief arbiter and the deputies."""
    for number, line in enumerate(report.lines, 1):
        if line[:3] in ARBITER_TAGS and line[3:4] == " ":
            for match in ID_IN_TEXT.finditer(line, 4):
                place = Place(number, match.start() + 1, len(match[0]))
                yield ArbiterId(line[:3], place, int(match[0]), line[4:].strip())
