"""Registering a tournament, with a preview of what will happen; and withdrawing it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.web.typed import typed
from desk.access import requires, requires_for_tournament
from desk.decision_forms import ReasonForm
from desk.tournaments.change_form import ChangeForm, as_template, as_typed
from desk.tournaments.typed_rules import rules_for
from players.queries.federations import Federations
from tournaments import regulations
from tournaments.choices import Action, Registration
from tournaments.errors import RefusedError
from tournaments.models import Tournament
from tournaments.permissions import can_change, can_register_any, can_withdraw, for_user
from tournaments.registration_form import RegistrationForm, add_refusals
from tournaments.services.changes import change_registration, is_changeable, seen_of
from tournaments.services.decisions import decide, possible_actions
from tournaments.services.registration import (
    RegistrationRequest,
    refusals_of,
    register_tournament,
    registration_for,
    same_registration,
    waiting_reason,
)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a registration made today would lead to."""

    waits: bool
    why: str
    last_day_on_time: date
    due_by: date
    due_list: date
    last_day_to_report: date


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register_any)
def register(request: HttpRequest) -> HttpResponse:
    """Show the form, what a filled one would lead to, or register the tournament."""
    today = timezone.now().date()
    form = RegistrationForm(
        request.POST or typed(request), user=request.user, initial=_initial(request, today)
    )
    if request.method != "POST" or not form.is_valid():
        return _page(request, form, today)
    wanted = form.request()
    if "preview" in request.POST:
        form.add_refusals(refusals_of(wanted, on=today, federations=Federations()))
        return _page(request, form, today, None if form.errors else preview_of(wanted, today))
    return _register(request, form, wanted, today)


@require_POST
@requires(can_register_any)
def typed_rules(request: HttpRequest) -> HttpResponse:
    """Say what the rules say of what is being typed; nothing is kept."""
    rules = rules_for(request.POST.dict(), today=timezone.now().date())
    return render(request, "desk/tournaments/rules_typed.html", {"rules": rules})


def preview_of(wanted: RegistrationRequest, today: date) -> Preview:
    """Return what a registration made on a day leads to (0.2, 8.1)."""
    due = regulations.due_list(wanted.end)
    return Preview(
        waits=registration_for(wanted, on=today) == Registration.WAITING,
        why=waiting_reason(wanted, on=today),
        last_day_on_time=regulations.last_day_to_register(wanted.start),
        due_by=due - timedelta(days=1),
        due_list=due,
        last_day_to_report=regulations.third_list(wanted.end),
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
        form.add_refusals(error.refusals)
        return _page(request, form, today)
    messages.success(request, _registered_message(tournament))
    return redirect("desk:tournament", tournament.event_id)


def _registered_message(tournament: Tournament) -> str:
    if tournament.registration == Registration.WAITING:
        return _("Registered as %(event)s. It waits for the QC.") % {"event": tournament.event_id}
    return _("Registered as %(event)s.") % {"event": tournament.event_id}


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
    """Return what the form begins with: the last edition of an event, where one is named and at the desk."""
    event_id = request.GET.get("like", "")
    former = for_user(request.user).filter(event_id=event_id).first() if event_id else None
    return as_template(former, today=today) if former else {"is_stated_rated": True}


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_change)
def change(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the registration as it stands, and change it with a reason."""
    now = timezone.now()
    initial = as_typed(tournament) | {"seen": seen_of(tournament)}
    form = ChangeForm(
        request.POST or typed(request), user=request.user, tournament=tournament, initial=initial
    )
    if request.method == "POST" and form.is_valid():
        told = {name: form.cleaned_data[name] for name in ("reason", "seen")}
        try:
            change_registration(tournament, form.request(), **told, by=request.user, on=now.date(), at=now)
        except RefusedError as error:
            form.add_refusals(error.refusals)
            form.look_again(seen_of(tournament))
        else:
            messages.success(request, _changed_message(tournament))
            return redirect("desk:tournament", tournament.event_id)
    context = {
        "form": form,
        "tournament": tournament,
        "today": now.date(),
        "is_possible": is_changeable(tournament),
    }
    return render(request, "desk/tournaments/change.html", context)


def _changed_message(tournament: Tournament) -> str:
    if tournament.registration == Registration.WAITING:
        return _("The registration is changed. It waits for the QC.")
    return _("The registration is changed.")


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_withdraw)
def withdraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for the reason and withdraw the registration."""
    form = ReasonForm(request.POST or typed(request))
    if request.method == "POST" and form.is_valid():
        try:
            decide(
                tournament,
                Action.WITHDRAW,
                reason=form.cleaned_data["reason"],
                by=request.user,
                at=timezone.now(),
            )
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            messages.success(request, _("The registration is withdrawn."))
            return redirect("desk:tournament", tournament.event_id)
    context = {
        "form": form,
        "tournament": tournament,
        "is_possible": Action.WITHDRAW in possible_actions(tournament),
    }
    return render(request, "desk/tournaments/withdraw.html", context)
