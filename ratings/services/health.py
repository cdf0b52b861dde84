"""Measuring the pool of a published list: after its publication, from what it stores; the list is only read."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from typing import Any

import msgspec
from django.db.models import Count, Q, Sum

from ratings.choices import Origin
from ratings.models import Calculation, ListEntry, PoolHealth, RatingList, TournamentRating
from ratings.queries.health.measuring import (
    GameCounts,
    Movement,
    Pairs,
    connections_of,
    count_games,
    initial_ratings,
    months_between,
    movement_of,
    settling_of,
)
from ratings.queries.health.reading import (
    LISTS,
    FederationGames,
    HealthFigures,
    HealthSummary,
    Scores,
    Settling,
)
from ratings.queries.lists import LARGE
from ratings.systems.otb.rules import months_after
from ratings.systems.registry import key_of_each


def unmeasured_lists(kind: str = "", until: date | None = None) -> list[RatingList]:
    """Return the published lists that are not measured, the oldest first: later ones look back on them."""
    lists = RatingList.objects.filter(origin=Origin.PUBLISHED, health=None).defer(*LARGE)
    wanted = Q(kind=kind) if kind else Q()
    if until is not None:
        wanted &= Q(date__lte=until)
    return list(lists.filter(wanted).order_by("date", "kind"))


def measure_until(rating_list: RatingList, *, at: datetime) -> list[PoolHealth]:
    """Measure a list, and those of its kind before it that are not measured; what is measured stays as it is."""
    return [measure(item, at=at) for item in unmeasured_lists(rating_list.kind, rating_list.date)]


def measure(rating_list: RatingList, *, at: datetime) -> PoolHealth:
    """Measure a list and keep the figures; nothing else is written."""
    firsts = initial_ratings(rating_list)
    counts = count_games(rating_list, {player: first.lists for player, first in firsts.items()})
    earlier = _year_before(rating_list)
    movement = movement_of(earlier, rating_list)
    settling = settling_of(rating_list, firsts, counts.newcomers)
    federations = connections_of(_pairs_before(rating_list) + counts.pairs)
    figures = HealthFigures(
        curve=counts.classes(),
        ages=movement.ages(),
        strengths=movement.strengths(),
        settling=settling,
        federations=federations,
    )
    summary = _summary(rating_list, counts, movement, settling, federations, earlier)
    values = {
        "summary": msgspec.to_builtins(summary),
        "figures": msgspec.to_builtins(figures),
        "pairs": [[*both, games] for both, games in sorted(counts.pairs.items())],
        "measured_at": at,
    }
    return PoolHealth.objects.update_or_create(rating_list=rating_list, defaults=values)[0]


def _year_before(rating_list: RatingList) -> RatingList | None:
    """Return the list of the same kind 12 months before, else the oldest one since then."""
    first = months_after(rating_list.date, -LISTS)
    lists = RatingList.objects.filter(kind=rating_list.kind, date__gte=first, date__lt=rating_list.date)
    return lists.defer(*LARGE).order_by("date").first()


def _pairs_before(rating_list: RatingList) -> Pairs:
    """Return the games by federations of the 11 lists before."""
    first = months_after(rating_list.date, 1 - LISTS)
    rows = PoolHealth.objects.filter(
        rating_list__kind=rating_list.kind,
        rating_list__date__gte=first,
        rating_list__date__lt=rating_list.date,
    )
    pairs: Pairs = Counter()
    for stored in rows.values_list("pairs", flat=True):
        for one, other, games in stored:
            pairs[one, other] += games
    return pairs


def _summary(
    rating_list: RatingList,
    counts: GameCounts,
    movement: Movement,
    settling: list[Settling],
    federations: list[FederationGames],
    earlier: RatingList | None,
) -> HealthSummary:
    taken = TournamentRating.objects.filter(included_in=rating_list).count()
    listed = _count_listed(rating_list)
    initial = Calculation.objects.filter(
        rating_list=rating_list, result__in=key_of_each("initial"), new_rating__isnull=False
    )
    whole = counts.whole
    # A game between two federations is one of each.
    foreign = sum(one.foreign for one in federations) // 2
    return HealthSummary(
        tournaments=taken,
        games=whole.games,
        outside=counts.outside,
        players=listed["players"],
        active=listed["active"],
        played=listed["played"],
        initial=initial.count(),
        rating_sum=listed["ratings"] or 0,
        higher=whole,
        since=earlier.date if earlier else None,
        months=months_between(earlier.date, rating_list.date) if earlier else 0,
        all_moved=movement.whole,
        reference=movement.reference,
        settled=Settling(
            lists=0,
            players=sum(one.players for one in settling),
            change=sum(one.change for one in settling),
            absolute=sum(one.absolute for one in settling),
            near=sum(one.near for one in settling),
            scores=Scores.sum_of([one.scores for one in settling]),
        ),
        federation_games=sum(one.games for one in federations) - foreign,
        foreign=foreign,
        groups=max((one.group for one in federations), default=0),
    )


def _count_listed(rating_list: RatingList) -> dict[str, Any]:
    """Return how many players a list shows, how many of them are active and played, and the sum of their ratings."""
    entries = ListEntry.objects.filter(rating_list=rating_list).listed()
    return entries.aggregate(
        players=Count("pk"),
        active=Count("pk", filter=Q(is_inactive=False)),
        played=Count("pk", filter=Q(games__gt=0)),
        ratings=Sum("rating"),
    )
