"""What somebody's games would do to a rating over the board, by the same rules that rate reports: nothing is stored.

Scores are half points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ratings.systems.arithmetic import dp, fractional_score, rating_performance
from ratings.systems.otb.period import Period, PeriodResult, calculate
from ratings.systems.otb.rules import PeriodRules, as_text, first_rating_by
from ratings.systems.otb.values import (
    UNRATED,
    Event,
    InitialRating,
    KFactor,
    Participation,
    PlayerState,
    PoolShare,
    Seat,
    Status,
    StatusAtStart,
)
from ratings.systems.registry import always


@dataclass(frozen=True, slots=True)
class OwnPlayer:
    """Who played: the rating (None: unrated), K, and what is in the pool of an unrated player.

    K is that of a list, or any other that the limit of 700 gave (7.3.3).
    `games` are those that the next list has of a rated player already, `change` the sum of their changes, before K,
    in hundredths of a point.
    """

    rating: int | None = None
    k: int = 20
    pool: tuple[PoolShare, ...] = ()
    games: int = 0
    change: int = 0


@dataclass(frozen=True, slots=True)
class Met:
    """A game: the opponent's rating, None for an unrated one, and the half points scored."""

    rating: int | None
    half_points: int


CODES = {2: "1", 1: "=", 0: "0"}
LISTED_K = (10, 20, 40)
EVENT_ID = "calculator"
EARLIER_ID = "earlier"


@dataclass(frozen=True, slots=True)
class Performance:
    """A rating performance: Ra as an exact fraction text, p in hundredths, and Ra + dp rounded (7.1.1)."""

    games: int
    half_points: int
    average: str
    p: int
    dp: int
    rating: int


def rating_change(rules: PeriodRules, own: OwnPlayer, games: Sequence[Met], *, on: date) -> PeriodResult:
    """Return the result on a list of games played on a day by these rules, as its last tournament (7.3).

    The other games of the list come before it, and K follows from all (7.3.3). An unrated player's games join
    the pool (6.1.4).
    """
    events: tuple[Event, ...] = (event_of(rules, own, games, on=on),)
    if own.games and own.rating:
        sums = Participation(
            _standing(rules, own), (), games=own.games, half_points=0, opponents_sum=0, change=own.change
        )
        # K follows from all games of the list together, while the lines are of the new ones.
        events = (Event(EARLIER_ID, on, on, sums), *events)
    state = PlayerState(rating=own.rating, k=own.k if own.rating else None)
    return calculate(
        Period(
            list_date=on.replace(day=1),
            state=state,
            events=events,
            pool=own.pool,
            adoptions=always(rules),
        )
    )


def event_of(
    rules: PeriodRules, own: OwnPlayer, games: Sequence[Met], *, on: date, event_id: str = EVENT_ID
) -> Event:
    """Return a tournament of one day as it counts for a player."""
    standing, opponents = _standing(rules, own), _opponents(games)
    seats = [
        Seat(
            number,
            number,
            "w",
            CODES[game.half_points],
            game.half_points,
            void=rules.void_by_ratings(standing, opponents[number]),
        )
        for number, game in enumerate(games, start=1)
    ]
    return Event(event_id, on, on, rules.rate_participant(standing, seats, opponents))


def first_rating(rules: PeriodRules, own: OwnPlayer, games: Sequence[Met]) -> InitialRating | None:
    """Return the initial rating from these games and the pool, for any number of games (7.2.3, 7.2.4).

    None if no opponent is rated, and where the games are the player's first tournament and gave no point (7.2.2).
    """
    share = _share(_rated_games(games))
    shares = [*own.pool, *([share] if own.pool or share.half_points else [])]
    return first_rating_by(rules, shares) if any(share.games for share in shares) else None


def performance(games: Sequence[Met]) -> Performance | None:
    """Return the rating performance against the rated opponents, None where there is none."""
    counted = _rated_games(games)
    if not counted:
        return None
    number, half_points = len(counted), sum(game.half_points for game in counted)
    average = Fraction(sum(game.rating or 0 for game in counted), number)
    p = fractional_score(Fraction(half_points, 2), number)
    rating = rating_performance(average, dp(p))
    return Performance(number, half_points, as_text(average), p, dp(p), rating)


def _rated_games(games: Sequence[Met]) -> list[Met]:
    return [game for game in games if game.rating is not None]


def _share(games: Sequence[Met]) -> PoolShare:
    sums = (sum(game.rating or 0 for game in games), len(games), sum(game.half_points for game in games))
    return PoolShare(EVENT_ID, date.min, date.min, *sums)


def _standing(rules: PeriodRules, own: OwnPlayer) -> StatusAtStart:
    if own.rating is None:
        return UNRATED
    factor = KFactor(own.k)
    # The K of a list, which a text may replace; any other one is used as it was asked for.
    if own.k in LISTED_K:
        factor = rules.tournament_k(factor)
    return StatusAtStart(Status.RATED, own.rating, *factor)


def _opponents(games: Sequence[Met]) -> dict[int, StatusAtStart]:
    return {
        number: UNRATED if game.rating is None else StatusAtStart(Status.RATED, game.rating)
        for number, game in enumerate(games, start=1)
    }
