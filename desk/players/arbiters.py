"""Arbiters' licences, entered by FIDE staff."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.fields import DayInput
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from players.arbiters import arbiter_of, enter_licence
from players.choices import ArbiterCategory, ArbiterTitle
from players.models import ArbiterLicence
from players.permissions import is_staff
from ratings.player_field import FormWithPlayer, PlayerField

SHOWN = 100
UNKNOWN = ("", _l("not known"))


class LicenceForm(FormWithPlayer):
    """The title, category and licence of an arbiter."""

    player = PlayerField(label=_l("FIDE ID of the arbiter"))
    title = forms.ChoiceField(
        label=_l("Arbiter title"),
        choices=[UNKNOWN, *ArbiterTitle.choices],
        required=False,
        help_text=_l("The title on FIDE lists comes first."),
    )
    category = forms.ChoiceField(
        label=_l("Category"), choices=[UNKNOWN, *ArbiterCategory.choices], required=False
    )
    licensed_until = forms.DateField(label=_l("Licence valid until"), widget=DayInput, required=False)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def arbiters(request: HttpRequest) -> HttpResponse:
    """Show the latest licences, and enter one."""
    form = form_of(request, LicenceForm, user=request.user)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        player = values.pop("player")
        with refusals_shown(form):
            enter_licence(player, **values, by=request.user, at=timezone.now())
            messages.success(request, _("The licence of %(player)s was saved.") % {"player": player})
            return redirect("people:arbiters")
    rows = ArbiterLicence.objects.select_related("player", "entered_by").order_by("-entered_at", "player")
    context = {"form": form, "rows": [(row, arbiter_of(row.player)) for row in rows[:SHOWN]]}
    return render(request, "desk/players/arbiters.html", context)
