"""Why a tournament is not on the list, for whoever has it at the desk."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from desk.access import requires_for_tournament
from tournaments.models import Tournament
from tournaments.permissions import can_see_drafts
from tournaments.queries.progress import progress_of


@require_safe
@requires_for_tournament(can_see_drafts)
def why(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show every step to the list, passed or not, who owns it, by when, and by which article."""
    today = timezone.now().date()
    context = {"tournament": tournament, "today": today, "progress": progress_of(tournament, today=today)}
    return render(request, "desk/tournaments/why.html", context)
