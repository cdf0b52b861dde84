"""The page on which staff correct what is recorded of a player: first the effect, then the deed (D-11)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import RefusedError
from players.choices import Sex
from players.models import Federation, Player
from players.permissions import is_staff
from players.queries.names import LARGEST_ID
from ratings.admin.correcting import with_players
from ratings.services.corrections.players import FIELDS, PlayerEffect, correct_player

LABELS = {
    "name": _l("Name"),
    "federation_id": _l("Federation"),
    "sex": _l("Sex"),
    "birth_year": _l("Year of birth"),
    "died_on": _l("Date of death"),
    "birth_date": _l("Date of birth (private)"),
}


class PlayerForm(forms.Form):
    """What is recorded of a player, and why it is corrected."""

    name = forms.CharField(label=LABELS["name"], max_length=100)
    federation_id = forms.CharField(label=LABELS["federation_id"], max_length=3)
    sex = forms.ChoiceField(label=LABELS["sex"], choices=Sex.choices, required=False)
    birth_year = forms.IntegerField(
        label=LABELS["birth_year"], min_value=1850, max_value=2200, required=False
    )
    birth_date = forms.DateField(label=LABELS["birth_date"], required=False)
    died_on = forms.DateField(label=LABELS["died_on"], required=False)
    reason = forms.CharField(
        label=_l("Reason (public)"), widget=forms.Textarea(attrs={"rows": 3}), max_length=2000
    )

    def clean_federation_id(self) -> str:
        """Find the federation."""
        code = str(self.cleaned_data["federation_id"]).strip().upper()
        if not Federation.objects.filter(pk=code).exists():
            raise forms.ValidationError(_("No federation has this code."))
        return code

    def clean(self) -> dict[str, Any]:
        """Hold the dates of birth against each other; the day of death is the service's (D-74)."""
        cleaned = super().clean() or self.cleaned_data
        born, year = cleaned.get("birth_date"), cleaned.get("birth_year")
        if born and born.year != year:
            self.add_error("birth_year", _("The date of birth is in a different year."))
        if year and year > timezone.now().year:
            self.add_error("birth_year", _("This year has not started yet."))
        return cleaned


class WhoForm(forms.Form):
    """Whose data are corrected."""

    fide_id = forms.IntegerField(label=_l("FIDE ID"), min_value=1, max_value=LARGEST_ID)

    def clean_fide_id(self) -> int:
        """Find the player."""
        fide_id = int(self.cleaned_data["fide_id"])
        player = Player.objects.filter(pk=fide_id).first()
        if player is None:
            raise forms.ValidationError(_("No player has this FIDE ID. Check the number."))
        self.player = player
        return fide_id


def player_page(page: admin.ModelAdmin[Any], request: HttpRequest) -> HttpResponse:
    """Ask for the player, show the form, then the effect; correct when it is confirmed. FIDE staff only."""
    if not is_staff(request.user):
        raise PermissionDenied
    who = WhoForm(request.GET if "fide_id" in request.GET else None)
    context = {
        **page.admin_site.each_context(request),
        "title": _("Correct player data"),
        "opts": page.opts,
    }
    if not who.is_valid():
        return render(request, "admin/ratings/player.html", {**context, "who": who})
    form = PlayerForm(request.POST or None, initial={name: getattr(who.player, name) for name in FIELDS})
    effect = None
    if request.method == "POST" and form.is_valid():
        is_confirmed = "confirm" in request.POST
        effect = _effect(who.player, form, by=request.user, is_dry_run=not is_confirmed)
        if effect and is_confirmed:
            messages.success(request, _("%(player)s was corrected.") % {"player": who.player})
            return redirect("admin:players_player_change", who.player.pk)
    context |= {"who": who, "form": form, "player": who.player, **_shown(effect)}
    return render(request, "admin/ratings/player.html", context)


def _effect(player: Player, form: PlayerForm, *, by: Any, is_dry_run: bool) -> PlayerEffect | None:
    data = {name: form.cleaned_data[name] for name in FIELDS}
    try:
        return correct_player(
            player,
            data,
            reason=form.cleaned_data["reason"],
            by=by,
            at=timezone.now(),
            is_dry_run=is_dry_run,
        )
    except RefusedError as error:
        for refusal in error.refusals:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return None


def _shown(effect: PlayerEffect | None) -> dict[str, Any]:
    if effect is None:
        return {"effect": None}
    changes = [(LABELS[name], *pair) for name, pair in effect.changes.items()]
    return {"effect": effect, "changes": changes, "rows": with_players(effect.lines)}
