"""Why a report cannot be taken or accepted (FIDE R&B 2024, 0.2, 8.1, 8.4 and 9.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal
from core.stated import stated_items
from players.federations import Federations
from tournaments.checking import CheckedReport
from tournaments.choices import Registration, ReportState, Stage
from tournaments.drafts import Items, line_refusals
from tournaments.holds import allowed_games, are_allowed
from tournaments.hooks import existing_lists
from tournaments.list_dates import last_day_to_report
from tournaments.lookups import Lookups
from tournaments.marked_report import finding_refusal
from tournaments.marks import kept_marks, marks_refusals
from tournaments.models import Report as StoredReport
from tournaments.models import Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.progress import late_until
from tournaments.report_people import people_of
from tournaments.requested_changes import waiting_request
from tournaments.trf import Finding, Report
from tournaments.trf.findings import ANSWERED_ALONE, LIFTED_BY_QC, LIFTED_BY_REASON, OF_ANOTHER_NAME


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
        message = _("The tournament is on a published list. FIDE staff can correct it.")
        yield Refusal("published-D-11", message)
    yield from _too_late(tournament, on)
    if not tournament.is_reported_by_staff and not federations.may_register(tournament.federation, on):
        message = _(
            "%(name)s is not a member of FIDE or is excluded, so it cannot report tournaments (article 9.1)."
        )
        yield Refusal("federation-excluded-9.1", message % {"name": tournament.federation.shown_name})


def _too_late(tournament: Tournament, on: date) -> Iterator[Refusal]:
    """Yield that the third list after the last day is published (8.1)."""
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
            "rated (article 8.1)."
        )
        yield Refusal("third-list-8.1", message % {"third": date_format(third)})


def barriers(
    tournament: Tournament, report: StoredReport, trf: Report, *, on: date, lookups: Lookups
) -> Iterator[Refusal]:
    """Yield why a version cannot be accepted on a day, besides its findings: for its tournament, state or games."""
    # By the day of submission: a federation that was excluded since had reported in time.
    for refusal in report_refusals(tournament, on=report.submitted_on, federations=lookups.federations):
        if refusal.code != "third-list-8.1":
            yield refusal
    # By the day of acceptance: the officer's own delay does not choose the list (D-128).
    if late := [*_too_late(tournament, on)]:
        until = late_until(
            tournament, report, tournament.log_entries.order_by("at", "pk"), existing_lists.answer()
        )
        if until is None or on > until:
            yield from late
    newer = StoredReport.objects.filter(tournament=tournament, version__gt=report.version)
    if report.state != ReportState.CHECKED or newer.exists():
        message = _("A newer version has replaced this one. To use this file, upload it again.")
        yield Refusal("replaced", message)
    yield from version_barriers(tournament, report, trf, lookups=lookups)


def version_barriers(
    tournament: Tournament, report: StoredReport, trf: Report, *, lookups: Lookups
) -> Iterator[Refusal]:
    """Yield a waiting request (D-80), marked games that a later version no longer has (D-100), a missing PGN (8.4)."""
    if waiting_request(tournament):
        message = _(
            "A request of the rating officer is waiting for the QC. You can accept the report after "
            "the QC decides."
        )
        yield Refusal("request-open-D-80", message)
    # Only an earlier version that was accepted can have marks.
    if report.version > 1 and (marks := kept_marks(tournament)):
        yield from marks_refusals(trf, people_of(trf, lookups.players, tournament).players, marks)
    if tournament.is_hybrid and not report.pgn_sha256:
        message = _(
            "The PGN of the games is missing. Reports of hybrid tournaments must include it (article 8.4)."
        )
        yield Refusal("hybrid-pgn-8.4", message, "pgn")


def standing_errors(checked: CheckedReport, tournament: Tournament) -> list[Finding]:
    """Return the errors of a version without those that the QC has allowed (D-129)."""
    errors = [*checked.errors]
    if not any(item.code in LIFTED_BY_QC for item in errors):
        return errors
    allowed = allowed_games(tournament)
    return [
        item
        for item in errors
        if item.code not in LIFTED_BY_QC or not are_allowed(item.code, item.params, allowed)
    ]


def findings_refusals(
    checked: CheckedReport, acknowledgement: str, tournament: Tournament
) -> Iterator[Refusal]:
    """Yield what the check results of a version refuse: each error, and the missing sentence on its warnings (8.4).

    Some errors are lifted by a reason of their own, and some warnings are answered by none but their own.
    """
    own = own_reasons(acknowledgement)
    for finding in standing_errors(checked, tournament):
        if finding.code not in LIFTED_BY_REASON or finding.code not in own:
            yield finding_refusal(finding)
    yield from line_refusals(
        [item.line or 0 for item in checked.findings if item.code in OF_ANOTHER_NAME],
        players=len(checked.report.players),
        acknowledgement=acknowledgement,
        tournament=tournament,
    )
    if checked.warnings and not acknowledgement.strip():
        message = _("Enter a reason for acknowledging the warnings. It is saved with the report.")
        yield Refusal("acknowledgement-missing", message, "acknowledgement")
    elif alone := {item.code for item in checked.warnings} & ANSWERED_ALONE - own.keys():
        message = _("Enter a reason for this warning alone (%(code)s). It is saved with the report.")
        for code in sorted(alone):
            yield Refusal("reason-missing", message % {"code": code}, "acknowledgement")


def acknowledgement_of(own: Mapping[str, str], general: str = "", *, lines: Items | None = None) -> str:
    """Return reasons as they are kept with a report: answers to lines, those of single codes, and the one for all."""
    answers: Items = [*(lines or [])]
    answers += [
        {"code": "answer", "finding": code, "reason": text} for code, text in own.items() if text.strip()
    ]
    if not answers:
        return general
    stated = stated_items(general)
    return SENTENCES.join([*answers, *stated]) if stated else SENTENCES.join(answers, general)


def own_reasons(acknowledgement: str) -> dict[str, str]:
    """Return the reasons for single codes by code."""
    items = stated_items(acknowledgement) or []
    return {item["finding"]: item["reason"] for item in items if item.get("code") == "answer"}
