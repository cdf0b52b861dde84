"""Checking an uploaded report: what its text says, and what only the portal knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from players.models import Player
from players.queries.minors import Minors
from tournaments.models import Tournament
from tournaments.services.checks.events import check_other_events
from tournaments.services.checks.games import check_games
from tournaments.services.checks.people import check_people, people_of
from tournaments.services.checks.registration import check_registration
from tournaments.signals import report_checked
from tournaments.trf import Finding, Report, Severity, check_report, read_report
from tournaments.trf.findings import in_order

# What the report's text alone shows, and the finding of the portal that says it with more knowledge.
SAID_BETTER = {
    "rounds-a-day": "rounds-a-day-3.1",
    "fide-id-duplicate": "player-twice",
    "fide-id-again": "id-of-used-line",
}
FINDING_FIELDS = tuple(item.name for item in fields(Finding))


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
        return [
            {name: getattr(item, name) for name in FINDING_FIELDS} | {"severity": str(item.severity)}
            for item in self.findings
        ]


def check_upload(
    content: bytes, tournament: Tournament, *, on: date, pgn: bytes | None = None
) -> CheckedReport:
    """Read a report and check it in itself and against all that the portal knows, on a day.

    `pgn` are the games of a hybrid tournament (FIDE R&B 2024, 8.4).
    """
    return check_contents(read_report(content), tournament, on=on, pgn=pgn)


def check_contents(
    report: Report, tournament: Tournament, *, on: date, pgn: bytes | None = None
) -> CheckedReport:
    """Check a report that was read, in itself and against all that the portal knows, on a day."""
    findings = check_report(report)
    if not report.players:
        return CheckedReport(report, findings, {})
    people = people_of(report)
    own = [
        *check_registration(report, tournament, on=on),
        *check_people(report, people, tournament),
        *check_other_events(report, tournament, people.players),
        *_of_the_apps_above(report, tournament, people.players),
    ]
    if tournament.is_hybrid and pgn:
        own += check_games(report, pgn)
    return CheckedReport(report, in_order([*_not_said_better(findings, own), *own]), people.players)


def check_for_arbiter(
    report: Report, tournament: Tournament, *, on: date, pgn: bytes | None = None
) -> CheckedReport:
    """Check a report for the tournament's chief arbiter: all but what the portal knows of other tournaments.

    Reports that no list has published yet are no arbiter's; whoever takes the report over sees what speaks of them.
    """
    findings = check_report(report)
    if not report.players:
        return CheckedReport(report, findings, {})
    people = people_of(report)
    own = [
        *check_registration(report, tournament, on=on),
        *check_people(report, people, tournament),
        *_of_the_apps_above(report, tournament, people.players),
    ]
    if tournament.is_hybrid and pgn:
        own += check_games(report, pgn)
    return CheckedReport(report, in_order([*_not_said_better(findings, own), *own]), people.players)


def check_in_public(report: Report, tournament: Tournament, *, minors: Minors) -> CheckedReport:
    """Check a report for somebody unknown, in itself and against what everybody may see of its players.

    What the portal knows of other tournaments and registrations is not for everybody, nor the year of birth of one
    of the minors: no finding tells it, nor whether a guess is right.
    """
    findings = check_report(report)
    if not report.players:
        return CheckedReport(report, findings, {})
    people = people_of(report)
    shown = {number: _without_year(player, minors) for number, player in people.players.items()}
    own = list(check_people(report, replace(people, players=shown), tournament))
    return CheckedReport(report, in_order([*_not_said_better(findings, own), *own]), people.players)


def _without_year(player: Player, minors: Minors) -> Player:
    """Return the player as everybody may see one, never to be saved."""
    if not minors.hides(player.birth_year, player.federation_id):
        return player
    shown = copy(player)
    shown.birth_year = None
    return shown


def _of_the_apps_above(
    report: Report, tournament: Tournament, players: Mapping[int, Player]
) -> Iterator[Finding]:
    answers: list[tuple[Any, Any]] = report_checked.send(
        Report, report=report, tournament=tournament, players=players
    )
    for _, findings in answers:
        yield from findings


def _not_said_better(findings: Iterable[Finding], own: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings of the text without those that the portal repeats, at the same line, with more knowledge."""
    said = {(item.code, item.line) for item in own}
    for item in findings:
        if (SAID_BETTER.get(item.code), item.line) not in said:
            yield item
