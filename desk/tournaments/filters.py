"""The filters above the list of tournaments."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from tournaments.choices import Kind
from tournaments.queries.states import FILTER_STATES


class TournamentFilter(forms.Form):
    """Name, kind and state; whoever sees more than one federation may choose one."""

    default_renderer = PortalFormRenderer()

    q = forms.CharField(label=_l("Name or event ID"), max_length=100, required=False)
    kind = forms.ChoiceField(label=_l("Kind"), required=False, choices=[("", _l("any")), *Kind.choices])
    state = forms.ChoiceField(label=_l("State"), required=False, choices=[("", _l("any")), *FILTER_STATES])
    federation = forms.CharField(
        label=_l("Federation"), max_length=3, required=False, widget=forms.TextInput(attrs={"size": 3})
    )

    def __init__(self, *args: Any, has_federation: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_federation:
            del self.fields["federation"]

    def wanted(self) -> dict[str, str]:
        """Return the filters that were set; what is not valid is none."""
        return {name: value for name, value in self.cleaned_data.items() if value} if self.is_valid() else {}
