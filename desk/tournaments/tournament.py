"""One tournament at the desk: where it stands, its history, its reports, the next step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.figures import list_month
from desk.access import requires_for_tournament
from players.queries.federations import Federations
from tournaments import regulations
from tournaments.choices import Action, HandedState, Registration
from tournaments.models import Tournament, TrailEntry
from tournaments.permissions import (
    can_appeal,
    can_decide,
    can_register_any,
    can_report,
    can_see_case,
    can_see_drafts,
    can_see_trail,
    handed_for,
)
from tournaments.queries.appeals import newest_appeal
from tournaments.queries.handover import handed_of
from tournaments.queries.reports import versions_of
from tournaments.queries.steps import next_step, time_line
from tournaments.services.appeals import communicated_on
from tournaments.services.arbiters import address_of
from tournaments.services.changes import is_changeable
from tournaments.services.decisions import possible_actions
from tournaments.services.reports import report_refusals


@require_safe
@requires_for_tournament(can_see_drafts)
def detail(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a tournament with what is to be done next and by whom."""
    today = timezone.now().date()
    reports = versions_of(tournament)
    trail = list(tournament.trail.select_related("by"))
    handed = handed_of(handed_for(request.user, tournament))
    waiting = next((one for one in handed if one.state == HandedState.WAITING), None)
    step = next_step(tournament, reports, today=today, is_handed_over=waiting is not None)
    may_report = can_report(request.user, tournament)
    possible = possible_actions(tournament)
    is_takable = not any(report_refusals(tournament, on=today, federations=Federations()))
    due_list = regulations.due_list(tournament.end)
    context = {
        "tournament": tournament,
        "today": today,
        "step": step,
        "reports": reports[::-1],
        "events": time_line(tournament, trail, reports, step=step),
        "due_by": due_list - timedelta(days=1),
        "due_what": _("Due for the list of %(month)s") % {"month": list_month(due_list)},
        "last_day": regulations.last_day_to_report(tournament.end, tournament.upheld_on),
        "may_upload": may_report and is_takable and tournament.end <= today,
        "may_change": may_report and is_changeable(tournament),
        "may_copy": can_register_any(request.user),
        "may_withdraw": may_report and Action.WITHDRAW in possible,
        "may_decide": can_decide(request.user) and bool(possible - {Action.WITHDRAW}),
        "may_see_case": can_see_case(request.user, tournament),
        "sees_trail": can_see_trail(request.user),
        "asked": tournament.information_requests.filter(answered_at=None).first(),
        "may_answer": may_report,
        "appeal": newest_appeal(tournament),
        "may_appeal": can_appeal(request.user, tournament),
        "appeal_ends": _appeal_ends(tournament, trail),
        "handed": handed,
        "handed_waiting": waiting,
        "arbiters": [
            address_of(one) for one in tournament.named_arbiters.select_related("user", "invitation")
        ],
        "may_name": may_report,
        "schedule": _rounds_a_day(tournament),
    }
    return render(request, "desk/tournaments/tournament.html", context)


def _appeal_ends(tournament: Tournament, trail: Sequence[TrailEntry]) -> date | None:
    """Return the last day of an appeal against the decision not to rate that stands, None without one (0.4)."""
    decisions = [entry for entry in trail if entry.action == Action.NOT_RATE]
    if tournament.registration != Registration.NOT_RATED or not decisions:
        return None
    return regulations.appeal_ends(communicated_on(decisions[-1]))


def _rounds_a_day(tournament: Tournament) -> list[tuple[str, int]]:
    days = [day for day in tournament.schedule if day]
    return [(day, days.count(day)) for day in dict.fromkeys(days)]
