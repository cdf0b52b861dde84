"""What a reader asks a list, a search or the calendar for, checked: a wrong value is said at its field."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from html import escape
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from core.html.figures import list_month
from players.choices import Continent, Sex, Title
from players.models import Federation
from players.queries.minors import Minors
from players.queries.names import find_ids
from ratings.queries.entries import Filter
from ratings.queries.events import CalendarFilter
from tournaments.choices import Kind
from tournaments.queries.progress import FILTER_STATES

ALL: tuple[str, str | Promise] = ("", _("all"))
HIGHEST_RATING = 9999


class PlainSelect(forms.Select):
    """A choice, written at once: a template for each of 200 federations and of all months costs more than the list."""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        given = self.build_attrs(self.attrs, attrs)
        chosen = str(value or "")
        options = (
            f'<option value="{escape(str(key))}"{" selected" if str(key) == chosen else ""}>'
            f"{escape(str(label))}</option>"
            for key, label in self.choices
        )
        return format_html(
            '<select name="{}"{}>{}</select>', name, flatatt(given), mark_safe("".join(options))
        )


class FilterForm(forms.Form):
    """A form of a page's address: nothing is required and no label ends with a colon."""

    use_required_attribute = False

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, label_suffix="", auto_id="filter-%s")
        for field in self.fields.values():
            field.required = False
        if "federation" in self.fields:
            self.fields["federation"].choices = [ALL, *federation_choices()]  # type: ignore[attr-defined]


class ListFilterForm(FilterForm):
    """Filters of a rating list."""

    q = forms.CharField(label=_("Name or FIDE ID"), max_length=100)
    federation = forms.ChoiceField(label=_("Federation"), widget=PlainSelect)
    continent = forms.ChoiceField(label=_("Continent"), choices=[ALL, *Continent.choices], widget=PlainSelect)
    sex = forms.ChoiceField(label=_("Sex"), choices=[ALL, *Sex.choices], widget=PlainSelect)
    title = forms.ChoiceField(
        label=_("Title"), choices=[ALL, *((value, value) for value in Title.values)], widget=PlainSelect
    )
    born_from = forms.IntegerField(label=_("Born from"), min_value=1850, max_value=2100)
    born_to = forms.IntegerField(label=_("Born to"), min_value=1850, max_value=2100)
    rating_from = forms.IntegerField(label=_("Rating from"), min_value=0, max_value=HIGHEST_RATING)
    rating_to = forms.IntegerField(label=_("Rating to"), min_value=0, max_value=HIGHEST_RATING)
    active = forms.BooleanField(label=_("Active players only"))
    compare = forms.ChoiceField(label=_("Change since"), widget=PlainSelect)

    def __init__(self, data: QueryDict, *, days: Sequence[date]) -> None:
        super().__init__(data)
        months = [(day.isoformat(), list_month(day)) for day in days]
        self.fields["compare"].choices = [("", _("the list before")), *months]  # type: ignore[attr-defined]

    def chosen(self, minors: Minors) -> Filter | None:
        """Return the filter, None where a field is wrong; minors are found by whole age bands."""
        if not self.is_valid():
            return None
        values = dict(self.cleaned_data)
        words, _compare = values.pop("q"), values.pop("compare")
        player_ids = tuple(find_ids(words)[0]) if words else None
        return Filter(is_active=values.pop("active"), player_ids=player_ids, minors=minors, **values)


class CalendarForm(FilterForm):
    """Filters of the calendar."""

    q = forms.CharField(label=_("Name"), max_length=100)
    kind = forms.ChoiceField(label=_("Kind"), choices=[ALL, *Kind.choices], widget=PlainSelect)
    federation = forms.ChoiceField(label=_("Federation"), widget=PlainSelect)
    state = forms.ChoiceField(label=_("State"), choices=[ALL, *FILTER_STATES], widget=PlainSelect)
    month = forms.DateField(
        label=_("Month of the first day"),
        input_formats=["%Y-%m"],
        widget=forms.DateInput(attrs={"type": "month"}, format="%Y-%m"),
    )

    def chosen(self) -> CalendarFilter | None:
        """Return the filter, None where a field is wrong."""
        if not self.is_valid():
            return None
        values = dict(self.cleaned_data)
        return CalendarFilter(words=values.pop("q"), **values)


class CalendarMonthForm(FilterForm):
    """Filters of the calendar by month."""

    month = forms.CharField(
        label=_("Month"),
        max_length=7,
        widget=forms.TextInput(attrs={"type": "month", "pattern": r"\d{4}-\d{2}"}),
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=[ALL, *Kind.choices], widget=PlainSelect)
    federation = forms.ChoiceField(label=_("Federation"), widget=PlainSelect)


class SearchForm(FilterForm):
    """The words of a search."""

    q = forms.CharField(label=_("Name or FIDE ID"), max_length=100)

    def words(self) -> str:
        """Return what was asked for, empty where it cannot be looked for."""
        return str(self.cleaned_data["q"]) if self.is_valid() else ""


def federation_choices() -> list[tuple[str, str]]:
    """Return the federations as choices, in one query."""
    rows = Federation.objects.order_by("code").values_list("code", "name")
    return [(code, f"{code} {name}") for code, name in rows]
