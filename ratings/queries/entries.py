"""The entries of a list as its pages show them: filtered, in list order, beside the list before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, QuerySet

from players.queries.federations import NOBODY, Minors
from ratings.models import ListEntry, RatingList
from ratings.queries.ranking import Ranking

LIST_ORDER = ("-rating", "name", "player_id")


@dataclass(frozen=True, slots=True)
class Filter:
    """What of a list is shown; None and an empty text leave it whole.

    Of `minors` the years of birth are not told: they are found by whole age bands.
    """

    federation: str = ""
    continent: str = ""
    sex: str = ""
    title: str = ""
    born_from: int | None = None
    born_to: int | None = None
    rating_from: int | None = None
    rating_to: int | None = None
    is_active: bool = False
    player_ids: tuple[int, ...] | None = None
    minors: Minors = field(default=NOBODY, compare=False)

    @property
    def is_whole(self) -> bool:
        """Whether no more is left out than other federations or continents, and the inactive: places can be told."""
        if self.federation and self.continent:
            return False
        return self == Filter(self.federation, self.continent, is_active=self.is_active)


@dataclass(frozen=True, slots=True)
class Row:
    """An entry on a page: its place, None where that is not known, and the rating on the list compared with."""

    entry: ListEntry
    place: int | None
    before: int | None

    @property
    def change(self) -> int | None:
        return None if self.before is None else (self.entry.rating or 0) - self.before


def entries_of(rating_list: RatingList, chosen: Filter) -> QuerySet[ListEntry]:
    """Return the listed entries that a filter leaves."""
    return ListEntry.objects.filter(_condition(chosen), rating_list=rating_list).listed()


def _condition(chosen: Filter) -> Q:
    bounds: dict[str, Any] = {
        "federation": chosen.federation or None,
        "federation__continent": chosen.continent or None,
        "sex": chosen.sex or None,
        "rating__gte": chosen.rating_from,
        "rating__lte": chosen.rating_to,
        "is_inactive": False if chosen.is_active else None,
        "player__in": chosen.player_ids,
    }
    condition = _within(bounds) & _born(chosen)
    if chosen.title:
        condition &= Q(title=chosen.title) | Q(women_title=chosen.title)
    return condition


def _born(chosen: Filter) -> Q:
    """Return the condition on the year of birth; what it finds of minors tells no more than their age band."""
    exact = _born_within(chosen.born_from, chosen.born_to)
    if not exact or not chosen.minors.codes:
        return exact
    first, codes = chosen.minors.first_year, chosen.minors.codes
    hidden = Q(federation__in=codes, birth_year__gte=first)
    widened = _born_within(*chosen.minors.whole_bands(chosen.born_from, chosen.born_to))
    return (exact & (Q(birth_year__lt=first) | ~Q(federation__in=codes))) | (hidden & widened)


def _born_within(first: int | None, last: int | None) -> Q:
    return _within({"birth_year__gte": first, "birth_year__lte": last})


def _within(bounds: dict[str, Any]) -> Q:
    return Q(**{name: value for name, value in bounds.items() if value is not None})


def rows_of(
    entries: Sequence[ListEntry],
    compared: RatingList | None,
    ranking: Ranking | None,
    *,
    is_first_page: bool = False,
) -> list[Row]:
    """Return the entries of a page with their places and the ratings on another list, in one query.

    Without a ranking the places are known on the first page only.
    """
    before = ratings_on(compared, [entry.player_id for entry in entries])
    if ranking is None and is_first_page:
        ranking = Ranking.of([entry.rating or 0 for entry in entries])
    return [
        Row(
            entry,
            place=ranking.place_of(entry.rating or 0) if ranking else None,
            before=before.get(entry.player_id),
        )
        for entry in entries
    ]


def top_of(rating_list: RatingList, compared: RatingList | None, *, shown: int) -> list[Row]:
    """Return the highest rated active players of a list, without their places."""
    entries = entries_of(rating_list, Filter(is_active=True)).order_by(*LIST_ORDER)[:shown]
    return rows_of(list(entries), compared, None)


def ratings_on(rating_list: RatingList | None, player_ids: Iterable[int]) -> dict[int, int]:
    """Return the ratings of some players on a list, of those who are on it."""
    if rating_list is None:
        return {}
    entries = ListEntry.objects.filter(rating_list=rating_list, player__in=list(player_ids)).listed()
    return {player_id: rating or 0 for player_id, rating in entries.values_list("player_id", "rating")}


def position_of(entry: ListEntry, rating_list: RatingList, ranking: Ranking, chosen: Filter) -> int:
    """Return the number of an entry in list order, equal ratings told apart by name and ID."""
    same = entries_of(rating_list, chosen).filter(_earlier_name(entry), rating=entry.rating)
    return ranking.above(entry.rating or 0) + same.count() + 1


def start_of_page_with(rating_list: RatingList, player_id: int, *, above: int) -> ListEntry | None:
    """Return the entry after which a page begins that shows a player and so many above; None for the first page.

    `LookupError` for one who is not listed.
    """
    entries = ListEntry.objects.filter(rating_list=rating_list).listed()
    entry = entries.filter(player=player_id).first()
    if entry is None:
        raise LookupError(player_id)
    upwards = entries.order_by("rating", "-name", "-player_id")
    same = upwards.filter(_earlier_name(entry), rating=entry.rating)[: above + 1]
    before = list(same)
    if len(before) <= above:
        before += upwards.filter(rating__gt=entry.rating)[: above + 1 - len(before)]
    return before[above] if len(before) > above else None


def _earlier_name(entry: ListEntry) -> Q:
    """Return what stands before an entry among those of its rating."""
    is_earlier = Q(name__lt=entry.name) | Q(name=entry.name, player_id__lt=entry.player_id)
    return Q(name__lte=entry.name) & is_earlier
