"""The people of a report against what the portal knows of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date

from players.models import FormerName, Player
from players.person_names import Likeness, can_be_compared, compare_names, have_a_word_in_common
from players.spelling import words_of
from tournaments.checks.inspection import Inspection
from tournaments.checks.registration import name_words
from tournaments.models import Tournament
from tournaments.report_people import YEARS_APART, ArbiterId, person_of
from tournaments.trf import Finding, PlayerRecord, Report
from tournaments.trf.checks.players import joinable_finding
from tournaments.trf.findings import found
from tournaments.trf.players import are_of_one_person
from tournaments.trf.report import field_place, with_field
from tournaments.trf.tables import COLUMNS

SEX_LETTERS = {"M": "m", "F": "w"}
# From so many years on it may be the birth of a parent or a child (D-118).
A_GENERATION = 15
# Of so many letters of a name one may be lost.
LETTERS_A_LOST_ONE = 3


def check_people(inspection: Inspection) -> Iterator[Finding]:
    """Yield in what the lines differ from the portal's players, and who is not known there."""
    report, people = inspection.report, inspection.shown
    used = {record.fide_id for record in report.players if record.number in people.players}
    # The day of each player's last game is worked out for the few reports that need it.
    has_died = any(_day_of_death(player) for player in people.players.values())
    last_days = _last_days(report, inspection.tournament) if has_died else {}
    if not people.players:
        yield found("participants-unknown")
    # Who is on a second line with one number is asked when it has a number of its own.
    numbers = report.by_number
    strangers = _of_other_names(numbers, people.players)
    joinable, wrong = _find_twice(numbers, people.players, strangers)
    wrong |= _find_exchanged(report, numbers, people.players, strangers - wrong.keys())
    for record in numbers.values():
        player = people.players.get(record.number)
        if player is None:
            yield _unmatched_finding(record, used)
            if record.number in people.wrong_numbers:
                yield found(
                    "national-number",
                    field_place(record, "fide_id"),
                    number=record.number,
                    name=record.name,
                    national=people.wrong_numbers[record.number],
                    federation=inspection.tournament.federation_id,
                )
            continue
        other = wrong.get(record.number)
        others = (
            [other] if other else _find_other_person(record, player, is_other_name=record.number in strangers)
        )
        yield from _against_player(report, record, player, last_days.get(record.number), others)
        if record.number in joinable:
            yield joinable[record.number]
    for arbiter in people.arbiters:
        yield from _against_arbiter(arbiter, people.known.get(arbiter.fide_id))


def _of_other_names(numbers: Mapping[int, PlayerRecord], players: Mapping[int, Player]) -> set[int]:
    """Return the lines with a name that is neither the present nor a former one of the player.

    A name that cannot be compared, such as `?`, says nothing for anybody: whose line it is has to be answered.
    """
    found = {
        number: player
        for number, record in numbers.items()
        # Most names are spelled as in the portal: only the others need the costly comparison.
        if (player := players.get(number)) is not None
        and record.name != player.name
        and not _is_same_name(record.name, player.name)
    }
    if not found:
        return set()
    former = defaultdict[int, list[str]](list)
    rows = FormerName.objects.filter(player__in={player.fide_id for player in found.values()})
    for fide_id, name in rows.values_list("player", "name"):
        former[fide_id].append(name)
    return {
        number
        for number, player in found.items()
        if not any(_is_same_name(numbers[number].name, name) for name in former[player.fide_id])
    }


def _find_twice(
    numbers: Mapping[int, PlayerRecord], players: Mapping[int, Player], strangers: Collection[int]
) -> tuple[dict[int, Finding], dict[int, Finding]]:
    """Return the second lines of a person that can be joined to the first, and those that cannot, by number.

    Where only one of two lines has the name of the person, the other one is wrong, whichever comes first.
    """
    joinable, wrong = dict[int, Finding](), dict[int, Finding]()
    # By person, as two lines may have the former and the present ID of one.
    owners: dict[int, PlayerRecord] = {}
    for number in sorted(numbers.keys() & players.keys(), key=lambda number: (number in strangers, number)):
        record, player = numbers[number], players[number]
        owner = owners.setdefault(person_of(player), record)
        if owner is record:
            continue
        if not are_of_one_person(owner, record):
            place = field_place(record, "fide_id")
            wrong[number] = found("player-twice", place, **_names(record, player), other_line=owner.line)
        # Of two lines with one ID the report's own check says it.
        elif owner.fide_id != record.fide_id:
            joinable[number] = joinable_finding(owner, record)
    return joinable, wrong


def _find_exchanged(
    report: Report,
    numbers: Mapping[int, PlayerRecord],
    players: Mapping[int, Player],
    strangers: Collection[int],
) -> dict[int, Finding]:
    """Return the lines that have each other's FIDE ID by number, each with the line as it should be."""
    named = {frozenset(words_of(numbers[number].name)): number for number in strangers}
    exchanged = dict[int, Finding]()
    for number in strangers:
        other = named.get(frozenset(words_of(players[number].name)), number)
        if number >= other or named.get(frozenset(words_of(players[other].name))) != number:
            continue
        both = [(numbers[one], players[one]) for one in (number, other)]
        of_names = [*zip(both, reversed(both), strict=True)]
        fixes = [
            with_field(report, record, "fide_id", str(right.fide_id))
            for (record, _player), (right, owner) in of_names
            if right.fide_id and len({record.birth_year, owner.birth_year} - {None}) < 2
        ]
        if len(fixes) == len(both) and all(fixes):
            for ((record, player), (right, _owner)), fix in zip(of_names, fixes, strict=True):
                place = field_place(record, "fide_id")
                finding = found("ids-exchanged", place, **_names(record, player), other_line=right.line)
                exchanged[record.number] = finding.with_fix(fix)
    return exchanged


