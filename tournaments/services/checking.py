"""Checking an uploaded report: what its text says, and what only the portal knows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from players.models import Player
from players.text import words_of
from tournaments import regulations
from tournaments.messages import PORTAL_MESSAGES
from tournaments.models import Tournament
from tournaments.trf import (
    Finding,
    PlayerRecord,
    Report,
    Severity,
    check_report,
    read_report,
    rounds_per_day,
)

HIGHEST_ID = 2_147_483_647


@dataclass(frozen=True, slots=True)
class CheckedReport:
    """A report as it was read, what was found, and who its players are in the portal by starting rank."""

    report: Report
    findings: tuple[Finding, ...]
    players: Mapping[int, Player]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(item for item in self.findings if item.severity == Severity.ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(item for item in self.findings if item.severity == Severity.WARNING)

    def findings_as_json(self) -> list[dict[str, Any]]:
        """Return the findings as plain values, as they are stored."""
        return [{**asdict(item), "severity": str(item.severity)} for item in self.findings]


def check_upload(content: bytes, tournament: Tournament, *, on: date) -> CheckedReport:
    """Read a report and check it in itself and against the registration and the players, on a day."""
    report = read_report(content)
    findings = list(check_report(report))
    players: dict[int, Player] = {}
    if report.players:
        players = matched_players(report)
        findings += [*_against_registration(report, tournament, on), *_against_players(report, players)]
    findings.sort(key=lambda item: (item.line or 0, item.column or 0, item.code))
    return CheckedReport(report, tuple(findings), players)


def matched_players(report: Report) -> dict[int, Player]:
    """Return the players whose FIDE ID the report names, by starting rank; a merged id leads to its successor."""
    ids = {record.fide_id for record in report.players if record.fide_id and record.fide_id <= HIGHEST_ID}
    known: dict[int, Player] = {}
    ordered = sorted(ids)
    for first in range(0, len(ordered), 500):
        batch = Player.objects.select_related("merged_into").in_bulk(ordered[first : first + 500])
        known |= {fide_id: player.merged_into or player for fide_id, player in batch.items()}
    matched = {record.number: known[record.fide_id] for record in report.players if record.fide_id in known}
    return _one_line_each(report, matched)


def _one_line_each(report: Report, matched: dict[int, Player]) -> dict[int, Player]:
    """Leave out a second line of the same person that has no played game: it is an entry that was not used."""
    playing = {number for game in report.games() if game.played for number in (game.white, game.black)}
    lines: dict[int, list[int]] = {}
    for number, player in matched.items():
        lines.setdefault(player.fide_id, []).append(number)
    unused = {
        number
        for numbers in lines.values()
        if len(numbers) > 1
        for number in numbers
        if number not in playing and number != next((n for n in numbers if n in playing), numbers[0])
    }
    return {number: player for number, player in matched.items() if number not in unused}


def portal_finding(
    code: str,
    severity: Severity,
    *,
    line: int | None = None,
    column: int | None = None,
    length: int = 0,
    **params: Any,
) -> Finding:
    """Return a finding of the portal's own, its message made from the template of the code."""
    return Finding(
        code=code,
        severity=severity,
        line=line,
        column=column,
        length=length,
        message=PORTAL_MESSAGES[code].format(**params),
        fix=None,
        params=params,
    )


def _against_registration(report: Report, tournament: Tournament, on: date) -> Iterator[Finding]:
    yield from _days(report, tournament, on)
    if report.federation and report.federation != tournament.federation_id:
        codes: dict[str, Any] = {"reported": report.federation, "registered": tournament.federation_id}
        yield portal_finding("event-federation", Severity.WARNING, **codes)
    if report.name and words_of(report.name) != words_of(tournament.name):
        names: dict[str, Any] = {"reported": report.name, "registered": tournament.name}
        yield portal_finding("event-name", Severity.WARNING, **names)
    limit = regulations.ROUNDS_A_DAY[tournament.kind]
    yield from _rounds_a_day(report, tournament, limit)


