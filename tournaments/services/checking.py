"""Checking an uploaded report: what its text says, what only the portal knows, and why it cannot be taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal
from players.models import Player
from players.queries.federations import Federations
from players.queries.minors import NOBODY, Minors
from tournaments.choices import Registration, ReportState, Stage
from tournaments.hooks import existing_lists
from tournaments.lists import last_day_to_report
from tournaments.models import Report as StoredReport
from tournaments.models import Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.checks.inspection import Audience, Inspection, findings_of
from tournaments.services.marks import kept_marks, marks_refusals
from tournaments.services.report_people import ReportPeople, people_of
from tournaments.trf import Finding, Report, Severity, check_report
from tournaments.trf.findings import in_order
from tournaments.trf.report import read_by_registration

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
    people = people_of(report, lookups.players, tournament)
    minors = _minors_elsewhere(people, tournament, on=on, lookups=lookups)
    audience = Audience.ARBITER if is_arbiters else Audience.FEDERATION
    return _check(Inspection(report, tournament, people, lookups, on, minors, pgn, audience))


def check_in_public(
    report: Report, tournament: Tournament, *, minors: Minors, lookups: Lookups
) -> CheckedReport:
    """Check a report for somebody unknown, in itself and against what everybody may see of its players.

    What the portal knows of other tournaments and registrations is not for everybody, nor the year of birth of one
    of the minors: no finding tells it, nor whether a guess is right.
    """
    if not report.players:
        return CheckedReport(report, check_report(report), {})
    people = people_of(report, lookups.players, tournament)
    return _check(Inspection(report, tournament, people, lookups, minors=minors, audience=Audience.EVERYBODY))


def _minors_elsewhere(people: ReportPeople, tournament: Tournament, *, on: date, lookups: Lookups) -> Minors:
    """Return whose years of birth the federation of a tournament does not see; no query without a minor of others."""
    own, oldest = tournament.federation_id, Minors(year=on.year).first_year
    others = (player for player in people.players.values() if player.federation_id != own)
    if not any(player.birth_year and player.birth_year >= oldest for player in others):
        return NOBODY
    return lookups.federations.minors_on(on).without(own)


def _check(inspection: Inspection) -> CheckedReport:
    report, own = inspection.report, [*findings_of(inspection)]
    findings = in_order([*_not_said_better(check_report(report), own), *own])
    return CheckedReport(report, findings, inspection.people.players)


def _not_said_better(findings: Iterable[Finding], own: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings of the text without those that the portal repeats, at the same line, with more knowledge."""
    known = {(item.code, item.line) for item in own}
    for item in findings:
        if (SAID_BETTER.get(item.code), item.line) not in known:
            yield item


# FIDE R&B 2024, 0.2, 8.1, 8.4 and 9.1.
def report_refusals(tournament: Tournament, *, on: date, federations: Federations) -> Iterator[Refusal]:
    """Yield why no report of a tournament can be taken on a day, whatever it says."""
    state = Registration(tournament.registration)
    if state == Registration.WAITING:
        message = _("You can submit the report after the QC approves the registration (article 0.2).")
        yield Refusal("waiting-for-qc-0.2", message)
    elif not tournament.is_open:
        message = _("Status of the registration: %(state)s. No report is accepted.")
        yield Refusal(f"registration-{state}", message % {"state": state.label})
    if tournament.stage == Stage.PUBLISHED:
        message = _("The tournament is on a published list. FIDE staff can correct it (decision D-11).")
        yield Refusal("published-D-11", message)
    third = last_day_to_report(tournament.end, tournament.upheld_on)
    # Before the third list's date it cannot be published: the lists are not looked up (D-70). What FIDE staff report
    # has no third list (D-111).
    if (
        on >= third
        and not tournament.is_reported_by_staff
        and existing_lists.answer().is_too_late(tournament, on)
    ):
        message = _(
            "The third list after the last day, %(third)s, is published, so the tournament cannot be "
            "rated (article 8.1, decision D-18)."
        )
        yield Refusal("third-list-8.1", message % {"third": date_format(third)})
    if not tournament.is_reported_by_staff and not federations.may_register(tournament.federation, on):
        message = _(
            "%(name)s is not a member of FIDE or is excluded, so it cannot report tournaments "
            "(article 9.1, decision D-15)."
        )
        yield Refusal("federation-excluded-9.1", message % {"name": tournament.federation.shown_name})


def barriers(
    tournament: Tournament, report: StoredReport, trf: Report, *, lookups: Lookups
) -> Iterator[Refusal]:
    """Yield why a version cannot be accepted, besides its findings: for its tournament, its state or its games."""
    for refusal in report_refusals(tournament, on=report.submitted_on, federations=lookups.federations):
        # It was submitted in time: it may be accepted after the third list, too (D-18).
        if refusal.code != "third-list-8.1":
            yield refusal
    if report.state != ReportState.CHECKED:
        message = _("A newer version has replaced this one. To use this file, upload it again.")
        yield Refusal("replaced", message)
    yield from version_barriers(tournament, report, trf, lookups=lookups)


def version_barriers(
    tournament: Tournament, report: StoredReport, trf: Report, *, lookups: Lookups
) -> Iterator[Refusal]:
    """Yield a waiting request (D-80), marked games that a later version no longer has (D-100), a missing PGN (8.4)."""
    if tournament.has_request:
        message = _(
            "A request of the rating officer is waiting for the QC. You can accept the report after "
            "the QC decides (decision D-80)."
        )
        yield Refusal("request-open-D-80", message)
    if report.version > 1 and (marks := kept_marks(tournament)):
        yield from marks_refusals(trf, people_of(trf, lookups.players, tournament).players, marks)
    if tournament.is_hybrid and not report.pgn_sha256:
        message = _(
            "The PGN of the games is missing. Reports of hybrid tournaments must include it (article 8.4)."
        )
        yield Refusal("hybrid-pgn-8.4", message, "pgn")


def findings_refusals(checked: CheckedReport, acknowledgement: str) -> Iterator[Refusal]:
    """Yield what the check results of a version refuse: each error, and the missing sentence on its warnings (8.4)."""
    for finding in checked.errors:
        yield Refusal(finding.code, finding.message)
    if checked.warnings and not acknowledgement.strip():
        message = _("Enter a reason for acknowledging the warnings. It is saved with the report.")
        yield Refusal("acknowledgement-missing", message, "acknowledgement")
