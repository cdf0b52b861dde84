"""The rating system `flyordie`: Elo from 0, with series of games, provisional weight and daily reduction.

Ratings are whole numbers from 0. A state is that of one member in one category.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from ratings.systems.arithmetic import half_away_from_zero, in_decimals, in_score
from ratings.systems.online.foa_rbb_wording import CLAUSES as FOA
from ratings.systems.online.values import (
    OnlineGame,
    OnlineOutcome,
    OnlineStep,
    Past,
    RatedGame,
    StoredState,
    expectation,
)
from ratings.systems.words import gettext_noop as _

SLUG = "flyordie"
PROVISIONAL_GAMES = 20


@dataclass(frozen=True, slots=True)
class GameSeries(StoredState):
    """One member's view of the games against one opponent within the arena's window (D-60).

    The ratings are those before the first game; `given` is what the games so far have really changed.
    """

    opponent: str
    started_at: datetime
    rating: int
    opponent_rating: int
    games: int = 0
    half_points: int = 0
    given: int = 0

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> GameSeries:
        """Return the series that `to_dict` wrote."""
        return cls(**{**row, "started_at": datetime.fromisoformat(row["started_at"])})


@dataclass(frozen=True, slots=True)
class FlyOrDieState(StoredState):
    """Everything needed to go on from: rating, matches, open series, and what missed reductions need.

    `reduced_through` is the last day whose reduction is done; `closings` are the ratings at the end of the days
    from it on that had games, oldest first.
    """

    rating: int = 0
    games: int = 0
    series: tuple[GameSeries, ...] = ()
    reduced_through: date | None = None
    closings: tuple[tuple[date, int], ...] = ()

    @property
    def exact(self) -> str:
        """The rating as a decimal text."""
        return str(self.rating)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> FlyOrDieState:
        """Return the state that `to_dict` wrote."""
        through = row["reduced_through"]
        return cls(
            rating=row["rating"],
            games=row["games"],
            series=tuple(GameSeries.from_dict(series) for series in row["series"]),
            reduced_through=date.fromisoformat(through) if through else None,
            closings=tuple((date.fromisoformat(day), rating) for day, rating in row["closings"]),
        )


NEWCOMER = FlyOrDieState()


REDUCTION_DIVISOR = 125_000
ONE_DAY = timedelta(days=1)


def reduction(rating: int) -> int:
    """Return what a day takes from a rating: its square / 125000, rounded up, and never more than the rating."""
    return min(-(-rating * rating // REDUCTION_DIVISOR), rating)


def end_day(state: FlyOrDieState, day: date) -> OnlineOutcome[FlyOrDieState]:
    """Return the state at the end of a day, with every missed day since the last made up in order.

    Each day's reduction is calculated on the rating at the end of that day and taken off today's; a day that was
    done is not done again. Only days on which something is taken off have a step.
    """
    steps = []
    for due in _days_due(state, day):
        rating = [then for closing, then in state.closings if closing <= due][-1]
        amount = reduction(rating)
        state = _reduce(state, due, rating, amount)
        if amount:
            steps.append(
                OnlineStep("daily-reduction", {"day": due.isoformat(), "rating": rating, "amount": amount})
            )
    return OnlineOutcome(state, tuple(steps))


def closings_with(own: FlyOrDieState, day: date, rating: int) -> tuple[tuple[date, int], ...]:
    """Return the ratings at the end of days; a late game changes the latest of them, and no day that is done."""
    if own.reduced_through is not None:
        # A day that was done is not done again: the late game counts for the first that is not.
        day = max(day, own.reduced_through + ONE_DAY)
    if own.closings:
        day = max(day, own.closings[-1][0])
    return (*(closing for closing in own.closings if closing[0] < day), (day, rating))


def _days_due(state: FlyOrDieState, day: date) -> Iterator[date]:
    """Yield the days up to the given one that are not done, from the first game's on."""
    if not state.closings:
        return
    due = state.closings[0][0] if state.reduced_through is None else state.reduced_through + ONE_DAY
    while due <= day:
        yield due
        due += ONE_DAY


def _reduce(state: FlyOrDieState, day: date, rating: int, amount: int) -> FlyOrDieState:
    """Return the state with a day's amount taken off the rating and off the closings after that day."""
    later = ((closing, max(0, then - amount)) for closing, then in state.closings if closing > day)
    return replace(
        state,
        rating=max(0, state.rating - amount),
        reduced_through=day,
        closings=((day, rating - amount), *later),
    )


SERIES_WINDOW = timedelta(hours=24)

# K by the rating: the first row whose rating is reached.
K_BANDS = ((2400, 16), (2100, 24), (0, 32))


def k_factor(rating: int) -> int:
    """Return K: 32 to 2099, 24 to 2399, 16 from 2400."""
    return next(k for lowest, k in K_BANDS if rating >= lowest)


