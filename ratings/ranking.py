"""Ranks on a list without counting its players each time: the number of players of each rating is cached.

Ranks are for the world, a continent and a federation, among all players and among active players; a player has them
on the newest lists.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet

from players.choices import Continent
from players.models import Federation
from ratings.choices import ListKind
from ratings.counted_once import KEPT_FOR
from ratings.models import ListEntry, RatingList
from ratings.profile import KindProfile

# Players by federation, rating and whether they are inactive.
Groups = Counter[tuple[str, int, bool]]
# Rankings as the cache keeps them.
Plain = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ratings, rising, each with how many players have it or a lower one."""

    ratings: tuple[int, ...]
    up_to: tuple[int, ...]

    @classmethod
    def of(cls, ratings: Iterable[int]) -> Ranking:
        """Return the ranking of only these players."""
        rising = tuple(sorted(ratings))
        return cls(rising, tuple(range(1, len(rising) + 1)))

    @classmethod
    def from_counts(cls, players: Mapping[int, int]) -> Ranking:
        """Return the ranking by how many players have each rating."""
        ratings = sorted(rating for rating in players if players[rating])
        return cls(tuple(ratings), tuple(accumulate(players[rating] for rating in ratings)))

    @property
    def total(self) -> int:
        return self.up_to[-1] if self.up_to else 0

    def above(self, rating: int) -> int:
        """Return how many players have a higher rating."""
        place = bisect_left(self.ratings, rating + 1)
        return self.total - (self.up_to[place - 1] if place else 0)

    def place_of(self, rating: int) -> int:
        """Return the place of a rating; equal ratings share it."""
        return self.above(rating) + 1


@dataclass(frozen=True, slots=True)
class RankedAmong:
    """The players among whom a rank is counted: a federation, a continent, or the world if neither is given."""

    rating_list: RatingList
    federation: str = ""
    continent: str = ""

    @property
    def key(self) -> str:
        """What differs as soon as the list does, safe in any cache."""
        return f"rankings:{self.rating_list.edition}:{self.federation}:{self.continent.replace(' ', '_')}"


@dataclass(frozen=True, slots=True)
class Rankings:
    """The ranking of all players of a part, and of only the active ones."""

    every: Ranking
    active: Ranking


@dataclass(slots=True)
class _Count:
    """How many players have each rating, all and the active ones, while they are counted."""

    every: Counter[int] = field(default_factory=Counter)
    active: Counter[int] = field(default_factory=Counter)

    def add(self, rating: int, is_inactive: bool, players: int) -> None:
        self.every[rating] += players
        self.active[rating] += 0 if is_inactive else players

    def join(self, other: _Count) -> None:
        self.every.update(other.every)
        self.active.update(other.active)

    def rankings(self) -> Rankings:
        return Rankings(Ranking.from_counts(self.every), Ranking.from_counts(self.active))


def ranking_of(
    rating_list: RatingList, *, federation: str = "", continent: str = "", is_active: bool = False
) -> Ranking:
    """Return the ranking of a list, or of a part of it; counted once, for a list never changes."""
    part = RankedAmong(rating_list, federation, continent)
    rankings = rankings_of([part])[part]
    return rankings.active if is_active else rankings.every


def rankings_of(parts: Iterable[RankedAmong]) -> dict[RankedAmong, Rankings]:
    """Return the rankings of parts of lists; what was never counted is, in two queries at most."""
    wanted = list(parts)
    kept = cache.get_many([part.key for part in wanted])
    missing = [part for part in wanted if part.key not in kept]
    # What the cache lost is counted again: for a large federation that takes half a second.
    counted = _count_parts(missing)
    keep({part.key: _as_plain(rankings) for part, rankings in counted.items()})
    return {part: _from_plain(kept[part.key]) if part.key in kept else counted[part] for part in wanted}


def count_rankings(rating_list: RatingList) -> dict[str, Plain]:
    """Count a list for the world, each continent and each federation, in two queries.

    Return the values for `keep`; values that the cache loses are counted again when needed.
    """
    rows = _rows(Q(rating_list=rating_list), "federation_id")
    groups = {(code, rating, is_inactive): players for _list_id, code, rating, is_inactive, players in rows}
    return rankings_by(rating_list, Counter(groups))


def rankings_by(rating_list: RatingList, groups: Groups) -> dict[str, Plain]:
    """Return what `count_rankings` does, of a list whose players were counted as it was written; one query."""
    continents = dict(Federation.objects.values_list("code", "continent"))
    federations: dict[str, _Count] = defaultdict(_Count)
    for (code, rating, is_inactive), players in groups.items():
        federations[code].add(rating, is_inactive, players)
    counted: dict[RankedAmong, _Count] = {RankedAmong(rating_list): _Count()}
    for code, count in federations.items():
        counted[RankedAmong(rating_list, federation=code)] = count
        for wide in {RankedAmong(rating_list), RankedAmong(rating_list, continent=continents.get(code, ""))}:
            counted.setdefault(wide, _Count()).join(count)
    return {part.key: _as_plain(count.rankings()) for part, count in counted.items()}


