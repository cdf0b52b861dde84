"""The filters of a rating list: form, active filters, presets, sort order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.dates import list_month
from core.html.paging import query_url
from core.html.tables import Column
from players.choices import Continent, Sex, Title
from players.minors import Minors
from players.names import find_ids
from public.filters import ALL, FilterForm, PlainSelect
from ratings.entries import Filter
from ratings.highlights import JUNIOR_AGE
from ratings.ledger.figures import TABLE_FIGURES
from ratings.models import RatingList
from tournaments.lists import Lists

HIGHEST_RATING = 9999
MORE = [
    "continent", "sex", "rating_from", "rating_to", "born_from", "born_to", "club", "district", "title", "active",
    "compare",
]  # fmt: skip
# Query parameters that are not filters.
ORDER = ("sort", "rows")


class ListFilterForm(FilterForm):
    q = forms.CharField(label=_l("Name or FIDE ID"), max_length=100)
    federation = forms.ChoiceField(label=_l("Federation"), widget=PlainSelect)
    continent = forms.ChoiceField(
        label=_l("Continent"), choices=[ALL, *Continent.choices], widget=PlainSelect
    )
    sex = forms.ChoiceField(label=_l("Sex"), choices=[ALL, *Sex.choices], widget=PlainSelect)
    title = forms.ChoiceField(
        label=_l("Title"), choices=[ALL, *((value, value) for value in Title.values)], widget=PlainSelect
    )
    born_from = forms.IntegerField(label=_l("Born in or after"), min_value=1850, max_value=2100)
    born_to = forms.IntegerField(label=_l("Born in or before"), min_value=1850, max_value=2100)
    rating_from = forms.IntegerField(label=_l("Rating from"), min_value=0, max_value=HIGHEST_RATING)
    rating_to = forms.IntegerField(label=_l("Rating to"), min_value=0, max_value=HIGHEST_RATING)
    club = forms.CharField(label=_l("Club"), max_length=80)
    district = forms.CharField(label=_l("District"), max_length=80)
    active = forms.BooleanField(label=_l("Active players only"))
    compare = forms.ChoiceField(label=_l("Change since"), widget=PlainSelect)

    def __init__(self, data: QueryDict, *, days: Sequence[date]) -> None:
        super().__init__(data)
        months = [(day.isoformat(), list_month(day)) for day in days]
        self.fields["compare"].choices = [("", _l("the previous list")), *months]  # type: ignore[attr-defined]
        self.fields["q"].widget = forms.TextInput(
            attrs={"type": "search", "placeholder": self.fields["q"].label, "autocomplete": "off"}
        )

    def read_filter(self, minors: Minors) -> Filter | None:
        """Return the filter, or None if a field is invalid. Minors match by whole age bands."""
        if not self.is_valid():
            return None
        values = dict(self.cleaned_data)
        words, _compare = values.pop("q"), values.pop("compare")
        player_ids = tuple(find_ids(words)[0]) if words else None
        return Filter(is_active=values.pop("active"), player_ids=player_ids, minors=minors, **values)

    def hidden(self) -> list[tuple[str, str]]:
        """Return the query parameters that are not filters, as hidden fields."""
        return [(name, self.data[name]) for name in ORDER if self.data.get(name)]


def compared_with(form: ListFilterForm, lists: Lists[RatingList], chosen: RatingList) -> RatingList | None:
    """Return the list to compare with: the requested one, else the previous one."""
    day = form.cleaned_data.get("compare") if form.is_valid() else ""
    return lists.on(chosen.kind, date.fromisoformat(day)) if day else lists.previous(chosen)


@dataclass(frozen=True, slots=True)
class Chip:
    """An active filter: its label, and the URL of the list without it."""

    label: str | Promise
    url: str


def filter_chips(form: ListFilterForm, query: QueryDict) -> list[Chip]:
    """Return the active filters in the order of the form, none if it is invalid."""
    if not form.is_valid():
        return []
    return [
        Chip(_chip_label(form, name, value), query_url(query, **{name: None}))
        for name, value in form.cleaned_data.items()
        if value not in ("", None, False)
    ]


def _chip_label(form: ListFilterForm, name: str, value: Any) -> str | Promise:
    field = form.fields[name]
    if name == "q":
        return f"“{value}”"
    if name == "active":
        return _("Active")
    if name == "compare":
        return f"{field.label} {list_month(date.fromisoformat(value))}"
    if isinstance(field, forms.ChoiceField):
        return str(value) if name == "federation" else dict(field.choices)[value]  # type: ignore[arg-type]
    return f"{field.label} {value}"


def filter_presets(chosen: RatingList, query: QueryDict) -> list[list[tuple[Any, str]]]:
    """Return the usual selections of a list with their URLs, continents last. Ages are as of the list's year.

    A selection replaces the others of its kind and keeps all other filters.
    """
    year = chosen.date.year
    parts: list[tuple[Any, dict[str, Any]]] = [
        (_("Open"), {}),
        (_("Women"), {"sex": "F"}),
        (_("Juniors"), {"born_from": year - JUNIOR_AGE}),
        (_("Girls"), {"sex": "F", "born_from": year - JUNIOR_AGE}),
        (_("Seniors 50+"), {"born_to": year - 50}),
        (_("Seniors 65+"), {"born_to": year - 65}),
    ]
    continents = [(label, {"continent": code}) for code, label in Continent.choices]

    def links(row: Sequence[tuple[Any, dict[str, Any]]], *replaced: str) -> list[tuple[Any, str]]:
        return [
            (label, query_url(query, **dict.fromkeys((*replaced, "mark")) | wanted, active="on"))
            for label, wanted in row
        ]

    return [links(parts, "sex", "born_from", "born_to"), links(continents, "continent")]


def list_columns(compared: RatingList | None, *, has_places: bool) -> list[Column]:
    """Return the columns of a list. The change column exists only with a list to compare with."""
    since = _("since %(month)s") % {"month": list_month(compared.date)} if compared else ""
    places = [Column(_("Rank"), numeric=True)] if has_places else []
    return [
        *places,
        Column(_("Name"), "name"),
        Column(_("Fed."), abbr=_("Federation")),
        Column(_("Born"), "born", numeric=True, falling_first=True),
        Column(_("Rating"), "rating", numeric=True, falling_first=True),
        Column(_("Change"), "change" if compared else "", numeric=True, falling_first=True, abbr=since),
        *(
            Column(figure.heading, figure.sort, numeric=True, falling_first=bool(figure.sort))
            for figure in TABLE_FIGURES
        ),
    ]


def sort_options(query: QueryDict, sort: str, *, has_changes: bool) -> Iterator[tuple[Any, str, bool]]:
    """Yield each sort order as label, URL and whether it is active, for screens without column headings."""
    labels = {
        "-rating": _("Rating, highest first"),
        "rating": _("Rating, lowest first"),
        "name": _("Name, A to Z"),
        "-name": _("Name, Z to A"),
        "-born": _("Born, youngest first"),
        "born": _("Born, oldest first"),
        "-change": _("Change, biggest gain first"),
        "change": _("Change, biggest loss first"),
        "-games": _("Games, most first"),
        "games": _("Games, fewest first"),
    }
    for key, label in labels.items():
        if has_changes or not key.endswith("change"):
            yield label, query_url(query, sort=key), key == sort
