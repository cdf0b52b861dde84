"""Changing and withdrawing a registration."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import RefusedError, add_refusals, refusals_in_messages, refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires_for_tournament
from desk.qc import ReasonForm
from ratings.queries.lists import read_lists
from tournaments.arbiter_fields import DeputiesInput
from tournaments.choices import Action, Kind, Registration
from tournaments.conditions import Conditions
from tournaments.models import Tournament
from tournaments.permissions import can_report
from tournaments.queries.progress import progress_of
from tournaments.registration_form import STAFF_FIELDS, RegistrationForm, as_typed
from tournaments.schedule_field import (
    FIRST_NEW,
    MAX_ROWS,
    MORE_ROWS,
    ScheduleInput,
    readable_rounds,
    schedule_rows,
    wanted_rounds,
)
from tournaments.services.changed_meanwhile import seen_of
from tournaments.services.qc import possible_actions
from tournaments.services.registration_changes import (
    change_registration,
    is_changeable,
    withdraw_registration,
)
from tournaments.services.undoing import undo_last_step


class ChangeForm(RegistrationForm):
    """Changes to a registration, with the reason. The federation and the decisions cannot be changed."""

    reason = forms.CharField(
        label=_l("Reason for the change"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("Saved with the old and new values."),
        error_messages={"required": _l("Enter a reason. It is saved with the change.")},
    )

    # The newest audit log entry when the form was opened, so that concurrent edits do not overwrite each other.
    seen = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)

    def __init__(self, *args: Any, user: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, user=user, **kwargs)
        self.tournament = tournament
        for name in ("federation", *STAFF_FIELDS):
            self.fields.pop(name, None)

    def look_again(self, seen: str) -> None:
        """Set the newest entry that the user has seen, for the form that is shown again."""
        data: Any = self.data
        self.data = data = data.copy()
        data["seen"] = seen

    def request(self) -> Conditions:
        """Return the registration from a valid form. Fields that the form does not have keep their values."""
        self.cleaned_data["federation"] = self.tournament.federation_id
        fixed = ("event_id", *STAFF_FIELDS)
        return replace(super().request(), **{name: getattr(self.tournament, name) for name in fixed})


def as_template(tournament: Tournament, *, today: date) -> dict[str, Any]:
    """Return initial values for the next edition: the same weekdays, one or more times 52 weeks later."""
    weeks = 52
    while tournament.start + timedelta(weeks=weeks) < today:
        weeks += 52
    shift = timedelta(weeks=weeks)
    rounds = schedule_rows(tournament.schedule, tournament.round_times)
    moved = {
        "start": tournament.start + shift,
        "end": tournament.end + shift,
        "schedule": [((date.fromisoformat(day) + shift).isoformat(), start) for day, start in rounds],
        "match_waiver": "",
        "match_waiver_on": None,
        "decided_by": "",
        "decision_reference": "",
        "continues": "",
    }
    return as_typed(tournament) | moved


def fills_in(request: HttpRequest) -> bool:
    """Return whether the pressed button only fills in a part of the form."""
    return any(name in request.POST for name in ("use_kind", "add_rows", "fill_rounds"))


def filled_in(request: HttpRequest) -> dict[str, Any]:
    """Return the typed values as initial values, with the additions of the pressed button."""
    post = request.POST
    fields = RegistrationForm.base_fields.items()
    unchecked = {name: False for name, field in fields if isinstance(field, forms.BooleanField)}
    rows: Any = ScheduleInput().value_from_datadict(post, {}, "schedule")
    added: dict[str, Any] = {}
    if "add_rows" in post:
        rows = [*readable_rounds(rows)] if isinstance(rows, str) else rows
        added = {FIRST_NEW: len(rows) + 1}
        rows = [*rows, *[("", "")] * MORE_ROWS][:MAX_ROWS]
    elif "fill_rounds" in post:
        rows = wanted_rounds(post) or rows
        if not wanted_rounds(post):
            messages.info(request, _("Enter the first day, the last day and the number of rounds first."))
    kind = {"kind": post["use_kind"]} if post.get("use_kind") in Kind.values else {}
    deputies = DeputiesInput().value_from_datadict(post, {}, "deputies")
    return unchecked | post.dict() | {"schedule": rows, "deputies": deputies} | kind | added


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
    return as_typed(tournament) | others | {"start": next_day, "continues": tournament.event_id}


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def change(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the registration, and change it with a reason."""
    now = timezone.now()
    if fills_in(request):
        form = ChangeForm(user=request.user, tournament=tournament, initial=filled_in(request))
    else:
        initial = as_typed(tournament) | {"seen": seen_of(tournament)}
        form = form_of(request, ChangeForm, user=request.user, tournament=tournament, initial=initial)
    if form.is_bound and request.method == "POST" and form.is_valid():
        values = {"reason": form.cleaned_data["reason"], "seen": form.cleaned_data["seen"]}
        try:
            change_registration(tournament, form.request(), **values, by=request.user, on=now.date(), at=now)
        except RefusedError as error:
            add_refusals(form, error.refusals)
            form.look_again(seen_of(tournament))
        else:
            messages.success(request, _changed_message(tournament))
            return redirect("desk:tournament", tournament.event_id)
    context = {
        "form": form,
        "tournament": tournament,
        "today": now.date(),
        "is_possible": is_changeable(tournament),
        "has_begun": tournament.has_begun(now.date()),
    }
    return render(request, "desk/tournaments/change.html", context)


def _changed_message(tournament: Tournament) -> str:
    if tournament.has_request:
        return _("The request was sent to the QC. Changes that need no decision are saved.")
    if tournament.registration == Registration.WAITING:
        return _("The registration was changed. It is waiting for a QC decision.")
    return _("The registration was changed.")


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def withdraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Withdraw the registration with a reason. From the first day on, ask the QC to withdraw it (D-81)."""
    now = timezone.now()
    form = form_of(request, ReasonForm)
    if request.method == "POST" and form.is_valid():
        values = {"reason": form.cleaned_data["reason"], "seen": request.POST.get("seen", "")}
        with refusals_shown(form):
            withdraw_registration(tournament, **values, by=request.user, at=now)
            is_asked = tournament.has_request
            done = _("The request was sent to the QC.") if is_asked else _("The registration was withdrawn.")
            messages.success(request, done)
            return redirect("desk:tournament", tournament.event_id)
    context = {
        "form": form,
        "tournament": tournament,
        "today": now.date(),
        "seen": seen_of(tournament),
        "progress": progress_of(tournament, read_lists(), today=now.date()),
        "has_begun": tournament.has_begun(now.date()),
        "is_possible": Action.WITHDRAW in possible_actions(tournament) and not tournament.has_request,
    }
    return render(request, "desk/tournaments/withdraw.html", context)


@require_POST
@requires_for_tournament(can_report)
def undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Undo the user's own last step if nothing depends on it."""
    now = timezone.now()
    with refusals_in_messages(request):
        seen = request.POST.get("seen", "")
        step = undo_last_step(tournament, by=request.user, on=now.date(), at=now, seen=seen)
        messages.success(request, _("Undone: %(step)s.") % {"step": step.get_action_display()})
    return redirect("desk:tournament", tournament.event_id)
