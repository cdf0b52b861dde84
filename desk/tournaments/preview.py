"""What a checked report would do, for those who may see it, before it is accepted."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from desk.access import requires_for_tournament
from ratings.services.preview import preview_report, shown_row
from tournaments.models import Tournament
from tournaments.permissions import (
    can_hand_over,
    can_see_drafts,
    can_see_handed,
    for_arbiter_or_user,
    handed_for,
)
from tournaments.queries.lookups import Lookups
from tournaments.services.checking import CheckedReport, check_contents, check_for_arbiter
from tournaments.trf import read_report


@require_safe
@requires_for_tournament(can_see_drafts)
def preview(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Show every player's would-be change and what does not count, with its reason; nothing is written."""
    report = get_object_or_404(tournament.reports, version=version)
    pgn = bytes(report.pgn) if report.pgn else None
    trf, lookups = read_report(bytes(report.content)), Lookups()
    checked = check_contents(trf, tournament, on=report.submitted_on, lookups=lookups, pgn=pgn)
    context = {
        "report_url": reverse("desk:report", args=[tournament.event_id, version]),
        "here": _("Version %(version)d") % {"version": version},
        "tournament_url": reverse("desk:tournament", args=[tournament.event_id]),
    }
    return _page(request, tournament, checked, context, lookups)


@require_safe
@requires_for_tournament(can_see_handed, among=for_arbiter_or_user)
def handed_preview(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show what an arbiter's report would do if it were submitted and accepted; nothing is written."""
    handed = get_object_or_404(handed_for(request.user, tournament), number=min(number, 32_767))
    pgn = bytes(handed.pgn) if handed.pgn else None
    today = timezone.now().date()
    trf, lookups = read_report(bytes(handed.content)), Lookups()
    checked = check_for_arbiter(trf, tournament, on=today, lookups=lookups, pgn=pgn)
    page = "desk:arbiter" if can_hand_over(request.user, tournament) else "desk:tournament"
    context = {
        "report_url": reverse("desk:handed", args=[tournament.event_id, number]),
        "here": _("Report %(number)d") % {"number": number},
        "tournament_url": reverse(page, args=[tournament.event_id]),
    }
    return _page(request, tournament, checked, context, lookups)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    checked: CheckedReport,
    context: dict[str, str],
    lookups: Lookups,
) -> HttpResponse:
    can_rate = bool(checked.report.players) and not checked.errors
    today = timezone.now().date()
    found = preview_report(checked, tournament, on=today, lookups=lookups) if can_rate else None
    rows = [shown_row(row) for row in found.rows] if found else []
    shown = {"tournament": tournament, "preview": found, "rows": rows, **context}
    return render(request, "desk/tournaments/preview.html", shown)
