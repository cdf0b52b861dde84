"""What a reader asks the list of an arena for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from public.filters import FilterForm

FIRST_YEAR, LAST_YEAR = 1990, 2999


class InstantInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def format_value(self, value: Any) -> Any:
        """Keep what was typed."""
        return value


class ListForm(FilterForm):
    """Part of a handle, an instant, and whether members without a rating are wanted."""

    q = forms.CharField(label=_("Handle"), required=False, max_length=60)
    at = forms.CharField(label=_("As of (UTC)"), required=False, max_length=40, widget=InstantInput)
    show = forms.ChoiceField(
        label=_("Members"), required=False, choices=[("", _("rated")), ("unrated", _("unrated"))]
    )

    def clean_at(self) -> datetime | None:
        """Return the instant; one without an offset is in UTC, a day is its first instant."""
        text = self.cleaned_data["at"]
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
            moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            moment = None
        if moment is None or not FIRST_YEAR <= moment.year <= LAST_YEAR:
            raise forms.ValidationError(_("Write an instant as 2026-02-01T12:30, in UTC."))
        return moment
