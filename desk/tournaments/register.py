"""Registering a tournament, with a preview of the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import RefusedError, add_refusals
from core.web.typed import restore_form
from desk.access import requires
from desk.tournaments.change import as_template
from desk.tournaments.rules import rules_for
from players.permissions import can_register
from players.queries.federations import Federations
from tournaments import regulations
from tournaments.choices import Registration
from tournaments.models import Tournament
from tournaments.permissions import for_user
from tournaments.registration_form import RegistrationForm
from tournaments.services.registration import (
    RegistrationRequest,
    refusals_of,
    register_tournament,
    registration_for,
    same_registration,
    waiting_reason,
)
from tournaments.steps import ReportDays


@dataclass(frozen=True, slots=True)
class Preview:
    """The outcome of a registration made today."""

    waits: bool
    why: str
    last_day_on_time: date
    days: ReportDays


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def register(request: HttpRequest) -> HttpResponse:
    """Show the form, preview the outcome, or register the tournament."""
    today = timezone.now().date()
    form = RegistrationForm(
        request.POST or restore_form(request), user=request.user, initial=_initial(request, today)
    )
    if request.method != "POST" or not form.is_valid():
        return _page(request, form, today)
    wanted = form.request()
    if "preview" in request.POST:
        add_refusals(form, refusals_of(wanted, on=today, federations=Federations()))
        return _page(request, form, today, None if form.errors else preview_of(wanted, today))
    return _register(request, form, wanted, today)


def preview_of(wanted: RegistrationRequest, today: date) -> Preview:
    """Return the outcome of a registration made on a day (0.2, 8.1)."""
    return Preview(
        waits=registration_for(wanted, on=today) == Registration.WAITING,
        why=waiting_reason(wanted, on=today),
        last_day_on_time=regulations.last_day_to_register(wanted.start),
        days=ReportDays.of(wanted.end),
    )


def _register(
    request: HttpRequest, form: RegistrationForm, wanted: RegistrationRequest, today: date
) -> HttpResponse:
    try:
        tournament = register_tournament(wanted, by=request.user, on=today, at=timezone.now())
    except RefusedError as error:
        # A second click, or a form sent again, leads to what the first one made.
        again = same_registration(wanted, by=request.user)
        if again is not None:
            return redirect("desk:tournament", again.event_id)
        add_refusals(form, error.refusals)
        return _page(request, form, today)
    messages.success(request, _registered_message(tournament))
    return redirect("desk:tournament", tournament.event_id)


def _registered_message(tournament: Tournament) -> str:
    if tournament.registration == Registration.WAITING:
        return _("Registered with event ID %(event)s. It is waiting for a QC decision.") % {
            "event": tournament.event_id
        }
    return _("Registered with event ID %(event)s.") % {"event": tournament.event_id}


def _page(
    request: HttpRequest, form: RegistrationForm, today: date, preview: Preview | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "preview": preview, "today": today}
    filled = (
        {name: str(value) for name, value in form.data.items()}
        if form.is_bound
        else {name: str(value) for name, value in form.initial.items() if value}
    )
    context["rules"] = rules_for(filled, today=today)
    return render(request, "desk/tournaments/register.html", context)


def _initial(request: HttpRequest, today: date) -> dict[str, Any]:
    """Return the initial values: those of the tournament named by `like`, if the user sees it."""
    event_id = request.GET.get("like", "")
    former = for_user(request.user).filter(event_id=event_id).first() if event_id else None
    return as_template(former, today=today) if former else {"is_stated_rated": True}