def _names(record: PlayerRecord, player: Player) -> dict[str, str | int]:
    return {"fide_id": player.fide_id, "reported": record.name or "?", "registered": player.name}


def _is_same_name(reported: str, known: str) -> bool:
    if not can_be_compared(reported):
        return False
    # Programs write a question mark for a letter that the file cannot have: `?abokr?evi?` is Žabokrčević. Of nothing
    # but question marks everybody would be meant.
    is_readable = 0 < reported.count("?") <= len(reported) // LETTERS_A_LOST_ONE
    has_lost_letters = is_readable and re.fullmatch(re.escape(reported).replace(r"\?", r"\w"), known)
    return bool(has_lost_letters) or compare_names(reported, known) == Likeness.SAME


def _last_days(report: Report, tournament: Tournament) -> dict[int, date]:
    """Return the day of each player's last game over the board; of a round without a date the event's first day."""
    dates = dict(enumerate(report.round_dates, 1))
    days: dict[int, date] = {}
    for game in report.games:
        if game.played:
            day = dates.get(game.round) or tournament.start
            for number in (game.white, game.black):
                # Rounds need not be dated in their order.
                days[number] = max(day, days.get(number, day))
    return days


def _unmatched_finding(record: PlayerRecord, used: set[int | None]) -> Finding:
    place = field_place(record, "fide_id")
    who: dict[str, str | int] = {"number": record.number, "name": record.name}
    if record.fide_id is None:
        return found("id-missing", place, **who)
    code = "id-of-used-line" if record.fide_id in used else "id-unknown"
    return found(code, place, **who, fide_id=record.fide_id)


def _against_player(
    report: Report, record: PlayerRecord, player: Player, last_day: date | None, others: Iterable[Finding]
) -> Iterator[Finding]:
    # A line without an ID is of who has its national number.
    if record.fide_id and record.fide_id != person_of(player):
        ids = {"fide_id": record.fide_id, "successor": person_of(player)}
        finding = found("id-merged", field_place(record, "fide_id"), name=player.name, **ids)
        # Where the list in force still had the reported ID, its rating counts: the line is right as it is.
        fix = with_field(report, record, "fide_id", str(player.fide_id))
        yield finding if record.fide_id == player.fide_id else finding.with_fix(fix)
    died_on = _day_of_death(player)
    if died_on is not None and last_day is not None and last_day > died_on:
        died = {"name": player.name, "died_on": died_on.isoformat()}
        yield found("player-deceased", field_place(record, "name"), **died)
    yield from others
    yield from _differences(report, record, player)


def _day_of_death(player: Player) -> date | None:
    """Return when the person died, also for a merged ID: the record that stays says so."""
    person = player.merged_into if player.merged_into_id else player
    return person.died_on if person else None


def _find_other_person(record: PlayerRecord, player: Player, *, is_other_name: bool) -> list[Finding]:
    """Return whether a line is of another person than its ID: by the name, by the year of birth, or by both (D-118)."""
    years = {"reported_year": record.birth_year or 0, "registered_year": player.birth_year or 0}
    # A missing year says nothing; many records have none.
    gap = abs(years["reported_year"] - years["registered_year"]) if all(years.values()) else 0
    if not is_other_name and not gap:
        return []
    names = _names(record, player)
    place = field_place(record, "name")
    if is_other_name and gap >= YEARS_APART:
        return [found("id-name-and-year", place, **names, **years)]
    # Of brother and sister, name and year may be nearly the same.
    if is_other_name or (gap and record.sex and player.sex and record.sex != player.sex):
        return [found("id-of-another", place, **names)]
    if gap >= A_GENERATION:
        return [found("id-of-namesake", place, **names, **years)]
    who: dict[str, str | int] = {"reported": years["reported_year"], "registered": years["registered_year"]}
    who |= {"name": player.name}
    if gap >= YEARS_APART:
        return [found("birth-year-apart", field_place(record, "birth"), fide_id=player.fide_id, **who)]
    return [found("birth-year", field_place(record, "birth"), **who)]


def _differences(report: Report, record: PlayerRecord, player: Player) -> Iterator[Finding]:
    """Yield what else differs."""
    if record.federation and record.federation != player.federation_id:
        codes = {"reported": record.federation, "registered": player.federation_id}
        finding = found("player-federation", field_place(record, "federation"), name=player.name, **codes)
        yield finding.with_fix(with_field(report, record, "federation", player.federation_id))
    is_given = record.sex or (not record.is_moved and COLUMNS["sex"].text(report.lines[record.line - 1]))
    if is_given and player.sex and record.sex != player.sex:
        fix = with_field(report, record, "sex", SEX_LETTERS[player.sex])
        yield found("sex", field_place(record, "sex"), name=player.name).with_fix(fix)


def _against_arbiter(arbiter: ArbiterId, player: Player | None) -> Iterator[Finding]:
    record: dict[str, str | int] = {"fide_id": arbiter.fide_id, "tag": arbiter.tag}
    if player is None:
        yield found("arbiter-unknown", arbiter.place, **record)
        return
    # One word suffices: records 102 and 112 are free text with titles, addresses and shortened names.
    if not have_a_word_in_common(" ".join(name_words(arbiter.text)), player.name):
        names = {"reported": arbiter.text, "registered": player.name}
        yield found("arbiter-id-of-another", arbiter.place, **record, **names)