def rate_game(
    white: FlyOrDieState,
    black: FlyOrDieState,
    game: OnlineGame,
    *,
    window: timedelta = SERIES_WINDOW,
    past: Iterable[tuple[FlyOrDieState, FlyOrDieState]] = (),
) -> RatedGame[FlyOrDieState]:
    """Return both members' states after a game, each from the ratings before the first game of their series.

    A game at the very end of the window begins a new series. One that arrives late belongs to its series, that is one
    whose first game's end is less than a window from its own, before or after (D-60), games with others in between or
    not (D-147): `past` are both states after earlier games of the two, the latest first, which remember more.
    """
    own_white, own_black = _series_of(white, black, game, window, past)
    half_points = game.white_half_points
    return RatedGame(
        _one_side(white, black, own_white, game, half_points=half_points, window=window),
        _one_side(black, white, own_black, game, half_points=2 - half_points, window=window),
    )


def _series_of(
    white: FlyOrDieState,
    black: FlyOrDieState,
    game: OnlineGame,
    window: timedelta,
    past: Iterable[tuple[FlyOrDieState, FlyOrDieState]],
) -> tuple[GameSeries, GameSeries]:
    """Return the series that the game belongs to as each player sees it, a new one where there is none."""
    for one, other in chain([(white, black)], past):
        of_black = {
            series.started_at: series for series in other.series if series.opponent == game.white.member
        }
        near = {
            series.started_at: series
            for series in one.series
            # Where the two disagree on when a series began, the game belongs to neither.
            if series.opponent == game.black.member
            and series.started_at in of_black
            and abs(game.ended_at - series.started_at) < window
        }
        if near:
            # Between two series it is of the one that was open when it ended.
            began = min(near, key=lambda at: (at > game.ended_at, abs(game.ended_at - at)))
            return near[began], of_black[began]
    return (
        GameSeries(game.black.member, game.ended_at, white.rating, black.rating),
        GameSeries(game.white.member, game.ended_at, black.rating, white.rating),
    )


def _one_side(
    own: FlyOrDieState,
    opponent: FlyOrDieState,
    series: GameSeries,
    game: OnlineGame,
    *,
    half_points: int,
    window: timedelta,
) -> OnlineOutcome[FlyOrDieState]:
    series = replace(series, games=series.games + 1, half_points=series.half_points + half_points)
    formula, reasons = _series_change(series, opponent.games)
    # The series gives its total anew after each game: what the earlier ones really gave is taken off (D-60).
    change = formula.total - series.given
    rating = max(0, own.rating + change)
    figures: dict[str, int | str] = {
        "exact": formula.exact,
        "total": formula.total,
        "given": series.given,
        "change": change,
    }
    floor = (OnlineStep("floor-0", {}),) if own.rating + change < 0 else ()
    series = replace(series, given=series.given + rating - own.rating)
    state = replace(
        own,
        rating=rating,
        games=own.games + 1,
        series=_series_left_open(own.series, series, game, window),
        closings=closings_with(own, game.day, rating),
    )
    moved = OnlineStep("new-rating", {"before": own.rating, "after": rating})
    return OnlineOutcome(state, (*reasons, OnlineStep("change-D-60", figures), *floor, moved))


class Formula(NamedTuple):
    """D-60 for a series: the total change, exact as a text and rounded, and the factors as texts."""

    total: int
    exact: str
    expectation: str
    factor: str
    weight: str


def _series_change(series: GameSeries, opponent_games: int) -> tuple[Formula, tuple[OnlineStep, ...]]:
    """Return what the series gives in all, with the steps of its calculation."""
    k, difference = k_factor(series.rating), series.rating - series.opponent_rating
    weighed = min(opponent_games + 1, PROVISIONAL_GAMES)
    formula = _formula(k, difference, series.games, series.half_points, weighed)
    score = in_score(series.half_points)
    steps = [
        OnlineStep("k-band", {"k": k, "rating": series.rating}),
        OnlineStep("expectation", {"difference": difference, "expectation": formula.expectation}),
        OnlineStep("series-D-60", {"games": series.games, "factor": formula.factor, "score": score}),
    ]
    if opponent_games < PROVISIONAL_GAMES:
        steps.append(
            OnlineStep("provisional-weight-D-61", {"games": opponent_games, "weight": formula.weight})
        )
    return formula, tuple(steps)


@lru_cache(maxsize=16_384)
def _formula(k: int, difference: int, games: int, half_points: int, weighed: int) -> Formula:
    """D-60: K x (2 - 1/2^(n-1)) x (W/n - We), times the weight of the current game (D-61).

    Most games meet a formula again: ratings differ by some hundred points, and nearly all series are short.
    """
    expected = expectation(difference)
    factor = 2 - Fraction(1, 2 ** (games - 1))
    weight = Fraction(weighed, PROVISIONAL_GAMES)
    exact = k * factor * (Fraction(half_points, 2 * games) - expected) * weight
    texts = map(in_decimals, (exact, expected, factor, weight))
    return Formula(half_away_from_zero(exact), *texts)


