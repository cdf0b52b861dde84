"""The filter of the trail."""

from __future__ import annotations

from datetime import date

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from tournaments.queries.trail import KINDS, TrailFilter

# The day after it is asked for, and the calendar has one.
LAST_DAY = date(9998, 12, 31)


class TrailForm(forms.Form):
    """Who, about what, which kind, from which day to which (UTC)."""

    default_renderer = PortalFormRenderer()

    person = forms.CharField(label=_l("Person (e-mail)"), max_length=120, required=False)
    object = forms.CharField(label=_l("Event ID, FIDE ID or federation"), max_length=120, required=False)
    kind = forms.ChoiceField(label=_l("About"), choices=[("", _l("everything")), *KINDS], required=False)
    since = forms.DateField(label=_l("From"), widget=forms.DateInput(attrs={"type": "date"}), required=False)
    until = forms.DateField(
        label=_l("To"),
        widget=forms.DateInput(attrs={"type": "date"}),
        required=False,
        validators=[MaxValueValidator(LAST_DAY)],
    )

    def wanted(self) -> TrailFilter | None:
        """Return the filter, None for one that makes no sense."""
        return TrailFilter(**self.cleaned_data) if self.is_valid() else None
