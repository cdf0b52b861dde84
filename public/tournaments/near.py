"""Tournaments near a town: the filter of the calendar, and the sentences and addresses that belong to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Count, IntegerField, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.http import QueryDict
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from core.html.figures import whole
from core.html.paging import query_url
from public.filters import FilterForm, PlainSelect
from tournaments.models import Tournament, Town
from tournaments.towns import distance_from, find_towns, similar_towns, towns_within

ANY = "any"
USUAL = "50"
DISTANCES = (25, 50, 100, 200)
NAMES = ("town", "town_id", "within")
OTHERS = 3
# Half of the earth's circumference is 20,015 km: tournaments without a town come last.
UNKNOWN = 30_000


@dataclass(frozen=True, slots=True)
class Near:
    """The town that a reader means, the limit in kilometres or None, and others of the name if none was chosen."""

    town: Town
    kilometres: int | None
    others: Sequence[Town]

    def with_distances(self, tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
        """Return the tournaments with `distance` in kilometres, and `nearness`, which none of them lacks."""
        distance: Any = distance_from(self.town, towns="town__")
        with_distances = tournaments.annotate(distance=distance)
        return with_distances.annotate(
            nearness=Coalesce("distance", Value(UNKNOWN), output_field=IntegerField())
        )

    def within(self, tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
        """Return the tournaments within the limit, and those whose place is not known."""
        # Those without a town stay: they may be near, and leaving them out would hide them for good.
        return tournaments if self.kilometres is None else tournaments.filter(Q(town=None) | self._is_here())

    def count(self, tournaments: QuerySet[Tournament]) -> dict[str, int]:
        """Return how many there are, how many of them within the limit, and of how many the place is not known."""
        here = Q() if self.kilometres is None else self._is_here()
        return tournaments.order_by().aggregate(
            total=Count("pk"),
            here=Count("pk", filter=here & Q(town__isnull=False)),
            unknown=Count("pk", filter=Q(town=None)),
        )

    def _is_here(self) -> Q:
        return Q(town__in=towns_within(self.kilometres or 0, self.town).values("pk"))


def _distances() -> list[tuple[str, str]]:
    limits = [(str(km), _("within %(distance)s km") % {"distance": km}) for km in DISTANCES]
    return [*limits, (ANY, _("any distance"))]


class DistanceField(forms.ChoiceField):
    """The choice of a distance, which has a usual one where the address names none."""

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return what the field shows."""
        return data or USUAL


class NearForm(FilterForm):
    """A filter by the distance to a town. Without an imported town it has no such fields."""

    town = forms.CharField(
        label=_l("Town"),
        max_length=100,
        widget=forms.TextInput(
            attrs={
                "placeholder": _l("Town"),
                "autocomplete": "off",
                "data-suggest": reverse_lazy("town-suggestions"),
                "data-label": _l("Suggestions"),
                "data-key": "filter-town_id",
            }
        ),
    )
    within = DistanceField(
        label=pgettext_lazy("kilometres", "Distance"), choices=_distances, widget=PlainSelect
    )
    # Tells towns of one name apart; without it the largest is meant.
    town_id = forms.CharField(max_length=10, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.near: Near | None = None
        # What a town that is not known may mean.
        self.similar: Sequence[Town] = ()
        # A portal without the table of towns could answer no such question (ADR 29).
        if not Town.objects.exists():
            for name in NAMES:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """Find the town of the name; of several the one that was chosen, or the largest."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        name = cleaned.get("town")
        if name and "within" in cleaned:
            towns = find_towns(name)
            if not towns:
                self.similar = similar_towns(name, shown=OTHERS)
                message = _(
                    "No town is named “%(name)s”, so tournaments everywhere are shown. Check the spelling, or enter "
                    "a larger town nearby."
                )
                self.add_error("town", ValidationError(message % {"name": name}, code="town-unknown"))
                return cleaned
            chosen = next((one for one in towns if str(one.pk) == cleaned.get("town_id")), None)
            within = cleaned["within"] or USUAL
            kilometres = None if within == ANY else int(within)
            self.near = Near(chosen or towns[0], kilometres, () if chosen else towns[1:])
        return cleaned


def distance_of(chosen: Tournament, query: QueryDict) -> tuple[Town, int | None] | None:
    """Return the town that an address names, with its distance from a tournament in kilometres."""
    form = NearForm(query)
    if not form.is_valid() or form.near is None:
        return None
    found: Any = form.near.with_distances(Tournament.objects.filter(pk=chosen.pk)).get()
    return form.near.town, found.distance


def label_towns(towns: Sequence[Town]) -> list[tuple[Town, str]]:
    """Return each town with what tells it apart: region and country, and its inhabitants where others have the same."""
    labels = [one.region_and_country() for one in towns]
    repeated = Counter(zip((one.name for one in towns), labels, strict=True))
    found = []
    for town, label in zip(towns, labels, strict=True):
        if repeated[town.name, label] > 1:
            label = _("%(place)s, %(number)s inhabitants") % {
                "place": label,
                "number": whole(town.population),
            }
        found.append((town, label))
    return found


def towns_meant(form: NearForm, query: QueryDict) -> list[tuple[str, str]]:
    """Return other towns of a name, or those of similar names, each with the address that chooses it."""
    towns = form.near.others if form.near else form.similar
    return [
        (f"{town.name}, {label}", query_url(query, town=town.name, town_id=town.pk))
        for town, label in label_towns(towns[:OTHERS])
    ]


def context_of(
    near: Near | None, query: QueryDict, counted: dict[str, int], *, is_upcoming: bool
) -> dict[str, Any]:
    """Return what a page shows of the filter: its sentences and addresses; nothing without a town."""
    if near is None:
        return {"near": None}
    values = {name: whole(number) for name, number in counted.items()}
    values |= {"distance": whole(near.kilometres or 0), "town": near.town.name}
    if near.kilometres is None:
        chip = _("Distances from %(town)s") % values
        lead = _("Distances are those from %(town)s in a straight line.") % values
    else:
        chip = _("Within %(distance)s km of %(town)s") % values
        if is_upcoming:
            lead = _("%(total)s upcoming, %(here)s of them within %(distance)s km of %(town)s.") % values
        else:
            lead = _("%(total)s in total, %(here)s of them within %(distance)s km of %(town)s.") % values
    return {
        "near": near,
        "near_lead": lead,
        "near_chip": chip,
        "counted": counted,
        "without_town": query_url(query, town=None, town_id=None, within=None, sort=None),
        "all_distances": query_url(query, within=ANY),
    }
