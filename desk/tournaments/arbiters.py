"""The chief arbiters of a tournament, named by its rating officer."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST

from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.proofs import proved
from core.web.typed_forms import form_of
from desk.access import requires_for_tournament
from players.choices import Role
from players.invitations import mail_invitation
from players.permissions import appointments_of
from players.spelling import fold
from tournaments.arbiters import address_of, end_naming, name_arbiter
from tournaments.models import Tournament
from tournaments.permissions import can_prepare, can_report


class NameForm(PortalForm):
    """The chief arbiter who may send the report."""

    email = forms.EmailField(
        label=_l("Email address of the chief arbiter"),
        max_length=254,
        help_text=_l("A person without an account gets an invitation by email."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
@proved
def arbiters(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the chief arbiters, and add one."""
    form, may_name = form_of(request, NameForm), can_prepare(request.user, tournament)
    if request.method == "POST" and not may_name:
        raise PermissionDenied
    known = _registered_arbiter(request.user, tournament) if may_name else None
    if known and request.POST.get("known") == str(known.pk):
        form = NameForm({"email": known.email})
    if form.is_valid() and request.method == "POST":
        with refusals_shown(form):
            _name(request, tournament, form.cleaned_data["email"])
            return redirect("desk:arbiters", tournament.event_id)
    named = tournament.named_arbiters.select_related("user", "invitation", "named_by")
    rows = [(one, address_of(one)) for one in named]
    context = {"tournament": tournament, "form": form, "rows": rows, "may_name": may_name, "known": known}
    return render(request, "desk/tournaments/arbiters.html", context)


def _registered_arbiter(user: Any, tournament: Tournament) -> Any:
    """Return the account of the arbiter whom the registration names, among those whose role the user sees.

    None where nobody or more than one person has this name, or where they are named already.
    """
    held = appointments_of(user).filter(
        role=Role.ARBITER, federation=tournament.federation_id, user__is_active=True
    )
    held = held.exclude(user__in=tournament.named_arbiters.filter(user__isnull=False).values("user"))
    name = fold(tournament.chief_arbiter)
    accounts = (one.user for one in held.select_related("user"))
    found = [one for one in accounts if fold(f"{one.last_name}, {one.first_name}") == name]
    return found[0] if len(found) == 1 else None


@require_POST
@requires_for_tournament(can_report)
def end(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Remove a chief arbiter."""
    named = get_object_or_404(tournament.named_arbiters, pk=pk)
    if end_naming(named, by=request.user, at=timezone.now()):
        messages.success(request, _("The chief arbiter was removed. Reports already sent are kept."))
    return redirect("desk:arbiters", tournament.event_id)


def _name(request: HttpRequest, tournament: Tournament, email: str) -> None:
    now = timezone.now()
    with transaction.atomic():
        # With its email in one transaction: an invitation that nobody gets would block the next one.
        _named, made = name_arbiter(tournament, email, by=request.user, at=now)
        if made is not None:
            invitation, token = made
            mail_invitation(invitation, token, at=now)
    text = _("%(email)s was added and invited by email.") if made else _("%(email)s was added.")
    messages.success(request, text % {"email": email})
