"""People with a role, and those who are invited to one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import RefusedError
from core.html.fields import SortedChoiceField
from core.html.forms import PortalForm
from core.html.refusals import add_refusals, refusals_in_messages
from core.web.proofs import proved
from core.web.typed_forms import form_of
from desk.access import requires
from players.appointments import end_appointment, may_end_appointment
from players.choices import FEDERATION_ROLES, Role
from players.invitations import confirm_invitation, invite, mail_invitation, revoke_invitation
from players.models import Appointment, Federation
from players.permissions import (
    appointments_of,
    can_confirm,
    can_manage_people,
    invitations_of,
    is_staff,
    officer_federations,
)

SHOWN = 200


class InvitationForm(PortalForm):
    """An invitation. Officers see only the roles that they may assign."""

    email = forms.EmailField(label=_l("Email address"), max_length=254)
    role = forms.ChoiceField(label=_l("Role"))
    federation = SortedChoiceField(
        Federation.objects.none(), label=_l("Federation"), required=False, empty_label="–"
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # An officer cannot give a role as high as their own; `players.invitations` refuses it, too.
        roles: Any = Role if is_staff(user) else (Role.DEPUTY, Role.ARBITER)
        choices = [(role.value, role.label) for role in roles]
        self.fields["role"].choices = choices  # type: ignore[attr-defined]
        self.fields["federation"].offer(officer_federations(user).order_by())  # type: ignore[attr-defined]
        if is_staff(user):
            self.fields["federation"].condition = _("for rating officers, deputies and chief arbiters")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        role, federation = cleaned.get("role"), cleaned.get("federation")
        if role in FEDERATION_ROLES and federation is None and "federation" not in self.errors:
            message = _("Select the federation for this role.")
            self.add_error("federation", forms.ValidationError(message, code="required"))
        if role and role not in FEDERATION_ROLES and federation is not None:
            message = _("This is a FIDE role. Leave the federation empty.")
            self.add_error("federation", forms.ValidationError(message, code="fide-role"))
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_manage_people)
@proved
def people(request: HttpRequest) -> HttpResponse:
    """Show roles and invitations, and invite someone."""
    form = form_of(request, InvitationForm, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            _invite(request, form)
        except RefusedError as error:
            # A second click: the first one has sent the invitation.
            if error.refusals[0].code == "invited-just-now":
                return redirect("people:people")
            add_refusals(form, error.refusals)
        else:
            return redirect("people:people")
    related = ("user", "federation")
    waiting = invitations_of(request.user).unanswered_at(timezone.now())
    invitations = waiting.select_related("federation", "invited_by")[:SHOWN]
    appointments = appointments_of(request.user).select_related(*related)[:SHOWN]
    federations = officer_federations(request.user).order_by("name")
    # Staff see all: those where nobody acts yet have no officer to name.
    is_served = Exists(Appointment.objects.filter(federation=OuterRef("pk")))
    context = {
        "form": form,
        "appointments": [(one, may_end_appointment(one, by=request.user)) for one in appointments],
        "invitations": [(one, can_confirm(request.user, one)) for one in invitations],
        "federations": federations.filter(is_served | ~Q(officer_name="")),
    }
    return render(request, "desk/people/people.html", context)


def _invite(request: HttpRequest, form: InvitationForm) -> None:
    data = form.cleaned_data
    role, federation = data["role"], data["federation"]
    now = timezone.now()
    with transaction.atomic():
        # The email is a row, too: it is stored with the invitation, or neither is.
        invitation, token = invite(data["email"], role=role, federation=federation, by=request.user, at=now)
        # One member of staff alone could make themselves QC and Council.
        if invitation.needs_confirmation:
            text = _("The invitation for %(email)s is sent after a second person confirms it.")
        else:
            mail_invitation(invitation, token, at=now)
            text = _("An invitation was sent to %(email)s.")
    messages.success(request, text % {"email": invitation.email})


@require_POST
@requires(can_manage_people)
@proved
def confirm(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Confirm another user's invitation to a FIDE role, and send it."""
    invitation = get_object_or_404(invitations_of(request.user), pk=invitation_id)
    with refusals_in_messages(request), transaction.atomic():
        now = timezone.now()
        mail_invitation(invitation, confirm_invitation(invitation, by=request.user, at=now), at=now)
        messages.success(request, _("An invitation was sent to %(email)s.") % {"email": invitation.email})
    return redirect("people:people")


@require_POST
@requires(can_manage_people)
def withdraw(request: HttpRequest, invitation_id: int) -> HttpResponse:
    invitation = get_object_or_404(invitations_of(request.user), pk=invitation_id)
    if revoke_invitation(invitation, by=request.user, at=timezone.now()):
        messages.success(request, _("The invitation was cancelled. Its link no longer works."))
    return redirect("people:people")


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_manage_people)
@proved
def end(request: HttpRequest, appointment_id: int) -> HttpResponse:
    """Ask for confirmation, then end the role."""
    found = appointments_of(request.user).select_related("user", "federation")
    appointment = found.filter(pk=appointment_id).first()
    if request.method == "POST":
        with refusals_in_messages(request):
            if appointment is not None and end_appointment(appointment, by=request.user, at=timezone.now()):
                messages.success(request, _("The role was removed."))
        return redirect("people:people")
    # Somebody else has ended it, or it is one's own: there is nothing to confirm.
    if appointment is None or not may_end_appointment(appointment, by=request.user):
        return redirect("people:people")
    return render(request, "desk/people/end.html", {"appointment": appointment})
