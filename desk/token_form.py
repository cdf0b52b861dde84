"""The form by which an officer gets a token for a program."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from players.models import Federation
from players.permissions import federations_of, is_staff
from tournaments.choices import Verb


class TokenForm(forms.Form):
    """What the token is for: its name, the federation, and what the program may do."""

    default_renderer = PortalFormRenderer()

    name = forms.CharField(
        label=_l("Name"), max_length=60, help_text=_l("Which program on which machine will use it.")
    )
    federation = forms.ModelChoiceField(
        label=_l("Federation"), queryset=Federation.objects.none(), empty_label=None
    )
    verbs = forms.MultipleChoiceField(
        label=_l("It may"), choices=Verb, widget=forms.CheckboxSelectMultiple, initial=[Verb.READ.value]
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        everybody = Federation.objects.order_by("name")
        mine = everybody if is_staff(user) else everybody.filter(pk__in=federations_of(user))
        self.fields["federation"].queryset = mine  # type: ignore[attr-defined]
