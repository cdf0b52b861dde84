"""What several forms about players ask."""

from __future__ import annotations

from datetime import date

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

OLDEST_YEAR = 1900


class MembershipFields(forms.Form):
    """A form with what the register of a federation has of a player."""

    number = forms.CharField(label=_l("National number"), max_length=20, required=False)
    club = forms.CharField(label=_l("Club"), max_length=80, required=False)
    district = forms.CharField(label=_l("District"), max_length=80, required=False)


def check_year(day: date) -> None:
    """Raise ValidationError for a day of birth or death that nobody on a list can have."""
    if day.year < OLDEST_YEAR:
        raise forms.ValidationError(_("Enter a valid year."), code="year")
