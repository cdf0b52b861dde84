"""The people of a report: who they are in the portal, and in what the report differs from what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from players.models import Player
from players.spelling import words_of
from tournaments.messages import portal_finding
from tournaments.models import Tournament
from tournaments.services.checks.event import name_words
from tournaments.services.checks.inspection import Inspection
from tournaments.services.report_people import ArbiterId
from tournaments.trf import Finding, PlayerRecord, Report
from tournaments.trf.report import field_place, with_field

ID_COLUMN, ID_WIDTH = 58, 11
NAME = (15, 33)


def check_people(inspection: Inspection) -> Iterator[Finding]:
    """Yield in what the lines differ from the portal's players, and who is not known there."""
    report, people = inspection.report, inspection.shown
    seen: dict[int, int] = {}
    used = {record.fide_id for record in report.players if record.number in people.players}
    has_died = any(player.died_on for player in people.players.values())
    last_days = _last_days(report, inspection.tournament) if has_died else {}
    if not people.players:
        yield portal_finding("participants-unknown")
    for record in report.players:
        player = people.players.get(record.number)
        if player is None:
            yield _unmatched(record, used)
            continue
        yield from _against_player(report, record, player, last_days.get(record.number))
        if player.fide_id in seen:
            numbers = {"first": seen[player.fide_id], "second": record.number}
            place = field_place(record, ID_COLUMN, ID_WIDTH)
            yield portal_finding("player-twice", place, fide_id=player.fide_id, **numbers)
        seen.setdefault(player.fide_id, record.number)
    for arbiter in people.arbiters:
        yield from _against_arbiter(arbiter, people.known.get(arbiter.fide_id))


def is_another(record: PlayerRecord, player: Player) -> bool:
    """Return whether a line is of another person than its ID: no common word in the name, or sex and year differ."""
    if record.name != player.name:
        reported, registered = set(words_of(record.name)), set(words_of(player.name))
        if reported and registered and not reported & registered:
            return True
    is_other_year = record.birth_year and player.birth_year and record.birth_year != player.birth_year
    return bool(is_other_year and record.sex and player.sex and record.sex != player.sex)


def _last_days(report: Report, tournament: Tournament) -> dict[int, date]:
    """Return the day of each player's last game over the board; of a round without a date the event's first day."""
    dates = dict(enumerate(report.round_dates, 1))
    days: dict[int, date] = {}
    for game in report.games():
        if game.played:
            day = dates.get(game.round) or tournament.start
            for number in (game.white, game.black):
                days[number] = max(day, days.get(number, day))
    return days


def _unmatched(record: PlayerRecord, used: set[int | None]) -> Finding:
    place = field_place(record, ID_COLUMN, ID_WIDTH)
    who: dict[str, str | int] = {"number": record.number, "name": record.name}
    if record.fide_id is None:
        return portal_finding("id-missing", place, **who)
    code = "id-of-used-line" if record.fide_id in used else "id-unknown"
    return portal_finding(code, place, **who, fide_id=record.fide_id)


def _against_player(
    report: Report, record: PlayerRecord, player: Player, last_day: date | None
) -> Iterator[Finding]:
    if record.fide_id != player.fide_id:
        ids = {"fide_id": record.fide_id or 0, "successor": player.fide_id}
        finding = portal_finding(
            "id-merged", field_place(record, ID_COLUMN, ID_WIDTH), name=player.name, **ids
        )
        yield finding.with_fix(with_field(report, record, ID_COLUMN, f"{player.fide_id:>{ID_WIDTH}}"))
    if player.died_on is not None and last_day is not None and last_day > player.died_on:
        died = {"name": player.name, "died_on": player.died_on.isoformat()}
        yield portal_finding("player-deceased", field_place(record, *NAME), **died)
    if is_another(record, player):
        names = {"reported": record.name, "registered": player.name}
        yield portal_finding("id-of-another", field_place(record, *NAME), fide_id=player.fide_id, **names)
        return
    yield from _differences(report, record, player)


def _differences(report: Report, record: PlayerRecord, player: Player) -> Iterator[Finding]:
    """Yield what differs of a person who is the right one."""
    if record.birth_year and player.birth_year and record.birth_year != player.birth_year:
        years = {"reported": record.birth_year, "registered": player.birth_year}
        yield portal_finding("birth-year", field_place(record, 70, 10), name=player.name, **years)
    if record.federation and record.federation != player.federation_id:
        codes = {"reported": record.federation, "registered": player.federation_id}
        finding = portal_finding("player-federation", field_place(record, 54, 3), name=player.name, **codes)
        yield finding.with_fix(with_field(report, record, 54, player.federation_id))
    if record.sex and player.sex and record.sex != player.sex:
        yield portal_finding("sex", field_place(record, 10, 1), name=player.name)


def _against_arbiter(arbiter: ArbiterId, player: Player | None) -> Iterator[Finding]:
    record: dict[str, str | int] = {"fide_id": arbiter.fide_id, "tag": arbiter.tag}
    if player is None:
        yield portal_finding("arbiter-unknown", arbiter.place, **record)
        return
    reported = name_words(arbiter.text)
    if reported and player.name and not reported & name_words(player.name):
        names = {"reported": arbiter.text, "registered": player.name}
        yield portal_finding("arbiter-id-of-another", arbiter.place, **record, **names)
