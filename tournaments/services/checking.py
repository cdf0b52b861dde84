"""Checking an uploaded report: what its text says, and what only the portal knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from players.models import Player
from players.queries.federations import Minors
from tournaments.models import Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.checks.event import check_other_events, check_registration
from tournaments.services.checks.games import check_games
from tournaments.services.checks.people import People, check_people, people_of
from tournaments.signals import report_checked
from tournaments.trf import Finding, Report, Severity, check_report
from tournaments.trf.findings import in_order

# What the report's text alone shows, and the finding of the portal that says it with more knowledge.
SAID_BETTER = {
    "rounds-a-day": "rounds-a-day-3.1",
    "time-control-unequal": "unequal-times-1.2",
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


def check_contents(
    report: Report, tournament: Tournament, *, on: date, lookups: Lookups, pgn: bytes | None = None
) -> CheckedReport:
    """Check a report that was read, in itself and against all that the portal knows, on a day.

    `pgn` are the games of a hybrid tournament (FIDE R&B 2024, 8.4).
    """
    if not report.players:
        return CheckedReport(report, check_report(report), {})
    people = people_of(report, lookups.players)
    own = _own_findings(report, tournament, people, on=on, lookups=lookups, pgn=pgn)
    own += check_other_events(report, tournament, people.players, lookups)
    return _checked(report, people, own)


def check_for_arbiter(
    report: Report, tournament: Tournament, *, on: date, lookups: Lookups, pgn: bytes | None = None
) -> CheckedReport:
    """Check a report for the tournament's chief arbiter: all but what the portal knows of other tournaments.

    Reports that no list has published yet are no arbiter's; whoever takes the report over sees what speaks of them.
    """
    if not report.players:
        return CheckedReport(report, check_report(report), {})
    people = people_of(report, lookups.players)
    own = _own_findings(report, tournament, people, on=on, lookups=lookups, pgn=pgn)
    return _checked(report, people, own)


def check_in_public(
    report: Report, tournament: Tournament, *, minors: Minors, lookups: Lookups
) -> CheckedReport:
    """Check a report for somebody unknown, in itself and against what everybody may see of its players.

    What the portal knows of other tournaments and registrations is not for everybody, nor the year of birth of one
    of the minors: no finding tells it, nor whether a guess is right.
    """
    if not report.players:
        return CheckedReport(report, check_report(report), {})
    people = people_of(report, lookups.players)
    shown = {number: _without_year(player, minors) for number, player in people.players.items()}
    return _checked(report, people, list(check_people(report, replace(people, players=shown), tournament)))


def _without_year(player: Player, minors: Minors) -> Player:
    """Return the player as everybody may see one, never to be saved."""
    if not minors.hides(player.birth_year, player.federation_id):
        return player
    shown = copy(player)
    shown.birth_year = None
    return shown


def _own_findings(
    report: Report, tournament: Tournament, people: People, *, on: date, lookups: Lookups, pgn: bytes | None
) -> list[Finding]:
    """Return what the portal finds with the registration, the people, the apps above and the games."""
    found = [
        *check_registration(report, tournament, on=on),
        *check_people(report, people, tournament),
    ]
    answers: list[tuple[Any, Any]] = report_checked.send(
        Report, report=report, tournament=tournament, players=people.players, lookups=lookups
    )
    for _receiver, findings in answers:
        found += findings
    if tournament.is_hybrid and pgn:
        found += check_games(report, pgn)
    return found


def _checked(report: Report, people: People, own: Sequence[Finding]) -> CheckedReport:
    findings = in_order([*_not_said_better(check_report(report), own), *own])
    return CheckedReport(report, findings, people.players)


def _not_said_better(findings: Iterable[Finding], own: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings of the text without those that the portal repeats, at the same line, with more knowledge."""
    said = {(item.code, item.line) for item in own}
    for item in findings:
        if (SAID_BETTER.get(item.code), item.line) not in said:
            yield item
