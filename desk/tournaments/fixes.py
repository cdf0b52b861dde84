"""Fixes of a report, and the lines in which two versions differ."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import RefusedError
from desk.access import requires_for_tournament
from tournaments.models import Report, Tournament
from tournaments.permissions import can_report, can_see_drafts
from tournaments.queries.line_changes import Chosen, chosen_of, differences_of
from tournaments.services.fixes import apply_changes, offered_changes
from tournaments.trf import read_report

# More keys than a report has findings are nobody's choice.
MOST_KEYS = 200


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def fix(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Preview the chosen fixes; a POST applies them in a new version."""
    report = get_object_or_404(tournament.reports, version=version)
    asked = request.POST if request.method == "POST" else request.GET
    keys = None if "all" in asked else asked.getlist("fix")[:MOST_KEYS]
    read = read_report(bytes(report.content))
    chosen = chosen_of(offered_changes(report, read), keys)
    if request.method != "POST":
        return _fix_page(request, tournament, report, chosen)
    now = timezone.now()
    try:
        made, is_new = apply_changes(report, read, chosen.lines, by=request.user, on=now.date(), at=now)
    except RefusedError as error:
        for refusal in error.refusals:
            messages.error(request, refusal.message)
        return redirect("desk:report", tournament.event_id, version)
    text = (
        _("Version %(version)d was created and checked.")
        if is_new
        else _("This is already version %(version)d.")
    )
    messages.success(request, text % {"version": made.version})
    return redirect("desk:report", tournament.event_id, made.version)


def _fix_page(request: HttpRequest, tournament: Tournament, report: Report, chosen: Chosen) -> HttpResponse:
    context = {
        "tournament": tournament,
        "report": report,
        "chosen": chosen,
        "is_all": "all" in request.GET,
        "shown": chosen.lines[:MOST_KEYS],
        "not_shown": max(0, len(chosen.lines) - MOST_KEYS),
    }
    return render(request, "desk/tournaments/fix.html", context)


@require_safe
@requires_for_tournament(can_see_drafts)
def difference(request: HttpRequest, tournament: Tournament, version: int, other: int) -> HttpResponse:
    """Show the lines in which two versions differ."""
    former = get_object_or_404(tournament.reports.defer("pgn"), version=version)
    later = get_object_or_404(tournament.reports.defer("pgn"), version=other)
    found = differences_of(read_report(bytes(former.content)).lines, read_report(bytes(later.content)).lines)
    context = {"tournament": tournament, "former": former, "later": later, "found": found}
    return render(request, "desk/tournaments/difference.html", context)
