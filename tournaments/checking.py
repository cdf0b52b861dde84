"""The check of an uploaded report: in itself, and against all that the portal knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from players.minors import NOBODY, Minors
from players.models import Player
from tournaments.checks.inspection import Audience, Inspection, findings_of
from tournaments.lookups import Lookups
from tournaments.models import Tournament
from tournaments.report_people import ReportPeople, people_of
from tournaments.trf import Finding, Report, Severity, check_report
from tournaments.trf.checks.days import day_findings, with_right_days
from tournaments.trf.checks.numbers import with_right_numbers
from tournaments.trf.findings import CODES, OF_ANOTHER_PERSON, SHIFTED, in_order
from tournaments.trf.report import read_by_registration
from tournaments.trf.tables import COLUMNS

NAME = COLUMNS["name"]
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
    report: Report,
    tournament: Tournament,
    *,
    on: date,
    lookups: Lookups,
    pgn: bytes | None = None,
    is_arbiters: bool = False,
) -> CheckedReport:
    """Check a report that was read, in itself and against all that the portal knows, on a day.

    `pgn` are the games of a hybrid tournament (FIDE R&B 2024, 8.4). Other tournaments are left out where the report is
    the arbiter's: what no list has published yet is not for them; whoever takes the report over sees it. Of minors of
    another federation that hides their years of birth, no finding tells the year (age-bands.md).
    """
    if not report.players:
        return CheckedReport(report, check_report(report), {})
    # Ambiguous days are read as they are registered (D-121).
    report = read_by_registration(report, tournament.start, tournament.end)
    dated = with_right_days(report, tournament.start, tournament.end)
    righted = with_right_numbers(dated)
    people = people_of(righted, lookups.players, tournament)
    minors = _minors_elsewhere(people, tournament, on=on, lookups=lookups)
    audience = Audience.ARBITER if is_arbiters else Audience.FEDERATION
    inspection = Inspection(righted, tournament, people, lookups, on, minors, pgn, audience)
    return replace(_check(dated, inspection, day_findings(report, dated)), report=report)


def check_in_public(
    report: Report, tournament: Tournament, *, minors: Minors, lookups: Lookups
) -> CheckedReport:
    """Check a report for somebody unknown, in itself and against what everybody may see of its players.

    What the portal knows of other tournaments and registrations is not for everybody, nor the year of birth of one
    of the minors: no finding tells it, nor whether a guess is right.
    """
    if not report.players:
        return CheckedReport(report, check_report(report), {})
    righted = with_right_numbers(report)
    people = people_of(righted, lookups.players, tournament, is_public=True)
    inspection = Inspection(righted, tournament, people, lookups, minors=minors, audience=Audience.EVERYBODY)
    return _check(report, inspection)


def _minors_elsewhere(people: ReportPeople, tournament: Tournament, *, on: date, lookups: Lookups) -> Minors:
    """Return whose years of birth the federation of a tournament does not see; no query without a minor of others."""
    own, oldest = tournament.federation_id, Minors(year=on.year).first_year
    # The query for the federations that hide years is spared where no minor of another one plays.
    others = (player for player in people.players.values() if player.federation_id != own)
    if not any(player.birth_year and player.birth_year >= oldest for player in others):
        return NOBODY
    return lookups.federations.minors_on(on).without(own)


def _check(report: Report, inspection: Inspection, known: Iterable[Finding] = ()) -> CheckedReport:
    """Return a report with its findings and those `known`; the inspection has it with the right starting numbers."""
    own = [*known, *findings_of(inspection)]
    # What differs from somebody else would only repeat that the FIDE ID is wrong.
    doubted = {item.line for item in own if item.code in OF_ANOTHER_PERSON}
    own = [item for item in own if item.line not in doubted or not CODES[item.code].is_of_owner]
    of_text = [_without_blanks_in_name(item, inspection) for item in check_report(report)]
    findings = in_order([*_not_said_better(of_text, own), *own])
    return CheckedReport(report, findings, inspection.people.players)


def _not_said_better(findings: Iterable[Finding], own: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings of the text without those that the portal repeats, at the same lines, with more knowledge."""
    known = {(item.code, line) for item in own for line in (item.line, item.params.get("other_line"))}
    for item in findings:
        if (CODES[item.code].said_better, item.line) not in known:
            yield item


def _without_blanks_in_name(item: Finding, inspection: Inspection) -> Finding:
    """Return the finding of a shifted line whose name has blanks too many, of a player by FIDE ID, without them."""
    if item.code != SHIFTED or not item.fix:
        return item
    numbers = (record.number for record in inspection.report.players if record.line == item.line)
    player, name = inspection.people.players.get(next(numbers, 0)), NAME.text(item.fix)
    registered = player.name if player else ""
    if len(registered) >= len(name) or registered.replace(" ", "") != name.replace(" ", ""):
        return item
    return replace(
        item, fix=item.fix[: NAME.first - 1] + registered.ljust(NAME.width) + item.fix[NAME.last :]
    )
