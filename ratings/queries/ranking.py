"""Places on a list without counting its players each time: how many have each rating, kept while the list stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count

from ratings.models import ListEntry, RatingList

KEPT_FOR = 30 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ratings, rising, each with how many players have it or a lower one."""

    ratings: tuple[int, ...]
    up_to: tuple[int, ...]

    @classmethod
    def of(cls, ratings: Iterable[int]) -> Ranking:
        """Return the ranking of these players alone."""
        rising = tuple(sorted(ratings))
        return cls(rising, tuple(range(1, len(rising) + 1)))

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


def ranking_of(rating_list: RatingList, *, federation: str = "") -> Ranking:
    """Return the ranking of a list, or of one federation's players on it; counted once, for a list never changes."""
    key = f"ranking:{rating_list.pk}:{rating_list.published_at.timestamp():.0f}:{federation}"
    counted: tuple[tuple[int, ...], tuple[int, ...]] | None = cache.get(key)
    if counted is None:
        counted = _counted(rating_list, federation)
        cache.set(key, counted, KEPT_FOR)
    return Ranking(*counted)


def _counted(rating_list: RatingList, federation: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    entries = ListEntry.objects.filter(rating_list=rating_list).listed()
    if federation:
        entries = entries.filter(federation=federation)
    rows = entries.order_by("rating").values_list("rating").annotate(players=Count("pk"))
    ratings, up_to, total = [], [], 0
    for rating, players in rows:
        total += players
        ratings.append(rating or 0)
        up_to.append(total)
    return tuple(ratings), tuple(up_to)
