"""The filters that the list of tournaments and the calendar by month share."""

from __future__ import annotations

from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _l

from public.filters import ALL, PlainSelect
from public.tournaments.near import NAMES as NEAR
from public.tournaments.near import NearForm
from ratings.events import CalendarFilter
from tournaments.choices import Kind, Registration
from tournaments.states import FILTER_STATES

# The filters that the list and the calendar by month have.
SHARED = ("q", "kind", "federation", "state", "month", *NEAR)

MORE = ("state", "month")
# The filters that a phone has in the sheet.
IN_SHEET = (*MORE, "kind", "federation", "town")

# In the words of `public_state`.
PUBLIC_STATES = [
    (key, _l("not approved yet") if key == Registration.WAITING else label) for key, label in FILTER_STATES
]


class TournamentFilters(NearForm):
    """The filters of the tournaments, whether they are seen as a list or by month."""

    q = forms.CharField(
        label=_l("Name or place"),
        max_length=100,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _l("Name or place")}),
    )
    kind = forms.ChoiceField(label=_l("Rating type"), choices=[ALL, *Kind.choices], widget=PlainSelect)
    federation = forms.ChoiceField(label=_l("Federation"), widget=PlainSelect)
    state = forms.ChoiceField(label=_l("Status"), choices=[ALL, *PUBLIC_STATES], widget=PlainSelect)

    def read_filter(self) -> CalendarFilter | None:
        """Return the filter, or None if a field is invalid; a town that is not known filters nothing."""
        if self.errors.keys() - {"town"}:
            return None
        values = {name: value for name, value in self.cleaned_data.items() if name not in NEAR}
        return CalendarFilter(name_or_place=values.pop("q"), **values)


def other_view(page: str, query: QueryDict, **others: str) -> str:
    """Return the address of the list or of the calendar by month with the filters that both have."""
    kept = {name: value for name in SHARED if (value := query.get(name))} | others
    return f"{reverse(page)}?{urlencode(kept)}" if kept else reverse(page)
