"""Fields and checks shared by the forms about players."""

from __future__ import annotations

from datetime import date

from django import forms
from django.utils.translation import gettext as _

OLDEST_YEAR = 1900


def born_on(day: date) -> date:
    """Return a date of birth. Raise ValidationError if its year is too early."""
    if day.year < OLDEST_YEAR:
        raise forms.ValidationError(_("Enter a valid year."), code="year")
    return day
