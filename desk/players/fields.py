"""What several forms about players ask."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from players.models import Player
from players.permissions import players_of
from ratings.player_field import FormWithPlayer, PlayerField

OLDEST_YEAR = 1900


class PlayerChoice(FormWithPlayer):
    """The first step of a page about one player of the own federations."""

    player = PlayerField(label=_l("Name or FIDE ID of the player"))

    def clean_player(self) -> Player:
        player: Player = self.cleaned_data["player"]
        if not players_of(self.fields["player"].user).filter(pk=player.pk).exists():  # type: ignore[attr-defined]
            message = _("%(name)s is a player of %(federation)s.")
            values = {"name": player.name, "federation": player.federation.shown_name}
            raise forms.ValidationError(message % values, code="not-your-federation")
        return player


def choice_of(request: HttpRequest) -> tuple[PlayerChoice, Player | None]:
    """Return the first step with the player that the form or address names, None where it is none of one's own."""
    asked = request.POST if "player" in request.POST else request.GET
    choice = PlayerChoice(asked if "player" in asked else None, user=request.user)
    return choice, choice.cleaned_data["player"] if choice.is_valid() else None


class FormOfPlayer(FormWithPlayer):
    """The second step: the player of the first one is no field any more."""

    def __init__(self, *args: Any, chosen: Player | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if chosen:
            self.initial["player"] = chosen.pk
            self.fields["player"].widget = forms.HiddenInput()


class MembershipFields(forms.Form):
    """A form with what the register of a federation has of a player."""

    number = forms.CharField(label=_l("National number"), max_length=20, required=False)
    club = forms.CharField(label=_l("Club"), max_length=80, required=False)
    district = forms.CharField(label=_l("District"), max_length=80, required=False)


def check_year(day: date) -> None:
    """Raise ValidationError for a day of birth or death that nobody on a list can have."""
    if day.year < OLDEST_YEAR:
        raise forms.ValidationError(_("Enter a valid year."), code="year")
