"""A list in another order than its own (ADR 23): among so many of the highest rated that sorting them is quick.

A list has an index in its own order alone. Another order is that of the players from a rating on, of whom there are at
most `MAX_SORTED`: of the world, or of the federation that is asked for. What a filter leaves of them is sorted by the
database. A list, or a federation, with fewer players is sorted whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

from django.db.models import Case, Expression, F, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from core.html.paging import Keyset
from players.queries.federations import BANDS, Minors
from ratings.models import ListEntry, RatingList
from ratings.queries.entries import LIST_ORDER, Filter, entries_of
from ratings.queries.ranking import Ranking, ranking_of

DEFAULT = f"-{LIST_ORDER[0].removeprefix('-')}"
MAX_SORTED = 5_000
# What the sort key of a year or a change is where there is none: it comes last.
NO_YEAR, NO_CHANGE = 0, -10_000
FIELDS = {"name": ("name", "player_id"), "games": ("games", *LIST_ORDER)}
FIELDS |= {"born": ("birth_key", *LIST_ORDER), "change": ("change_key", *LIST_ORDER)}
SORTS = ("rating", *FIELDS)


def keyset_of(sort: str) -> Keyset:
    """Return the order of the pages by what `?sort=` carries: `-rating`, `name`, `-change`."""
    key, is_falling = sort.removeprefix("-"), sort.startswith("-")
    if key == "rating":
        return Keyset(LIST_ORDER if is_falling else tuple(map(_turned, LIST_ORDER)), is_crowded=True)
    if key == "name":
        return Keyset(tuple(map(_turned, FIELDS[key])) if is_falling else FIELDS[key])
    first, *others = FIELDS[key]
    return Keyset((f"-{first}" if is_falling else first, *others), is_crowded=True)


def _turned(name: str) -> str:
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
    """Return the rating from which at most so many players stand, up to the top one; None where all do.

    Players of one rating are never parted: where those of the top one alone are more, it is they.
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
        .values("rating")[:1]
    )
    change = F("rating") - Subquery(before, output_field=IntegerField())
    return Coalesce(change, Value(none), output_field=IntegerField())


def _birth_key(minors: Minors, *, none: int) -> Expression | Coalesce:
    """Return the year of birth; where it is not shown the first year of the age band, so that no order tells it."""
    whole = Coalesce(F("birth_year"), Value(none), output_field=IntegerField())
    if not minors.codes:
        return whole
    # The youngest first: a player belongs to the first band whose first year is not later than the year of birth.
    bands = [
        When(federation__in=minors.codes, birth_year__gte=minors.year - age, then=Value(minors.year - age))
        for age in BANDS
    ]
    return Case(*bands, default=whole, output_field=IntegerField())
