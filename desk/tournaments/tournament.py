"""One tournament with its next step and its progress to a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from operator import attrgetter
from typing import Any

from django.contrib.messages import SUCCESS, get_messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from desk.access import requires_for_tournament
from players.choices import CaseState
from players.federations import Federations
from players.permissions import can_register
from ratings.events import rated_so_far
from ratings.lists import read_lists
from ratings.movements import ledger
from tournaments.arbiters import arbiters_of, chief_emails_and_objection_states
from tournaments.changed_fields import shown_changes
from tournaments.choices import Action
from tournaments.handover import can_be_taken
from tournaments.models import Flags, Report, ResultCorrection, Tournament
from tournaments.permissions import (
    can_appeal,
    can_decide,
    can_prepare,
    can_report,
    can_see_audit_log,
    can_see_case,
    can_see_drafts,
    can_see_handed,
    for_arbiter_or_user,
    handed_for,
)
from tournaments.qc import possible_actions
from tournaments.registration_changes import is_changeable
from tournaments.report_barriers import report_refusals
from tournaments.reports import handed_of, versions_of
from tournaments.schedule_field import days_of_schedule
from tournaments.states import progress_of
from tournaments.time_line import time_line
from tournaments.undoing import is_undoing, why_not_undoable

# The acts that say why the QC decides, by the next step.
WAITING_ACTS = {"decide": (Action.REGISTER, Action.CHANGE), "request": (Action.REQUEST,)}


@require_safe
@requires_for_tournament(can_see_handed, visible=for_arbiter_or_user)
def detail(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a tournament with its next step and who is responsible for it; its chief arbiter has another page."""
    if not can_see_drafts(request.user, tournament):
        return redirect("desk:arbiter", tournament.event_id)
    today = timezone.now().date()
    reports = versions_of(tournament)
    entries = list(tournament.log_entries.select_related("by", "appeal").order_by("at", "pk"))
    handed = handed_of(handed_for(request.user, tournament))
    progress = progress_of(tournament, read_lists(), today=today, entries=entries)
    acts = WAITING_ACTS.get(progress.step.code, ())
    asked_by = next((one for one in reversed(entries) if one.action in acts and one.why), None)
    named, states = chief_emails_and_objection_states(tournament)
    context = {
        "tournament": tournament,
        "today": today,
        "progress": progress,
        "step": progress.step,
        "reports": reports[::-1],
        "events": time_line(entries, reports, progress),
        "why_waiting": asked_by.why_apart if asked_by else ("", ""),
        "has_lapsed": bool(asked_by and asked_by.before),
        "waiting_changes": [*shown_changes(asked_by.changes or [])] if asked_by else [],
        # Why nothing more is done with the tournament.
        "against": next((one for one in progress.steps if one.state == "over" and one.why), None),
        "rated": rated_so_far(tournament),
        "asked": next((one for one in progress.steps if (one.code, one.state) == ("answer", "now")), None),
        "appeal": max(
            (one.appeal for one in entries if hasattr(one, "appeal")), key=attrgetter("pk"), default=None
        ),
        "handed": handed,
        "handed_waiting": next((one for one in handed if can_be_taken(one, progress)), None),
        "arbiters": named,
        "schedule": [*days_of_schedule(tournament)],
        "directors": arbiters_of(tournament),
    }
    context["open_objections"] = states.count(CaseState.WAITING)
    if progress.step.code == "publish":
        context["flags"] = Flags.objects.filter(tournament=tournament, state=CaseState.WAITING).first()
    # The history is read anyway: without such a step there is nothing to query.
    if any(entry.action == Action.ASK_CORRECTION for entry in entries):
        asked_for = ResultCorrection.objects.filter(tournament=tournament, state=CaseState.WAITING)
        context["corrections"] = list(asked_for)
    if any(entry.action == Action.CORRECT for entry in entries):
        context["corrected"] = ledger().filter(tournament=tournament).order_by("-pk")
    context |= _allowed_acts(request.user, tournament, reports, today=today)
    # Only who reports the tournament can have taken a step that is undone here.
    if context["may_answer"] and entries:
        # By key, as `tournaments.undoing` does: steps of one instant are in the order in which they were written.
        newest = max(entries, key=attrgetter("pk"))
        is_barred = why_not_undoable(tournament, newest, by=request.user, on=today)
        context |= {
            "undoable": None if is_barred else newest,
            "is_redo": is_undoing(newest),
            "told": [one for one in get_messages(request) if one.level == SUCCESS],
        }
    return render(request, "desk/tournaments/tournament.html", context)


def _allowed_acts(
    user: Any, tournament: Tournament, reports: Sequence[Report], *, today: date
) -> dict[str, bool]:
    """Return what the user may do with the tournament."""
    may_report = can_report(user, tournament)
    possible = possible_actions(tournament)
    is_takable = not any(report_refusals(tournament, on=today, federations=Federations()))
    return {
        "may_upload": may_report and is_takable and tournament.end <= today,
        "may_change": may_report and is_changeable(tournament),
        "may_copy": can_register(user),
        "may_withdraw": may_report and Action.WITHDRAW in possible,
        "may_decide": can_decide(user) and bool(possible - {Action.WITHDRAW}),
        "may_see_case": can_see_case(user, tournament),
        "sees_audit_log": can_see_audit_log(user),
        "may_answer": may_report,
        "may_appeal": can_appeal(user, tournament),
        "may_name": can_prepare(user, tournament),
    }
