"""Changing a registration."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.errors import Refusal
from core.html.fields import TextField
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires_for_tournament
from desk.tournaments.filling import fill_form, is_fill_button
from desk.tournaments.rules import RegistrationCheck, check_form, is_live, show_form
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Registration
from tournaments.conditions import Conditions
from tournaments.models import Tournament
from tournaments.permissions import can_report
from tournaments.registered_conditions import registered_conditions
from tournaments.registration_changes import (
    ChangePlan,
    change_registration,
    is_changeable,
    plan_change,
)
from tournaments.registration_form import STAFF_FIELDS, RegistrationForm, as_typed


class ChangeForm(RegistrationForm):
    """Changes to a registration, with the reason. The federation and the decisions cannot be changed."""

    # As on the page.
    field_order = ("reason", *RegistrationForm.field_order)

    reason = TextField(
        label=_l("Reason for the change"),
        max_length=1000,
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
        # The data of a request cannot be changed.
        self.data = data = data.copy()
        data["seen"] = seen

    def request(self) -> Conditions:
        """Return the registration. What the form does not have, or what has an error, is as it is registered."""
        return registered_conditions(self.tournament, **self.values())


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def change(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the registration, check a change, or make it with a reason."""
    now = timezone.now()
    initial = as_typed(tournament) | {"seen": seen_of(tournament)}
    form_from = fill_form if is_live(request) or is_fill_button(request) else form_of
    form = form_from(request, ChangeForm, user=request.user, tournament=tournament, initial=initial)
    is_typed = is_live(request) or is_fill_button(request) or "preview" in request.POST

    def decide(wanted: Conditions) -> tuple[Sequence[Refusal], ChangePlan]:
        plan = plan_change(tournament, wanted, on=now.date())
        return plan.refusals, plan

    check = check_form(form, decide, today=now.date(), is_typed=is_typed)
    is_sent = request.method == "POST" and not is_typed
    if is_sent and form.is_valid() and _change(request, tournament, form, check, now):
        messages.success(request, _changed_message(tournament, check))
        for text in check.warnings:
            messages.warning(request, text)
        return redirect("desk:tournament", tournament.event_id)
    context = {
        "form": form,
        "check": check,
        "tournament": tournament,
        "is_possible": is_changeable(tournament),
    }
    return show_form(request, "desk/tournaments/change.html", context)


def _change(
    request: HttpRequest, tournament: Tournament, form: ChangeForm, check: RegistrationCheck, now: datetime
) -> bool:
    """Change the registration, and return whether it was changed; what the QC decides is shown before it is asked."""
    if not check.plan:
        messages.info(request, _("Nothing is changed yet"))
        return False
    if check.waits and request.POST.get("told") != check.told:
        messages.info(request, _("Check the changes, then send them to the QC."))
        return False
    with refusals_shown(form):
        values = {"reason": form.cleaned_data["reason"], "seen": form.cleaned_data["seen"]}
        change_registration(tournament, form.request(), **values, by=request.user, on=now.date(), at=now)
        return True
    # Who sends the form again after the refusal has seen what a colleague did.
    form.look_again(seen_of(tournament))
    return False


def _changed_message(tournament: Tournament, check: RegistrationCheck) -> str:
    if check.requested:
        sent = _("The request was sent to the QC.")
        return sent + " " + _("The other changes are saved.") if check.made else sent
    if tournament.registration == Registration.WAITING:
        return _("The registration was changed. It is waiting for a QC decision.")
    return _("The registration was changed.")
