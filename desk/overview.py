"""The first page of the desk, and the list of all its tournaments."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.html.paging import Keyset
from desk.access import requires
from desk.tournaments.filters import TournamentFilter
from players.permissions import (
    can_manage_people,
    can_manage_players,
    can_register_players,
    can_see_fees,
    can_use_desk,
    federations_of,
    is_staff,
)
from tournaments import regulations
from tournaments.models import Tournament
from tournaments.permissions import can_decide, can_register_any, can_see_queue, can_see_trail, for_user
from tournaments.queries.cases import cases
from tournaments.queries.desk import desk_of
from tournaments.queries.needs import DECISIONS_SHOWN_DAYS
from tournaments.queries.states import in_state

QUEUE_SHOWN = 10
IN_ORDER = Keyset(("-start", "event_id"))


@require_safe
@requires(can_use_desk)
def overview(request: HttpRequest) -> HttpResponse:
    """Show what needs the person, most urgent first."""
    today = timezone.now().date()
    sees_queue = can_see_queue(request.user)
    queue = cases(today=today, most=QUEUE_SHOWN + 1) if sees_queue else []
    context = {
        "desk": desk_of(request.user, today=today),
        "today": today,
        "first_day_on_time": today + timedelta(days=regulations.REGISTRATION_DAYS),
        "decision_days": DECISIONS_SHOWN_DAYS,
        "sees_queue": sees_queue,
        "queue": queue[:QUEUE_SHOWN],
        "queue_is_longer": len(queue) > QUEUE_SHOWN,
        "may_decide": can_decide(request.user) or is_staff(request.user),
        "sees_fees": can_see_fees(request.user),
        "sees_trail": can_see_trail(request.user),
        "may_register": can_register_any(request.user),
        "may_register_players": can_register_players(request.user),
        "may_manage_people": can_manage_people(request.user),
        "may_merge": can_manage_players(request.user),
        "federations": sorted(federations_of(request.user)),
    }
    return render(request, "desk/overview.html", context)


@require_safe
@requires(can_use_desk)
def tournaments(request: HttpRequest) -> HttpResponse:
    """Show the tournaments at the person's desk, newest first, filtered and in pages."""
    at_the_desk = for_user(request.user)
    has_federation = is_staff(request.user) or len(federations_of(request.user)) != 1
    form = TournamentFilter(request.GET, has_federation=has_federation)
    found = _filtered(at_the_desk, form.wanted()).select_related("federation")
    context = {
        "form": form,
        "page": IN_ORDER.page(found, request.GET, size=50),
        "is_filtered": bool(form.wanted()),
        "may_register": can_register_any(request.user),
    }
    return render(request, "desk/tournaments/tournaments.html", context)


def _filtered(found: QuerySet[Tournament], wanted: dict[str, str]) -> QuerySet[Tournament]:
    for word in wanted.get("q", "").split():
        found = found.filter(Q(name__icontains=word) | Q(event_id__icontains=word) | Q(city__icontains=word))
    if kind := wanted.get("kind"):
        found = found.filter(kind=kind)
    if federation := wanted.get("federation"):
        found = found.filter(federation=federation.upper())
    return in_state(found, wanted["state"]) if "state" in wanted else found
