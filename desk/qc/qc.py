"""The queue of the QC."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from desk.access import requires
from ratings.queries.lists import read_lists
from tournaments.permissions import can_decide, can_see_case, can_see_queue
from tournaments.queries.cases import cases


@require_safe
@requires(can_see_queue)
def queue(request: HttpRequest) -> HttpResponse:
    """Show the QC queue, the case with the fewest days left first."""
    today = timezone.now().date()
    context = {
        "queue": cases(read_lists(), today),
        "today": today,
        "may_decide": can_decide(request.user),
        "sees_cases": can_see_case(request.user),
    }
    return render(request, "desk/qc/qc.html", context)
