"""Titles granted by FIDE, entered by FIDE staff."""

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
from players.choices import Title
from players.models import TitleGrant
from players.permissions import is_staff
from players.titles import grant_title
from ratings.player_field import FormWithPlayer, PlayerField

SHOWN = 100


class TitleForm(FormWithPlayer):
    """A title with the date from which lists show it."""

    player = PlayerField(label=_l("Name or FIDE ID of the player"))
    title = forms.ChoiceField(label=_l("Title"), choices=[("", _l("Select a title")), *Title.choices])
    granted_on = forms.DateField(label=_l("Date of the title"), widget=DayInput)
    reference = forms.CharField(
        label=_l("Decision"), max_length=200, help_text=_l("The meeting and the document.")
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def titles(request: HttpRequest) -> HttpResponse:
    """Show the latest titles, and add one."""
    form = form_of(request, TitleForm, user=request.user)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        player, title = values.pop("player"), values.pop("title")
        with refusals_shown(form):
            made = grant_title(player, title, **values, by=request.user, at=timezone.now())
            message = _("%(player)s: %(title)s added. Lists show it from its date.")
            messages.success(request, message % {"player": player, "title": made.title})
            return redirect("people:titles")
    rows = TitleGrant.objects.select_related("player", "by").order_by("-at", "-pk")[:SHOWN]
    return render(request, "desk/players/titles.html", {"form": form, "rows": rows})
