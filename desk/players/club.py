"""The national number and the club of one player."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from desk.players.fields import FormOfPlayer, MembershipFields, choice_of
from players.members import memberships_of, set_membership
from players.models import Membership
from players.permissions import can_register
from ratings.player_field import PlayerField

SHOWN = 50


class MembershipForm(MembershipFields, FormOfPlayer):
    """A player with the number and the club from today on."""

    player = PlayerField(label=_l("Name or FIDE ID of the player"))
    field_order = ("player",)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def club(request: HttpRequest) -> HttpResponse:
    """Enter number and club of a player, and show the player's clubs with their days."""
    choice, player = choice_of(request)
    held = memberships_of([player.pk]).get(player.pk) if player else None
    initial = {"number": held.number, "club": held.club, "district": held.district} if held else {}
    form = form_of(request, MembershipForm, user=request.user, chosen=player, initial=initial)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        chosen = values.pop("player")
        with refusals_shown(form):
            set_membership(chosen, **values, by=request.user, at=timezone.now())
            messages.success(request, _("Saved."))
            return redirect(f"{request.path}?player={chosen.pk}")
    rows = (
        Membership.objects.filter(player=player, federation=player.federation_id).order_by("-since")[:SHOWN]
        if player
        else []
    )
    context = {"choice": choice, "form": form, "chosen": player, "rows": rows}
    return render(request, "desk/players/club.html", context)
