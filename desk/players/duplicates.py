"""Suspected duplicates of a federation, each with a link that compares the two."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.html.forms import PortalForm, SortedChoiceField
from core.web.rates import heavy_work
from desk.access import requires
from players.models import Federation
from players.permissions import is_staff
from players.queries.suspects import suspected_duplicates


class FederationForm(PortalForm):
    """The federation whose players are compared."""

    federation = SortedChoiceField(Federation.objects.order_by(), label=_l("Federation"))


@require_safe
@requires(is_staff)
def duplicates(request: HttpRequest) -> HttpResponse:
    """Show the suspected duplicates of a federation, each with a link that compares the two."""
    form = FederationForm(request.GET or None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        with heavy_work(request):
            context["rows"] = suspected_duplicates(form.cleaned_data["federation"].pk)
    return render(request, "desk/players/duplicates.html", context)
