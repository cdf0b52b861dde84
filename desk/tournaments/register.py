"""Registration of a tournament."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import Refusal
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from desk.tournaments.filling import fill_form, is_fill_button
from desk.tournaments.rules import check_form, is_live, show_form
from players.permissions import can_register
from tournaments.choices import Registration
from tournaments.conditions import Conditions
from tournaments.lookups import Lookups
from tournaments.models import Tournament
from tournaments.permissions import for_user
from tournaments.registered_conditions import registered_like
from tournaments.registration import like_refusals, refusals_of, register_tournament
from tournaments.registration_form import RegisterForm, as_typed
from tournaments.schedule_field import schedule_rows


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def register(request: HttpRequest) -> HttpResponse:
    """Show the form, check it, or register the tournament."""
    today = timezone.now().date()
    is_typed = is_live(request) or is_fill_button(request)
    form_from = fill_form if is_live(request) or is_fill_button(request) else form_of
    form = form_from(request, RegisterForm, user=request.user, initial=_initial(request, today))
    check = check_form(
        form,
        lambda wanted: (_refusals(wanted, today, is_whole=form.is_valid()), None),
        today=today,
        is_typed=is_typed,
    )
    # A preview is without the limits, which lock the account: nothing is registered yet.
    if request.method == "POST" and form.is_valid() and not (is_typed or "preview" in request.POST):
        with refusals_shown(form):
            tournament = register_tournament(form.request(), by=request.user, on=today, at=timezone.now())
            messages.success(request, _registered_message(tournament))
            for text in check.warnings:
                messages.warning(request, text)
            return redirect("desk:tournament", tournament.event_id)
    like = registered_like(form.request()) if "is_another" in form.errors else None
    context = {"form": form, "check": check, "today": today, "like": like}
    return show_form(request, "desk/tournaments/register.html", context)


def _refusals(wanted: Conditions, today: date, *, is_whole: bool) -> list[Refusal]:
    refusals = [*refusals_of(wanted, on=today, lookups=Lookups())]
    return refusals or (like_refusals(wanted) if is_whole else [])


def _registered_message(tournament: Tournament) -> str:
    if tournament.registration == Registration.WAITING:
        return _("Sent to the QC with event ID %(event)s. The QC decides on the registration.") % {
            "event": tournament.event_id
        }
    return _("Registered with event ID %(event)s.") % {"event": tournament.event_id}


def _initial(request: HttpRequest, today: date) -> dict[str, Any]:
    """Return the initial values, those of the tournament named by `like` or `after` if the user can see it."""
    is_part = "after" in request.GET
    # PostgreSQL refuses the character in a query.
    event_id = request.GET.get("after" if is_part else "like", "").replace("\x00", "")
    former = for_user(request.user).filter(event_id=event_id).first() if event_id else None
    if former is None:
        return {"is_stated_rated": True}
    return as_next_part(former) if is_part else as_template(former, today=today)


def as_template(tournament: Tournament, *, today: date) -> dict[str, Any]:
    """Return initial values for the next edition: the same weekdays, one or more times 52 weeks later."""
    # By weeks, not by years: tournaments are on the same weekday.
    weeks = 52
    while tournament.start + timedelta(weeks=weeks) < today:
        weeks += 52
    shift = timedelta(weeks=weeks)
    rounds = schedule_rows(tournament.schedule, tournament.round_times)
    moved = {
        "start": tournament.start + shift,
        "end": tournament.end + shift,
        "scheduled_for": tournament.start + shift,
        "schedule": [((date.fromisoformat(day) + shift).isoformat(), start) for day, start in rounds],
        "match_waiver": "",
        "match_waiver_on": None,
        # Waivers and decisions of Council or the President hold for one event only (0.2, 5.2).
        "decided_by": "",
        "decision_reference": "",
        "continues": "",
    }
    return as_typed(tournament) | moved


def as_next_part(tournament: Tournament) -> dict[str, Any]:
    """Return initial values for the next monthly part of an event (D-117)."""
    others: dict[str, Any] = {
        "end": None,
        "rounds": None,
        "schedule": [],
        "match_waiver": "",
        "match_waiver_on": None,
    }
    next_day = tournament.end + timedelta(days=1)
    others |= {"start": next_day, "scheduled_for": next_day, "continues": tournament.event_id}
    return as_typed(tournament) | others
