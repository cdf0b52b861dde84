"""What a list changed: biggest gains and losses, newcomers, who became unrated; and how its ratings are spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, F, QuerySet, Sum

from ratings.models import Calculation, ListEntry, RatingList, TournamentRating
from ratings.queries.profile import FIRST_RATINGS
from ratings.queries.ranking import KEPT_FOR, ranking_of

SHOWN = 20
CLASS = 100
LOST = ("below-floor-6.2.1", "initial-lost-D-11")


@dataclass(frozen=True, slots=True)
class Movements:
    """The calculations behind a list that are worth a look, each with its player."""

    gains: Sequence[Calculation]
    losses: Sequence[Calculation]
    newcomers: Sequence[Calculation]
    lost: Sequence[Calculation]


@dataclass(frozen=True, slots=True)
class Spread:
    """How many players stand where: by classes of 100 points, and by federation."""

    classes: Sequence[tuple[int, int]]
    federations: Sequence[tuple[str, int]]
    games: int
    tournaments: int


def movements_of(rating_list: RatingList) -> Movements:
    """Return what a list changed most; players of equal change in the order of their FIDE IDs."""
    rated = _calculations(rating_list).filter(previous_rating__isnull=False, new_rating__isnull=False)
    rated = rated.annotate(change=F("new_rating") - F("previous_rating"))
    first = _calculations(rating_list).filter(result__in=FIRST_RATINGS, new_rating__isnull=False)
    lost = _calculations(rating_list).filter(result__in=LOST)
    return Movements(
        gains=list(rated.filter(change__gt=0).order_by("-change", "player_id")[:SHOWN]),
        losses=list(rated.filter(change__lt=0).order_by("change", "player_id")[:SHOWN]),
        newcomers=list(first.order_by("-new_rating", "player_id")[:SHOWN]),
        lost=list(lost.order_by("-previous_rating", "player_id")[:SHOWN]),
    )


def _calculations(rating_list: RatingList) -> QuerySet[Calculation]:
    return Calculation.objects.filter(rating_list=rating_list).select_related("player").defer("steps")


def spread_of(rating_list: RatingList) -> Spread:
    """Return how the ratings of a list are spread; counted once, for a list never changes."""
    ranking = ranking_of(rating_list)
    lowest = min(ranking.ratings, default=0) // CLASS * CLASS
    highest = max(ranking.ratings, default=-1)
    classes = [
        (start, ranking.above(start - 1) - ranking.above(start + CLASS - 1))
        for start in range(lowest, highest + 1, CLASS)
    ]
    key = f"spread:{rating_list.pk}:{rating_list.published_at.timestamp():.0f}"
    counted: dict[str, Any] | None = cache.get(key)
    if counted is None:
        counted = _counted(rating_list)
        cache.set(key, counted, KEPT_FOR)
    return Spread(classes, **counted)


def _counted(rating_list: RatingList) -> dict[str, Any]:
    entries = ListEntry.objects.filter(rating_list=rating_list).listed().order_by()
    players = entries.values_list("federation_id").annotate(players=Count("pk"))
    taken = TournamentRating.objects.filter(included_in=rating_list)
    sums = taken.aggregate(games=Sum("counted_games"), tournaments=Count("pk"))
    return {
        "federations": sorted(players, key=lambda row: (-row[1], row[0]))[:SHOWN],
        "games": sums["games"] or 0,
        "tournaments": sums["tournaments"],
    }