def _series_left_open(
    remembered: tuple[GameSeries, ...], series: GameSeries, game: OnlineGame, window: timedelta
) -> tuple[GameSeries, ...]:
    """Return the series still open, with the one just played."""
    started = series.opponent, series.started_at
    others = (other for other in remembered if (other.opponent, other.started_at) != started)
    return (*(other for other in others if game.ended_at - other.started_at < window), series)


def reverse_game(
    state: FlyOrDieState,
    start: FlyOrDieState,
    cancelled: Past[FlyOrDieState],
    standing: Sequence[Past[FlyOrDieState]],
    on: date,
) -> OnlineOutcome[FlyOrDieState]:
    """Return today's state without a game, by what still stands after a member's start (D-88).

    The rating is the sum of the changes that stand, in their order and never below 0, so that it does not matter in
    which order games were cancelled. The series of the game goes on without it. Daily reductions that were calculated
    with it stay.
    """
    rating = start.rating
    for past in standing:
        if past.before is not None and past.after is not None:
            rating = max(0, rating + past.after.rating - past.before.rating)
    without = replace(
        state,
        rating=rating,
        games=state.games - 1,
        series=_series_without(
            state, cancelled.before or FlyOrDieState(), cancelled.after or FlyOrDieState()
        ),
        # Decay of the days to come must be that of the rating without the game.
        closings=closings_with(state, on, rating),
    )
    figures = {"before": state.rating, "change": rating - state.rating, "after": rating}
    return OnlineOutcome(without, (OnlineStep("cancelled-change", figures),))


def _series_without(
    state: FlyOrDieState, before: FlyOrDieState, after: FlyOrDieState
) -> tuple[GameSeries, ...]:
    """Return today's series, that of the game with one game less; a series of no games is no longer one."""
    played = next((series for series in after.series if series not in before.series), None)
    if played is None:
        return state.series
    earlier = next((series for series in before.series if _is_same(series, played)), None)
    series = tuple(_less(one, played, earlier) if _is_same(one, played) else one for one in state.series)
    return tuple(one for one in series if one.games)


def _is_same(one: GameSeries, other: GameSeries) -> bool:
    return (one.opponent, one.started_at) == (other.opponent, other.started_at)


def _less(today: GameSeries, after: GameSeries, before: GameSeries | None) -> GameSeries:
    half_points = after.half_points - (before.half_points if before else 0)
    given = after.given - (before.given if before else 0)
    return replace(
        today,
        games=today.games - 1,
        half_points=today.half_points - half_points,
        given=today.given - given,
    )


CLAUSES = {
    "time-controls": _(
        "Games with the time controls in the settings are rated. Without such a setting, all games are rated."
    ),
    "rating": _("A rating is a whole number, 0 or higher. A new player has 0."),
    "k": _(
        "K is 32 for ratings up to 2099, 24 for 2100 to 2399 and 16 from 2400. Each player has their own K."
    ),
    "expectation": _(
        "The expected score is We = 1 / (10^(−dr / 400) + 1). dr is the player's rating minus the opponent's "
        "rating before the first game of the series."
    ),
    "D-60": _(
        "Games against one opponent within %(hours)s hours of their first one are a series. After its "
        "n-th game the series gives K × (2 − 1/2^(n−1)) × (W/n − We) in total, rounded, minus the "
        "points from its earlier games."
    ),
    "D-61": _(
        "A player with fewer than 20 matches is provisional (~). Against an opponent with m matches "
        "before this one, the change has the weight (m + 1) / 20."
    ),
    "floor": _("A rating cannot fall below 0."),
    "reduction": _(
        "At the end of each day a rating R loses R × R / 125000, rounded up. Missed days are processed "
        "later in order, and never twice."
    ),
    "late": FOA["late"],
    "cancelled": FOA["cancelled"],
}
PLACES = {
    "unrated-time-control": "time-controls",
    "k-band": "k",
    "expectation": "expectation",
    "floor-0": "floor",
    "new-rating": "rating",
    "daily-reduction": "reduction",
    "cancelled-change": "cancelled",
}


MESSAGES = {
    "k-band": _("K = %(k)s at a rating of %(rating)s."),
    "expectation": _(
        "We = %(expectation)s for a difference of %(difference)s before the first game of the series."
    ),
    "series-D-60": _("Game %(games)s of the series: K is multiplied by %(factor)s. Score so far: %(score)s."),
    "provisional-weight-D-61": _(
        "The opponent is provisional (~) with %(games)s matches: weight %(weight)s."
    ),
    "change-D-60": _(
        "The series gives %(exact)s, rounded %(total)s, minus %(given)s from its earlier games: %(change)s."
    ),
    "floor-0": _("A rating cannot fall below 0."),
    "new-rating": _("%(before)s becomes %(after)s."),
    "daily-reduction": _(
        "Daily decay for %(day)s: %(rating)s × %(rating)s / 125000, rounded up: %(amount)s."
    ),
    "cancelled-change": _("Game cancelled: %(before)s %(term)s = %(after)s."),
}
