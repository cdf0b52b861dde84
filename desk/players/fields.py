"""What the forms about players ask of a day of birth or death."""

from __future__ import annotations

from datetime import date

from django import forms
from django.utils.translation import gettext as _

OLDEST_YEAR = 1900


def check_year(day: date) -> None:
    """Raise ValidationError for a day of birth or death that nobody on a list can have."""
    if day.year < OLDEST_YEAR:
        raise forms.ValidationError(_("Enter a valid year."), code="year")