def _days(report: Report, tournament: Tournament, on: date) -> Iterator[Finding]:
    if report.start is None or report.end is None:
        yield portal_finding("event-days-missing", Severity.WARNING)
    elif (report.start, report.end) != (tournament.start, tournament.end):
        days: dict[str, Any] = {
            "reported": f"{report.start} – {report.end}",
            "registered": f"{tournament.start} – {tournament.end}",
        }
        yield portal_finding("event-days", Severity.ERROR, **days)
    if on < tournament.end:
        yield portal_finding("event-not-over", Severity.ERROR, end=tournament.end.isoformat())


def _rounds_a_day(report: Report, tournament: Tournament, limit: int) -> Iterator[Finding]:
    """More rounds a day than 3.1 allows are an error (D-16), day by day or, without dates, on the whole."""
    for day, rounds in sorted(rounds_per_day(report).items()):
        if rounds > limit:
            yield portal_finding(
                "rounds-a-day-3.1", Severity.ERROR, rounds=rounds, day=day.isoformat(), limit=limit
            )
    days = (tournament.end - tournament.start).days + 1
    if report.rounds > limit * days:
        yield portal_finding(
            "rounds-in-all-3.1", Severity.ERROR, rounds=report.rounds, days=days, limit=limit
        )


def _against_players(report: Report, players: Mapping[int, Player]) -> Iterator[Finding]:
    seen: dict[int, int] = {}
    used = {record.fide_id or 0 for record in report.players if record.number in players}
    for record in report.players:
        player = players.get(record.number)
        if player is None:
            yield _unmatched(record, used)
            continue
        yield from _against_player(record, player)
        if player.fide_id in seen:
            numbers: dict[str, Any] = {"first": seen[player.fide_id], "second": record.number}
            yield portal_finding(
                "player-twice",
                Severity.ERROR,
                line=record.line,
                column=58,
                length=11,
                fide_id=player.fide_id,
                **numbers,
            )
        seen.setdefault(player.fide_id, record.number)


def _unmatched(record: PlayerRecord, used: Collection[int]) -> Finding:
    place: dict[str, Any] = {"line": record.line, "column": 58, "length": 11}
    who: dict[str, Any] = {"number": record.number, "name": record.name}
    if record.fide_id is None:
        return portal_finding("id-missing", Severity.WARNING, **place, **who)
    if record.fide_id in used:
        return portal_finding("id-of-used-line", Severity.WARNING, **place, **who, fide_id=record.fide_id)
    return portal_finding("id-unknown", Severity.WARNING, **place, **who, fide_id=record.fide_id)


def _against_player(record: PlayerRecord, player: Player) -> Iterator[Finding]:
    reported, registered = set(words_of(record.name)), set(words_of(player.name))
    if reported and registered and not reported & registered:
        names: dict[str, Any] = {
            "reported": record.name,
            "registered": player.name,
            "fide_id": player.fide_id,
        }
        yield portal_finding(
            "id-of-another", Severity.WARNING, line=record.line, column=15, length=33, **names
        )
    if player.died_on is not None:
        died: dict[str, Any] = {"name": player.name, "died_on": player.died_on.isoformat()}
        yield portal_finding(
            "player-deceased", Severity.WARNING, line=record.line, column=15, length=33, **died
        )
    if record.birth_year and player.birth_year and record.birth_year != player.birth_year:
        years: dict[str, Any] = {
            "name": player.name,
            "reported": record.birth_year,
            "registered": player.birth_year,
        }
        yield portal_finding("birth-year", Severity.NOTICE, line=record.line, column=70, length=10, **years)
    if record.federation and record.federation != player.federation_id:
        codes: dict[str, Any] = {
            "name": player.name,
            "reported": record.federation,
            "registered": player.federation_id,
        }
        yield portal_finding(
            "player-federation", Severity.NOTICE, line=record.line, column=54, length=3, **codes
        )
    if record.sex and player.sex and record.sex != player.sex:
        yield portal_finding("sex", Severity.NOTICE, line=record.line, column=10, length=1, name=player.name)
