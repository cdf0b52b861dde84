"""People: who holds which role, invitations, and the designated officer of a federation."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import RefusedError
from core.web.refusals import add_refusals
from desk.access import requires
from desk.people_forms import DesignatedOfficerForm, InvitationForm
from players.permissions import appointments_of, can_manage_people, invitations_of, officer_federations
from players.services.invitations import end_appointment, invite, mail_invitation, revoke_invitation

SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_manage_people)
def people(request: HttpRequest) -> HttpResponse:
    """Show who is appointed and invited, and take an invitation."""
    form = InvitationForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            _invite(request, form)
        except RefusedError as error:
            if error.refusals[0].code == "invited-just-now":
                return redirect("people:people")
            add_refusals(form, error.refusals)
        else:
            return redirect("people:people")
    related = ("user", "federation")
    waiting = invitations_of(request.user).open_at(timezone.now()).select_related("federation", "invited_by")
    context = {
        "form": form,
        "appointments": appointments_of(request.user).select_related(*related)[:SHOWN],
        "invitations": waiting[:SHOWN],
        "federations": officer_federations(request.user).order_by("name"),
    }
    return render(request, "desk/people/people.html", context)


def _invite(request: HttpRequest, form: InvitationForm) -> None:
    data = form.cleaned_data
    role, federation = data["role"], data["federation"]
    now = timezone.now()
    with transaction.atomic():
        invitation, token = invite(data["email"], role=role, federation=federation, by=request.user, at=now)
        link = settings.SITE_URL.rstrip("/") + reverse("invitation", args=[token])
        mail_invitation(invitation, link=link, at=now)
    messages.success(request, _("%(email)s is invited by mail.") % {"email": invitation.email})


@require_POST
@requires(can_manage_people)
def withdraw(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Withdraw an invitation."""
    invitation = get_object_or_404(invitations_of(request.user), pk=invitation_id)
    if revoke_invitation(invitation, by=request.user, at=timezone.now()):
        messages.success(request, _("The invitation is withdrawn; its link no longer works."))
    return redirect("people:people")


@require_POST
@requires(can_manage_people)
def end(request: HttpRequest, appointment_id: int) -> HttpResponse:
    """End an appointment."""
    appointment = appointments_of(request.user).filter(pk=appointment_id).first()
    try:
        if appointment is not None and end_appointment(appointment, by=request.user):
            messages.success(request, _("The appointment is ended."))
    except RefusedError as error:
        messages.error(request, str(error))
    return redirect("people:people")


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_manage_people)
def officer(request: HttpRequest, code: str) -> HttpResponse:
    """Show and take the designated officer of a federation (FIDE R&B 2024, 8.3)."""
    federation = get_object_or_404(officer_federations(request.user), code=code)
    form = DesignatedOfficerForm(request.POST or None, instance=federation)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("The page of the federation shows this officer."))
        return redirect("people:people")
    return render(request, "desk/people/officer.html", {"form": form, "federation": federation})
