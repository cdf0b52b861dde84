"""Suspected duplicates of a federation: compared, or told apart for good."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_POST, require_safe

from core.html.fields import SortedChoiceField
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages
from core.web.heavy_work import heavy_work
from desk.access import requires
from players.duplicates import (
    Suspicion,
    distinct_pairs,
    suspect_again,
    suspected_duplicates,
    tell_apart,
)
from players.models import Federation
from players.permissions import is_staff
from ratings.player_field import PlayerField

# So many of the pairs that were told apart are shown.
APART_SHOWN = 50
REASONS = {
    Suspicion.NAME: _l("the same name"),
    Suspicion.BIRTHDAY: _l("the same date of birth"),
    Suspicion.TRANSFER: _l("same name, one has left the federation"),
}


class FederationForm(PortalForm):
    """The federation whose players are compared."""

    federation = SortedChoiceField(Federation.objects.order_by(), label=_l("Federation"))


class PairForm(forms.Form):
    """Two players who look like one."""

    player = PlayerField()
    other = PlayerField()


@require_safe
@requires(is_staff)
def duplicates(request: HttpRequest) -> HttpResponse:
    """Show the suspected duplicates of a federation, each with a link that compares the two."""
    # Without a query the form is not bound: no error is shown before anything was asked for.
    form = FederationForm(request.GET or None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        # A large federation has many players to compare: only a few such pages are made at once.
        with heavy_work(request):
            code = form.cleaned_data["federation"].pk
            context |= {"code": code, "rows": suspected_duplicates(code)}
            context |= {"apart": distinct_pairs(code)[:APART_SHOWN], "reasons": REASONS}
    return render(request, "desk/players/duplicates.html", context)


@require_POST
@requires(is_staff)
def decide(request: HttpRequest) -> HttpResponse:
    """Tell two suspected players apart, or suspect them again."""
    form = PairForm(request.POST)
    if not form.is_valid():
        raise Http404
    player, other = form.cleaned_data["player"], form.cleaned_data["other"]
    names = {"one": player, "other": other}
    with refusals_in_messages(request):
        if request.POST.get("step") == "again":
            suspect_again(player, other, by=request.user, at=timezone.now())
            messages.success(request, _("%(one)s and %(other)s are suspected again.") % names)
        else:
            tell_apart(player, other, by=request.user, at=timezone.now())
            messages.success(request, _("%(one)s and %(other)s are different persons.") % names)
    code = request.POST.get("federation", "")
    return redirect(f"{reverse('people:duplicates')}?{urlencode({'federation': code})}")
