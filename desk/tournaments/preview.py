"""The preview of a report: what it would do to each player."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.heavy_work import heavy_work
from desk.access import requires_for_tournament
from ratings.preview import NO_PREVIEW, Preview, preview_report, shown_preview
from tournaments.checking import CheckedReport
from tournaments.choices import ReportState
from tournaments.lookups import Lookups
from tournaments.models import HandedReport, Report, Tournament
from tournaments.permissions import (
    can_hand_over,
    can_see_drafts,
    can_see_handed,
    for_arbiter_or_user,
    handed_for,
)
from tournaments.report_people import ids_in, people_of
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, read_report


@require_safe
@requires_for_tournament(can_see_drafts)
def preview(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Preview every player's rating change and the unrated games without saving anything."""
    report = get_object_or_404(tournament.reports.defer("pgn"), version=version)
    context = {
        "report_url": reverse("desk:report", args=[tournament.event_id, version]),
        "here": _("Version %(version)s") % {"version": version},
        "tournament_url": reverse("desk:tournament", args=[tournament.event_id]),
    }
    return preview_page(request, tournament, report, context)


def preview_page(
    request: HttpRequest, tournament: Tournament, report: Report | HandedReport, context: dict[str, str]
) -> HttpResponse:
    """Show the effect of a report. Its stored check results decide whether there is a preview."""
    has_errors = any(finding["severity"] == Severity.ERROR for finding in report.findings)
    # Of a version the QC may have allowed some (D-129).
    if isinstance(report, Report):
        has_errors = report.has_errors and report.state == ReportState.CHECKED
    # One address that previewed large reports kept both web processes busy.
    with heavy_work(request):
        found = None if has_errors else _preview(tournament, read_report(bytes(report.content)))
    rows = shown_preview(found) if found else NO_PREVIEW
    shown = {"tournament": tournament, "preview": found, "shown": rows, **context}
    return render(request, "desk/tournaments/preview.html", shown)


def _preview(tournament: Tournament, trf: TrfReport) -> Preview | None:
    """Return the preview of a report without errors, or None if it has no players."""
    if not trf.players:
        return None
    lookups = Lookups()
    # One query where checks and rating would ask for players and their successors one after the other.
    lookups.players.load_with_successors(ids_in(trf))
    named = CheckedReport(trf, (), people_of(trf, lookups.players, tournament).players)
    return preview_report(named, tournament, on=timezone.now().date(), lookups=lookups)


@require_safe
@requires_for_tournament(can_see_handed, visible=for_arbiter_or_user)
def handed_preview(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Preview the ratings of an arbiter's report without saving anything."""
    handed = get_object_or_404(handed_for(request.user, tournament).defer("pgn"), number=number)
    page = "desk:arbiter" if can_hand_over(request.user, tournament) else "desk:tournament"
    context = {
        "report_url": reverse("desk:handed", args=[tournament.event_id, number]),
        "here": _("Report %(number)s") % {"number": number},
        "tournament_url": reverse(page, args=[tournament.event_id]),
    }
    return preview_page(request, tournament, handed, context)
