"""The entries of a list for its pages: filtered, in list order or another, with the previous list.

A list has an index only in list order. Another order (ADR 23) sorts the players from a rating upwards, at most
`MAX_SORTED` of the world, or of the selected federation. The database sorts those that match the filter. A list, or a
federation, with fewer players is sorted completely.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Case, Expression, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from core.html.paging import Keyset
from core.sql import ids_subquery
from players.members import members_of
from players.minors import BANDS, NOBODY, Minors, who_hide_the_year
from players.names import FoldedName
from ratings.models import ListEntry, RatingList
from ratings.ranking import Ranking, ranking_of

LIST_ORDER = ("-rating", "name", "player_id")


@dataclass(frozen=True, slots=True)
class Filter:
    """The filters of a list; None and empty texts do not filter.

    The years of birth of `minors` are hidden: filters match them by whole age bands.
    """

    federation: str = ""
    continent: str = ""
    sex: str = ""
    title: str = ""
    born_from: int | None = None
    born_to: int | None = None
    rating_from: int | None = None
    rating_to: int | None = None
    club: str = ""
    district: str = ""
    is_active: bool = False
    player_ids: tuple[int, ...] | None = None
    minors: Minors = field(default=NOBODY, compare=False)

    @property
    def is_whole(self) -> bool:
        """Whether only a federation or continent and active players are selected, so that ranks are known."""
        # Ranks are counted of either, and not of both together.
        if self.federation and self.continent:
            return False
        return self == Filter(self.federation, self.continent, is_active=self.is_active)


@dataclass(frozen=True, slots=True)
class ListRow:
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
    if chosen.club or chosen.district:
        members = members_of(federation=chosen.federation, club=chosen.club, district=chosen.district)
        condition &= Q(player__in=members.order_by().values("player"))
    if chosen.title:
        # A WIM may be an FM as well: she is found by both.
        condition &= Q(title=chosen.title) | Q(women_title=chosen.title)
    return condition


def _born(chosen: Filter) -> Q:
    """Return the condition on the year of birth; for minors it reveals only their age band."""
    exact = _born_within(chosen.born_from, chosen.born_to)
    if not exact or not chosen.minors:
        return exact
    first, asking = chosen.minors.first_year, is_asking(chosen.minors)
    hidden = asking & Q(birth_year__gte=first)
    widened = _born_within(*chosen.minors.whole_bands(chosen.born_from, chosen.born_to))
    return (exact & (Q(birth_year__lt=first) | ~asking)) | (hidden & widened)


def is_asking(minors: Minors) -> Q:
    """Return the condition on entries whose federation, or who themselves, ask for the age band (age-bands.md)."""
    asking = Q(federation__in=minors.codes)
    return asking | Q(player__in=who_hide_the_year().values("pk")) if minors.people else asking


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
) -> list[ListRow]:
    """Return the entries of a page with their places and the ratings on another list, in one query.

    Without a ranking the places are known on the first page only.
    """
    before = ratings_on(compared, [entry.player_id for entry in entries])
    if ranking is None and is_first_page:
        ranking = Ranking.of([entry.rating or 0 for entry in entries])
    return [
        ListRow(
            entry,
            place=ranking.place_of(entry.rating or 0) if ranking else None,
            before=before.get(entry.player_id),
        )
        for entry in entries
    ]


def top_of(rating_list: RatingList, compared: RatingList | None, *, shown: int) -> list[ListRow]:
    """Return the highest rated active players of a list, without their places."""
    entries = entries_of(rating_list, Filter(is_active=True)).order_by(*LIST_ORDER)[:shown]
    return rows_of(list(entries), compared, None)


def ratings_on(rating_list: RatingList | None, player_ids: Iterable[int]) -> dict[int, int]:
    """Return the ratings of some players on a list, of those who are on it."""
    if rating_list is None:
        return {}
    entries = ListEntry.objects.filter(rating_list=rating_list, player__in=ids_subquery(player_ids)).listed()
    return {key: rating or 0 for key, rating in entries.order_by().values_list("player_id", "rating")}


def position_of(entry: ListEntry, rating_list: RatingList, ranking: Ranking, chosen: Filter) -> int:
    """Return the position of an entry in list order; name and ID order equal ratings."""
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
    # Players of the same rating first: the index in list order has them in one range.
    before = list(same)
    if len(before) <= above:
        before += upwards.filter(rating__gt=entry.rating)[: above + 1 - len(before)]
    return before[above] if len(before) > above else None


def _earlier_name(entry: ListEntry) -> Q:
    """Return the entries before an entry among those of its rating."""
    is_earlier = Q(name__lt=entry.name) | Q(name=entry.name, player_id__lt=entry.player_id)
    return Q(name__lte=entry.name) & is_earlier


DEFAULT = f"-{LIST_ORDER[0].removeprefix('-')}"
MAX_SORTED = 5_000
# What the sort key of a year or a change is where there is none: it comes last.
NO_YEAR, NO_CHANGE = 0, -10_000
FIELDS = {"name": ("name_key", "name", "player_id"), "games": ("games", *LIST_ORDER)}
FIELDS |= {"born": ("birth_key", *LIST_ORDER), "change": ("change_key", *LIST_ORDER)}
SORTS = ("rating", *FIELDS)


def keyset_of(sort: str) -> Keyset:
    """Return the order of the pages by what `?sort=` carries: `-rating`, `name`, `-change`."""
    key, is_falling = sort.removeprefix("-"), sort.startswith("-")
    if key == "rating":
        return Keyset(LIST_ORDER if is_falling else tuple(map(_turn_order, LIST_ORDER)), is_crowded=True)
    if key == "name":
        return Keyset(tuple(map(_turn_order, FIELDS[key])) if is_falling else FIELDS[key])
    first, *others = FIELDS[key]
    return Keyset((f"-{first}" if is_falling else first, *others), is_crowded=True)


def _turn_order(name: str) -> str:
    return name.removeprefix("-") if name.startswith("-") else f"-{name}"


def sorted_entries(
    rating_list: RatingList, chosen: Filter, sort: str, *, compared: RatingList | None
) -> tuple[QuerySet[ListEntry], int | None]:
    """Return the entries that a filter leaves with their sort keys, and the rating from which they are sorted.

    The rating is None where none is left out. Changes are those since the list compared with.
    """
    key, is_falling = sort.removeprefix("-"), sort.startswith("-")
    if key == "rating":
        return entries_of(rating_list, chosen), None
    floor = floor_of(rating_list, chosen)
    if floor is not None:
        chosen = replace(chosen, rating_from=floor)
    entries = entries_of(rating_list, chosen)
    if key == "name":
        entries = entries.annotate(name_key=FoldedName("name"))
    if key == "born":
        entries = entries.annotate(
            birth_key=_birth_key(chosen.minors, none=NO_YEAR if is_falling else -NO_CHANGE)
        )
    if key == "change":
        entries = entries.annotate(
            change_key=_change_key(compared, none=NO_CHANGE if is_falling else -NO_CHANGE)
        )
    return entries, floor


def floor_of(rating_list: RatingList, chosen: Filter) -> int | None:
    """Return the lowest rating from which players are sorted; None where all that the filter leaves are.

    Names are found by player, so that few are left however long the list is.
    """
    if chosen.player_ids is not None or rating_list.listed <= MAX_SORTED:
        return None
    ranking = ranking_of(rating_list, federation=chosen.federation)
    floor = lowest_rating(ranking, top=chosen.rating_to, most=MAX_SORTED)
    is_given = floor is not None and chosen.rating_from is not None and chosen.rating_from >= floor
    return None if is_given else floor


def lowest_rating(ranking: Ranking, *, top: int | None, most: int) -> int | None:
    """Return the lowest rating with at most so many players at or above it; None if all players are fewer.

    Players of one rating are never separated: if the top rating has more players, it is the result.
    """
    upper = len(ranking.ratings) if top is None else bisect_right(ranking.ratings, top)
    players = ranking.up_to[upper - 1] if upper else 0
    if players <= most:
        return None
    left_out = bisect_left(ranking.up_to, players - most)
    return ranking.ratings[min(left_out + 1, upper - 1)]


def _change_key(compared: RatingList | None, *, none: int) -> Expression | Coalesce:
    if compared is None:
        return Value(none, output_field=IntegerField())
    before = (
        ListEntry.objects.filter(rating_list=compared, player=OuterRef("player"))
        .listed()
        .order_by()
        .values("rating")[:1]
    )
    change = F("rating") - Subquery(before, output_field=IntegerField())
    return Coalesce(change, Value(none), output_field=IntegerField())


def _birth_key(minors: Minors, *, none: int) -> Expression | Coalesce:
    """Return the year of birth, or the first year of the age band if hidden, so that no order reveals it."""
    whole = Coalesce(F("birth_year"), Value(none), output_field=IntegerField())
    if not minors:
        return whole
    # The youngest first: a player belongs to the first band whose first year is not later than the year of birth.
    bands = [
        When(is_asking(minors) & Q(birth_year__gte=minors.year - age), then=Value(minors.year - age))
        for age in BANDS
    ]
    return Case(*bands, default=whole, output_field=IntegerField())
