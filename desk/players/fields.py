"""Fields and checks shared by the forms about players."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from players.models import Player
from players.queries.names import LARGEST_ID

OLDEST_YEAR = 1900


class FideIdField(forms.IntegerField):
    """A FIDE ID. The cleaned value is the player."""

    def __init__(self, **kwargs: Any) -> None:
        # IDs often differ in the last digit only: show all digits. A text input also ignores the mouse wheel.
        widget = forms.TextInput(attrs={"inputmode": "numeric", "size": len(str(LARGEST_ID))})
        super().__init__(min_value=1, max_value=LARGEST_ID, widget=widget, **kwargs)

    def clean(self, value: Any) -> Any:
        number = super().clean(value)
        player = Player.objects.filter(pk=number).first() if number is not None else None
        if number is not None and player is None:
            raise forms.ValidationError(_("No player has this FIDE ID. Check the number."), code="unknown")
        return player


def born_on(day: date) -> date:
    """Return a date of birth. Raise ValidationError if its year is too early."""
    if day.year < OLDEST_YEAR:
        raise forms.ValidationError(_("Enter a valid year."), code="year")
    return day
