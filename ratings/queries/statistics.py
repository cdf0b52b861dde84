"""Statistics of a list: its ratings by classes, players by federation, sex and age, and the games list by list."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db.models import Count, Sum

from players.choices import Sex
from ratings.models import ListEntry, RatingList, TournamentRating
from ratings.queries.counted_once import counted_once
from ratings.queries.highlights import JUNIOR_AGE
from ratings.queries.ranking import Ranking, ranking_of

CLASS = 100
TOP = 10
MONTHS = 24
# The first age of each band; ages are those that players reach in the list's year.
BANDS = (0, 12, 16, 20, 30, 40, 50, 65)


@dataclass(frozen=True, slots=True)
class PartOfList:
    """A part of a list's players: how many, how many of them are active and women, and the sum of the ratings."""

    players: int = 0
    active: int = 0
    women: int = 0
    ratings: int = 0

    @property
    def average_tenths(self) -> int | None:
        """The average rating in tenths, a half rounded up; None without players."""
        return (20 * self.ratings + self.players) // (2 * self.players) if self.players else None


@dataclass(frozen=True, slots=True)
class FederationPart:
    """A federation's players, and the sum of its ten highest rated active ones; None where it has fewer."""

    code: str
    part: PartOfList
    top_ratings: int | None

    @property
    def top_average_tenths(self) -> int | None:
        """The average of the ten in tenths: exact, for there are ten."""
        return self.top_ratings


@dataclass(frozen=True, slots=True)
class MonthFigures:
    """What a list took in: tournaments and their games that count."""

    day: date
    tournaments: int
    games: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of a list. The keys of `bands` are their first ages, None for players without a year of birth."""

    classes: Sequence[tuple[int, int]]
    whole: PartOfList
    bands: Sequence[tuple[int | None, PartOfList]]
    federations: Sequence[FederationPart]
    months: Sequence[MonthFigures]


def statistics_of(rating_list: RatingList) -> Statistics:
    """Return the statistics of a list; counted once, for a list never changes."""
    return counted_once(f"statistics:{rating_list.edition}", Statistics, lambda: _count(rating_list))


class Group(StrEnum):
    """The players of a list whose ratings are counted."""

    ALL = "all"
    ACTIVE = "active"
    WOMEN = "women"
    JUNIORS = "juniors"


def ranking_among(rating_list: RatingList, group: Group) -> Ranking:
    """Return the ranking of a group of a list's players; counted once, for a list never changes."""
    if group in (Group.ALL, Group.ACTIVE):
        return ranking_of(rating_list, is_active=group == Group.ACTIVE)
    entries = ListEntry.objects.filter(rating_list=rating_list).listed().order_by()
    born = rating_list.date.year - JUNIOR_AGE
    some = entries.filter(sex=Sex.FEMALE) if group == Group.WOMEN else entries.filter(birth_year__gte=born)
    counts = some.values_list("rating").annotate(players=Count("pk"))
    key = f"statistics:{rating_list.edition}:{group}"
    return Ranking.from_counts(dict(counted_once(key, list[tuple[int, int]], lambda: list(counts))))


def classes_of(ranking: Ranking) -> Iterator[tuple[int, int]]:
    """Yield the first rating of each class of 100 points with how many players are in it."""
    lowest = min(ranking.ratings, default=0) // CLASS * CLASS
    for start in range(lowest, max(ranking.ratings, default=-1) + 1, CLASS):
        yield start, ranking.above(start - 1) - ranking.above(start + CLASS - 1)


def _count(rating_list: RatingList) -> Statistics:
    by_band: dict[int | None, list[PartOfList]] = defaultdict(list)
    by_federation: dict[str, list[PartOfList]] = defaultdict(list)
    for code, birth_year, part in _groups(rating_list):
        by_band[age_band(birth_year, rating_list.date)].append(part)
        by_federation[code].append(part)
    tops = _tops(rating_list)
    bands: list[int | None] = [*BANDS, None]
    federations = [FederationPart(code, _sum(parts), tops.get(code)) for code, parts in by_federation.items()]
    return Statistics(
        classes=list(classes_of(ranking_of(rating_list))),
        whole=_sum(part for parts in by_band.values() for part in parts),
        bands=[(band, _sum(by_band[band])) for band in bands if band in by_band],
        federations=sorted(
            federations, key=lambda one: (-(one.top_ratings or 0), -one.part.players, one.code)
        ),
        months=_months(rating_list),
    )


def _groups(rating_list: RatingList) -> Iterator[tuple[str, int | None, PartOfList]]:
    """Yield the players counted by federation and year of birth, in groups of one sex and activity."""
    entries = ListEntry.objects.filter(rating_list=rating_list).listed().order_by()
    keys = ("federation_id", "birth_year", "sex", "is_inactive")
    rows = entries.values_list(*keys).annotate(players=Count("pk"), ratings=Sum("rating"))
    for code, birth_year, sex, is_inactive, players, ratings in rows.iterator():
        active, women = 0 if is_inactive else players, players if sex == Sex.FEMALE else 0
        yield code, birth_year, PartOfList(players, active, women, ratings)


def _sum(parts: Iterable[PartOfList]) -> PartOfList:
    players = active = women = ratings = 0
    for part in parts:
        players += part.players
        active += part.active
        women += part.women
        ratings += part.ratings
    return PartOfList(players, active, women, ratings)


def age_band(birth_year: int | None, day: date) -> int | None:
    """Return the first age of the band of somebody on a list of that day, None where the year of birth is unknown."""
    if birth_year is None:
        return None
    return BANDS[bisect_right(BANDS, max(0, day.year - birth_year)) - 1]


def _tops(rating_list: RatingList) -> dict[str, int]:
    """Return the sum of the ten highest ratings of active players for each federation that has ten."""
    entries = ListEntry.objects.filter(rating_list=rating_list, is_inactive=False).listed()
    rows = entries.order_by("federation_id", "-rating").values_list("federation_id", "rating")
    tops: dict[str, list[int]] = defaultdict(list)
    for code, rating, players in rows.annotate(players=Count("pk")).iterator():
        ratings = tops[code]
        # A row is all players of a federation with one rating, who may be more than are missing.
        ratings += [rating or 0] * min(players, TOP - len(ratings))
    return {code: sum(ratings) for code, ratings in tops.items() if len(ratings) == TOP}


def _months(rating_list: RatingList) -> list[MonthFigures]:
    """Return what this list and those of its kind before it took in, the oldest first."""
    taken = TournamentRating.objects.filter(
        included_in__kind=rating_list.kind, included_in__date__lte=rating_list.date
    )
    rows = taken.order_by("-included_in__date").values_list("included_in__date")
    sums = rows.annotate(tournaments=Count("pk"), games=Sum("counted_games"))[:MONTHS]
    return [MonthFigures(day, tournaments, games or 0) for day, tournaments, games in reversed(sums)]
