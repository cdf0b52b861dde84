"""The appeals that FIDE Council decides, and the decided ones."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from desk.access import requires
from players.choices import CaseState
from tournaments.permissions import can_decide_appeals, can_see_queue
from tournaments.queries.appeals import appeals_in


@require_safe
@requires(can_see_queue)
def queue(request: HttpRequest) -> HttpResponse:
    """Show the open appeals, oldest first, then the decided ones."""
    decided = appeals_in([CaseState.APPROVED, CaseState.REFUSED]).order_by("-decided_at", "-pk")
    context = {
        "waiting": appeals_in([CaseState.WAITING]).order_by("asked_at", "pk"),
        "decided": decided[:50],
        "may_decide": can_decide_appeals(request.user),
    }
    return render(request, "desk/appeals.html", context)
