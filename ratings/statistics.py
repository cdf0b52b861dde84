"""Statistics of a list: its ratings by classes, players by federation, sex and age, and what its games say.

Sums are whole: games, half points, hundredths of a point of expected scores, rating points. Averages are rounded once,
where they are read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction

from django.db.models import Count, F, OuterRef, Subquery, Sum

from players.choices import Sex
from ratings.counted_once import counted_once
from ratings.highlights import JUNIOR_AGE, SHOWN, top_average_tenths
from ratings.models import Calculation, ListEntry, ParticipantRating, RatingList, TournamentRating
from ratings.ranking import Ranking, ranking_of
from ratings.systems.arithmetic import half_away_from_zero, scoring_probability
from ratings.systems.otb.rules import months_after
from ratings.systems.registry import first_rating_keys
from tournaments.lists import Lists

CLASS = 100
MONTHS = 24
# The first age of each band; ages are those that players reach in the list's year.
BANDS = (0, 12, 16, 20, 30, 40, 50, 65)
# Rating differences are counted in bands of 50 points, all from 800 on in the last one.
DIFFERENCES, LAST_DIFFERENCE = 50, 800
CHUNK = 2_000


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
    """A federation's players, and the average of its ten highest rated active ones; None where it has fewer."""

    code: str
    part: PartOfList
    top_average_tenths: int | None


@dataclass(frozen=True, slots=True)
class MonthFigures:
    """What a list took in: tournaments and their games that count."""

    day: date
    tournaments: int
    games: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of a list. The keys of `bands` are their first ages, None for players without a year of birth."""

    whole: PartOfList
    bands: Sequence[tuple[int | None, PartOfList]]
    federations: Sequence[FederationPart]


@dataclass(frozen=True, slots=True)
class Scores:
    """Games of the higher rated players: half points scored, and hundredths of a point expected by 7.1.2."""

    games: int
    half_points: int
    expected: int

    @property
    def score_tenths(self) -> int | None:
        """The score in tenths of a percent of the games, None without any."""
        return _round_share(500 * self.half_points, self.games)

    @property
    def expected_tenths(self) -> int | None:
        """The expected score in tenths of a percent of the games, None without any."""
        return _round_share(10 * self.expected, self.games)

    @property
    def gap_tenths(self) -> int | None:
        """The score minus the expected score in tenths of a percent, None without games."""
        return _round_share(500 * self.half_points - 10 * self.expected, self.games)


@dataclass(frozen=True, slots=True)
class Stayed:
    """Players who are listed and active on an earlier list and this one, with the sum of their rating changes."""

    since: date
    players: int
    change: int

    @property
    def mean_tenths(self) -> int | None:
        """The average change in tenths of a point, None without players."""
        return _round_share(10 * self.change, self.players)


@dataclass(frozen=True, slots=True)
class Results:
    """What the games of a list say: scores by the first difference of each band, and first ratings.

    `stayed` looks back 12 months, or to the oldest list since then; None where no list is before. `months` are what
    this list and those of its kind before it took in, the oldest first.
    """

    scores: Sequence[tuple[int, Scores]]
    initial: int
    stayed: Stayed | None
    months: Sequence[MonthFigures]


def share_tenths(part: int, whole: int) -> int | None:
    """Return a share in tenths of a percent, None of nothing."""
    return _round_share(1000 * part, whole)


def _round_share(part: int, whole: int) -> int | None:
    return half_away_from_zero(Fraction(part, whole)) if whole else None


def statistics_of(rating_list: RatingList) -> Statistics:
    """Return the statistics of a list; counted once, for a list never changes."""
    return counted_once(f"statistics:{rating_list.edition}", Statistics, lambda: _count(rating_list))


def results_of(rating_list: RatingList, lists: Lists[RatingList]) -> Results:
    """Return what the games of a list say; counted once, for a list never changes."""
    key = f"results-2:{rating_list.edition}"
    return counted_once(key, Results, lambda: _count_results(rating_list, lists))


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
        whole=_sum(part for parts in by_band.values() for part in parts),
        bands=[(band, _sum(by_band[band])) for band in bands if band in by_band],
        federations=sorted(
            federations, key=lambda one: (-(one.top_average_tenths or 0), -one.part.players, one.code)
        ),
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


def _tops(rating_list: RatingList) -> dict[str, int | None]:
    """Return the average of the ten highest ratings of active players in tenths for each federation."""
    entries = ListEntry.objects.filter(rating_list=rating_list, is_inactive=False).listed()
    rows = entries.order_by("federation_id", "-rating").values_list("federation_id", "rating")
    tops: dict[str, list[int]] = defaultdict(list)
    for code, rating, players in rows.annotate(players=Count("pk")).iterator():
        ratings = tops[code]
        # A row is all players of a federation with one rating, who may be more than are missing.
        ratings += [rating or 0] * min(players, SHOWN - len(ratings))
    return {code: top_average_tenths(ratings) for code, ratings in tops.items()}


def _months(rating_list: RatingList) -> list[MonthFigures]:
    """Return what this list and those of its kind before it took in, the oldest first."""
    taken = TournamentRating.objects.filter(
        included_in__kind=rating_list.kind, included_in__date__lte=rating_list.date
    )
    rows = taken.order_by("-included_in__date").values_list("included_in__date")
    sums = rows.annotate(tournaments=Count("pk"), games=Sum("counted_games"))[:MONTHS]
    return [MonthFigures(day, tournaments, games or 0) for day, tournaments, games in reversed(sums)]


def _count_results(rating_list: RatingList, lists: Lists[RatingList]) -> Results:
    initial = Calculation.objects.filter(
        rating_list=rating_list, result__in=first_rating_keys(), new_rating__isnull=False
    )
    return Results(
        scores=_scores(rating_list),
        initial=initial.count(),
        stayed=_stayed(rating_list, lists),
        months=_months(rating_list),
    )


def _scores(rating_list: RatingList) -> list[tuple[int, Scores]]:
    """Return the scores of the games between two rated players, from no difference to the last band with a game."""
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    rows = ParticipantRating.objects.filter(tournament_rating__included_in=rating_list).order_by()
    for outcomes in rows.values_list("outcomes", flat=True).iterator(CHUNK):
        for outcome in outcomes:
            difference = outcome.difference
            # A game has two sides: it is counted for the higher rated player, for White between equals.
            if difference is None or difference < 0 or (difference == 0 and outcome.colour != "w"):
                continue
            band = sums[min(difference // DIFFERENCES * DIFFERENCES, LAST_DIFFERENCE)]
            band[0] += 1
            band[1] += outcome.half_points
            band[2] += scoring_probability(difference)
    return [(first, Scores(*sums[first])) for first in range(0, max(sums, default=-1) + 1, DIFFERENCES)]


def _stayed(rating_list: RatingList, lists: Lists[RatingList]) -> Stayed | None:
    first = months_after(rating_list.date, -12)
    looked_at = [one for one in lists.of_kind(rating_list.kind) if first <= one.date < rating_list.date]
    if not looked_at:
        return None
    # The newest is the first.
    earlier = looked_at[-1]
    active = ListEntry.objects.filter(is_inactive=False).listed().order_by()
    before = active.filter(rating_list=earlier, player_id=OuterRef("player_id")).values("rating")
    later = active.filter(rating_list=rating_list).annotate(before=Subquery(before))
    # Both leave out who has no rating before.
    sums = later.aggregate(players=Count("before"), change=Sum(F("rating") - F("before")))
    return Stayed(earlier.date, sums["players"], sums["change"] or 0)
