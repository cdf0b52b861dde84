"""Undoing the last step of a tournament."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from core.html.refusals import refusals_in_messages
from desk.access import requires_for_tournament
from tournaments.changed_meanwhile import newest_step
from tournaments.models import Tournament
from tournaments.permissions import can_report
from tournaments.undoing import undo_last_step


@require_POST
@requires_for_tournament(can_report)
def undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Undo the user's own last step if nothing depends on it."""
    now = timezone.now()
    with refusals_in_messages(request):
        seen = request.POST.get("seen", "")
        undo_last_step(tournament, by=request.user, on=now.date(), at=now, seen=seen)
        # The step that undid it says so.
        done = newest_step(tournament)
        messages.success(request, done.why if done else "")
    return redirect("desk:tournament", tournament.event_id)
