"""Reasons why a report cannot be submitted or accepted (FIDE R&B 2024, 0.2, 8.1, 8.4, 9.1)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError
from players.queries.federations import Federations
from tournaments.choices import Registration, ReportState, Stage
from tournaments.list_calendar import is_submitted_too_late, last_day_to_report
from tournaments.models import Report, Tournament
from tournaments.services.checking import CheckedReport


def report_refusals(tournament: Tournament, *, on: date, federations: Federations) -> Iterator[Refusal]:
    """Yield why no report of a tournament can be taken on a day, whatever it says."""
    state = Registration(tournament.registration)
    if state == Registration.WAITING:
        message = _(
            "The registration waits for the QC; the report can be submitted once it is approved (0.2)."
        )
        yield Refusal("waiting-for-qc-0.2", message)
    elif not tournament.is_open:
        message = _("The registration is “%(state)s”: no report of this tournament is taken.")
        yield Refusal(f"registration-{state}", message % {"state": state.label})
    if tournament.stage == Stage.PUBLISHED:
        message = _("The tournament is on a published list; staff can correct it (D-11).")
        yield Refusal("published-D-11", message)
    if is_submitted_too_late(tournament.end, on, tournament.upheld_on):
        message = _(
            "The third list after the last day, %(third)s, is published: it is never rated (8.1, D-18)."
        )
        third = last_day_to_report(tournament.end, tournament.upheld_on).isoformat()
        yield Refusal("third-list-8.1", message % {"third": third})
    is_federations = not tournament.is_official and not tournament.decided_by
    if is_federations and not federations.may_register(tournament.federation, on):
        message = _("%(name)s is no member of FIDE or is excluded: it reports no tournaments (9.1, D-15).")
        yield Refusal("federation-excluded-9.1", message % {"name": tournament.federation.name})


def version_refusals(report: Report) -> Iterator[Refusal]:
    """Yield why this version cannot be accepted: a newer one has replaced it."""
    if report.state != ReportState.CHECKED:
        message = _("Another version has taken the place of this one. Upload the file again to let it stand.")
        yield Refusal("replaced", message)


def refuse_findings(
    tournament: Tournament, report: Report, checked: CheckedReport, acknowledgement: str
) -> None:
    """Raise `RefusedError` where errors, a missing PGN or unacknowledged warnings bar acceptance (8.4)."""
    refusals = [*findings_refusals(tournament, report, checked, acknowledgement)]
    if refusals:
        raise RefusedError(refusals)


def findings_refusals(
    tournament: Tournament, report: Report, checked: CheckedReport, acknowledgement: str
) -> Iterator[Refusal]:
    """Yield what the check results of a version refuse: each error, the missing PGN, the missing sentence (8.4)."""
    for finding in checked.errors:
        yield Refusal(finding.code, finding.message)
    if tournament.is_hybrid and not report.pgn:
        message = _("The PGN of the games is missing; a hybrid tournament's report comes with it (8.4).")
        yield Refusal("hybrid-pgn-8.4", message, "pgn")
    if checked.warnings and not acknowledgement.strip():
        message = _("Acknowledge the warnings with a sentence; it is kept with the report.")
        yield Refusal("acknowledgement-missing", message, "acknowledgement")