def keep(figures: Mapping[str, Any]) -> None:
    """Cache the rankings of lists by their keys."""
    cache.set_many(dict(figures), KEPT_FOR)


def _count_parts(missing: list[RankedAmong]) -> dict[RankedAmong, Rankings]:
    """Count the parts, and with the world or a continent all the continents of the list."""
    found: dict[RankedAmong, _Count] = defaultdict(_Count)
    for part, rating, is_inactive, players in [*_by_federation(missing), *_by_continent(missing)]:
        found[part].add(rating, is_inactive, players)
    return {part: found[part].rankings() for part in {*missing, *found}}


def _by_federation(missing: list[RankedAmong]) -> Iterator[tuple[RankedAmong, int, bool, int]]:
    parts = {(part.rating_list.pk, part.federation): part for part in missing if part.federation}
    if not parts:
        return
    condition = Q()
    for list_id, code in parts:
        condition |= Q(rating_list=list_id, federation=code)
    rows = _rows(condition, "federation_id")
    for list_id, code, rating, is_inactive, players in rows.iterator():
        yield parts[list_id, code], rating, is_inactive, players


def _by_continent(missing: list[RankedAmong]) -> Iterator[tuple[RankedAmong, int, bool, int]]:
    lists = {part.rating_list.pk: part.rating_list for part in missing if not part.federation}
    if not lists:
        return
    rows = _rows(Q(rating_list__in=list(lists)), "federation__continent")
    for list_id, name, rating, is_inactive, players in rows.iterator():
        yield RankedAmong(lists[list_id]), rating, is_inactive, players
        # Federations of no continent, such as FID, count for the world alone.
        if name:
            yield RankedAmong(lists[list_id], continent=name), rating, is_inactive, players


def _rows(condition: Q, within: str) -> QuerySet[ListEntry, tuple[int, str, int, bool, int]]:
    entries = ListEntry.objects.filter(condition).listed().order_by()
    keys = ("rating_list_id", within, "rating", "is_inactive")
    return entries.values_list(*keys).annotate(players=Count("*"))


def _as_plain(rankings: Rankings) -> Plain:
    every, active = rankings.every, rankings.active
    return every.ratings, every.up_to, active.ratings, active.up_to


def _from_plain(kept: Plain) -> Rankings:
    ratings, up_to, active_ratings, active_up_to = map(tuple, kept)
    return Rankings(Ranking(ratings, up_to), Ranking(active_ratings, active_up_to))


@dataclass(frozen=True, slots=True)
class Rank:
    """A place among all players of a part of a list, and among the active ones: None for one who is inactive."""

    part: RankedAmong
    every: int
    active: int | None

    @property
    def within(self) -> str:
        """Among whom: a federation's code, a continent, or empty for the world."""
        return self.part.federation or self.part.continent

    @property
    def within_label(self) -> str:
        """The same as people read it."""
        return str(Continent(self.within).label) if self.within in Continent.values else self.within

    @property
    def scope(self) -> str:
        """The same as programs read it: world, continent or federation."""
        if self.part.federation:
            return "federation"
        return "continent" if self.part.continent else "world"


def places_of(profiles: Sequence[KindProfile]) -> dict[str, Sequence[Rank]]:
    """Return the places of each kind, the world first; in two queries at most, however many kinds."""
    parts = {profile.kind: _parts(profile) for profile in profiles}
    rankings = rankings_of(part for of_kind in parts.values() for part in of_kind)
    return {profile.kind: _places(profile, parts[profile.kind], rankings) for profile in profiles}


def _parts(profile: KindProfile) -> list[RankedAmong]:
    """Return where the player has a place; on a standard list, which is not the portal's own, not in the federation."""
    entry = profile.newest.entry if profile.newest else None
    rating_list = profile.newest_list
    if rating_list is None or entry is None or profile.rating is None:
        return []
    parts = [RankedAmong(rating_list)]
    if entry.continent:
        parts.append(RankedAmong(rating_list, continent=entry.continent))
    if profile.kind != ListKind.STANDARD:
        parts.append(RankedAmong(rating_list, federation=entry.federation_id))
    return parts


def _places(
    profile: KindProfile, parts: Iterable[RankedAmong], rankings: dict[RankedAmong, Rankings]
) -> list[Rank]:
    rating, entry = profile.rating, profile.newest.entry if profile.newest else None
    if rating is None or entry is None:
        return []
    return [
        Rank(
            part,
            every=rankings[part].every.place_of(rating),
            active=None if entry.is_inactive else rankings[part].active.place_of(rating),
        )
        for part in parts
    ]
