"""Titles that FIDE granted, entered by FIDE staff."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import RefusedError
from core.web.refusals import add_refusals
from core.web.typed import typed
from desk.access import requires
from desk.players.forms import TitleForm
from players.models import TitleGrant
from players.permissions import can_manage_players
from players.services.titles import grant_title

SHOWN = 100


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_manage_players)
def titles(request: HttpRequest) -> HttpResponse:
    """Show the titles that were entered last, and enter one."""
    form = TitleForm(request.POST or typed(request))
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        player, title = values.pop("player"), values.pop("title")
        try:
            made = grant_title(player, title, **values, by=request.user, at=timezone.now())
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            message = _("%(player)s: %(title)s is recorded; lists show it from its day on.")
            messages.success(request, message % {"player": player, "title": made.title})
            return redirect("people:titles")
    rows = TitleGrant.objects.select_related("player", "by").order_by("-at", "-pk")[:SHOWN]
    return render(request, "desk/players/titles.html", {"form": form, "rows": rows})
