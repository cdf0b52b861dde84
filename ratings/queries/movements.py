"""What a list changed: biggest gains and losses, newcomers, who became unrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, QuerySet, Sum

from ratings.models import Calculation, RatingList, TournamentRating
from ratings.queries.profile import FIRST_RATINGS

SHOWN = 20
LOST = ("below-floor-6.2.1", "initial-lost-D-11")


@dataclass(frozen=True, slots=True)
class Movements:
    """The calculations behind a list that are worth a look, each with its player."""

    gains: Sequence[Calculation]
    losses: Sequence[Calculation]
    newcomers: Sequence[Calculation]
    lost: Sequence[Calculation]


@dataclass(frozen=True, slots=True)
class Taken:
    """What a list took in: tournaments and their games that count."""

    tournaments: int
    games: int


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


def taken_in(rating_list: RatingList) -> Taken:
    """Return how much a list took in."""
    taken = TournamentRating.objects.filter(included_in=rating_list)
    sums = taken.aggregate(games=Sum("counted_games"), tournaments=Count("pk"))
    return Taken(sums["tournaments"], sums["games"] or 0)
