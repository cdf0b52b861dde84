"""What a checked report would do, for those who may see it, before it is accepted."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratings.services.preview import PreviewRow, preview_report
from ratings.systems.reasons import REASONS
from tournaments.models import Tournament
from tournaments.permissions import can_see_drafts
from tournaments.services.checking import check_upload
from tournaments.views.access import requires_for_tournament


@require_safe
@requires_for_tournament(can_see_drafts)
def preview(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Show every player's would-be change and what does not count, with its reason; nothing is written."""
    report = get_object_or_404(tournament.reports, version=version)
    today = timezone.now().date()
    pgn = bytes(report.pgn) if report.pgn else None
    checked = check_upload(bytes(report.content), tournament, on=report.submitted_on, pgn=pgn)
    can_rate = bool(checked.report.players) and not checked.errors
    found = preview_report(checked, tournament, on=today) if can_rate else None
    context = {
        "tournament": tournament,
        "report": report,
        "preview": found,
        "rows": [shown_row(row) for row in found.rows] if found else [],
    }
    return render(request, "ratings/preview.html", context)


def shown_row(row: PreviewRow) -> dict[str, Any]:
    """Return a player of the preview with the reasons behind its keys."""
    return {
        "it": row,
        "outcome": REASONS[row.result.outcome] if row.result else None,
        "left_out": [(REASONS[key], rounds) for key, rounds in row.left_out().items()],
    }
