"""Naming the chief arbiters who may hand a tournament's report over."""

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

from desk.access import requires_for_tournament
from desk.tournaments.handover_forms import NameForm
from players.services.invitations import mail_invitation
from tournaments.errors import RefusedError
from tournaments.models import Tournament
from tournaments.permissions import can_name_arbiters
from tournaments.registration_form import add_refusals
from tournaments.services.arbiters import address_of, end_naming, name_arbiter


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_name_arbiters)
def arbiters(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show who may hand the report over, and name somebody."""
    form = NameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _name(request, tournament, form.cleaned_data["email"])
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            return redirect("desk:arbiters", tournament.event_id)
    named = tournament.named_arbiters.select_related("user", "invitation", "named_by")
    rows = [(one, address_of(one)) for one in named]
    return render(
        request, "desk/tournaments/arbiters.html", {"tournament": tournament, "form": form, "rows": rows}
    )


@require_POST
@requires_for_tournament(can_name_arbiters)
def end(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """End a naming."""
    named = get_object_or_404(tournament.named_arbiters, pk=min(pk, 2**63 - 1))
    if end_naming(named, by=request.user, at=timezone.now()):
        messages.success(request, _("The naming is ended; what was handed over stays."))
    return redirect("desk:arbiters", tournament.event_id)


def _name(request: HttpRequest, tournament: Tournament, email: str) -> None:
    now = timezone.now()
    with transaction.atomic():
        _named, made = name_arbiter(tournament, email, by=request.user, at=now)
        if made is not None:
            invitation, token = made
            link = settings.SITE_URL.rstrip("/") + reverse("invitation", args=[token])
            mail_invitation(invitation, link=link, at=now)
    text = _("%(email)s is named and invited by mail.") if made else _("%(email)s is named.")
    messages.success(request, text % {"email": email})
