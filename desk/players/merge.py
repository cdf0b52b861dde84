"""Merging duplicate players, with a preview."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.errors import refusals_shown
from core.html.forms import PortalForm
from desk.access import requires
from desk.players.fields import FideIdField
from players.permissions import is_staff
from players.services.merging import merge_players, preview_merge


class MergeForm(PortalForm):
    """Two FIDE IDs of one player, and the reason for merging."""

    player = FideIdField(
        label=_l("Duplicate FIDE ID"), help_text=_l("It redirects to the other ID permanently.")
    )
    into = FideIdField(label=_l("FIDE ID to keep"))
    reason = forms.CharField(
        label=_l("Reason"),
        max_length=400,
        help_text=_l("Saved and published in the correction log."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def merge(request: HttpRequest) -> HttpResponse:
    """Merge duplicate players after a preview."""
    form = MergeForm(request.POST or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        player, into = form.cleaned_data["player"], form.cleaned_data["into"]
        with refusals_shown(form):
            if request.POST.get("step") == "merge":
                reason = form.cleaned_data["reason"]
                merge_players(player, into=into, reason=reason, by=request.user, at=timezone.now())
                message = _("%(old)s now redirects to %(new)s.")
                messages.success(request, message % {"old": player.pk, "new": into.pk})
                return redirect("people:merge")
            found = preview_merge(player, into=into)
            is_possible = not any(item.is_obstacle for item in found)
            context |= {"going": player, "staying": into, "found": found, "is_possible": is_possible}
    return render(request, "desk/players/merge.html", context)
