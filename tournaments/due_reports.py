"""Reports that nobody accepted, removed after their time."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from core.bulk import batched
from players.choices import CaseState
from tournaments.choices import OPEN_REGISTRATIONS, ReportState, Stage
from tournaments.models import HandedReport, Report

# Two years, of which one may be a leap year (docs/operations.md).
UNACCEPTED_KEPT = timedelta(days=731)
BATCH = 200
UNDECIDED = Q(tournament__registration__in=OPEN_REGISTRATIONS, tournament__stage=Stage.PLANNED)


def unaccepted_reports(at: datetime) -> QuerySet[Report]:
    """Return the versions of reports that were never accepted and have had their time.

    One that a later version was made from stays, or of which a correction was requested, and so does the newest one
    of a tournament of which another was accepted: its number is not given again. All stay until somebody decides on
    their tournament (D-128).
    """
    others = Report.objects.filter(tournament=OuterRef("tournament"))
    newer = others.filter(version__gt=OuterRef("version"))
    accepted = others.filter(Q(accepted_on__isnull=False) | ~Q(state=ReportState.CHECKED))
    return Report.objects.filter(
        Exists(newer) | ~Exists(accepted),
        state=ReportState.CHECKED,
        accepted_on=None,
        corrected_versions=None,
        result_corrections=None,
        submitted_at__lt=at - UNACCEPTED_KEPT,
    ).exclude(UNDECIDED)


def unaccepted_handed(at: datetime) -> QuerySet[HandedReport]:
    """Return the reports of chief arbiters that became no version, or one that has had its time."""
    old = HandedReport.objects.filter(checked_at__lt=at - UNACCEPTED_KEPT)
    taken = Q(handover__state=CaseState.APPROVED)
    sent = Q(handover__state__in=(CaseState.WAITING, CaseState.REFUSED)) & UNDECIDED
    version = Q(handover__report__in=unaccepted_reports(at).values("pk"))
    return old.filter(Q(handover=None) | (~taken & ~sent) | version)


def remove_unaccepted(at: datetime) -> None:
    """Remove the reports that were never accepted and have had their time; those accepted stay for good."""
    # An arbiter's report protects the version that it became, so it goes first.
    for rows in (unaccepted_handed(at), unaccepted_reports(at)):
        for keys in batched(list(rows.values_list("pk", flat=True)), BATCH):
            with transaction.atomic():
                # Asked again, without the bytes: one may have been accepted meanwhile.
                rows.filter(pk__in=keys).only("pk").delete()
