"""The decision on a request to change a player's data."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from core.html.figures import day_text
from core.html.forms import PortalFormRenderer
from players.choices import Sex

LABELS = {
    "name": _l("Name"),
    "sex": _l("Sex"),
    "birth_year": _l("Year of birth"),
    "birth_date": _l("Birth date (private)"),
    "died_on": _l("Died on"),
}

SEXES = {str(sex.value): sex.label for sex in Sex}


class DecisionForm(forms.Form):
    """Granted or refused, with the reason."""

    default_renderer = PortalFormRenderer()

    decision = forms.ChoiceField(
        label=_l("Decision"),
        choices=[("grant", _l("grant: the data are changed")), ("refuse", _l("refuse"))],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_l("Reason"),
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l(
            "Of what is granted it is published with the correction; of a refusal the officer reads it."
        ),
    )


def labelled(changes: Mapping[str, tuple[Any, Any]]) -> list[tuple[str | Promise, Any, Any]]:
    """Return the fields of a correction by their labels, with what was and what will be in words."""
    return [(LABELS[name], _in_words(before), _in_words(after)) for name, (before, after) in changes.items()]


def _in_words(value: Any) -> Any:
    if isinstance(value, date):
        return day_text(value)
    return SEXES.get(value, value) if isinstance(value, str) else value
