"""Games of `flyordie` one by one: series against one opponent and the weight of a provisional one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

from ratings.systems.arithmetic import half_away_from_zero, in_decimals, in_score
from ratings.systems.flyordie.reduction import closings_with
from ratings.systems.flyordie.state import PROVISIONAL_GAMES, Series, State
from ratings.systems.online.logistic import expectation
from ratings.systems.online.values import Game, Outcome, RatedGame, Step

SERIES_WINDOW = timedelta(hours=24)

# K by the rating: the first row whose rating is reached.
K_BANDS = ((2400, 16), (2100, 24), (0, 32))


def k_factor(rating: int) -> int:
    """Return K: 32 to 2099, 24 to 2399, 16 from 2400."""
    return next(k for lowest, k in K_BANDS if rating >= lowest)


def rate_game(
    white: State, black: State, game: Game, *, window: timedelta = SERIES_WINDOW
) -> RatedGame[State]:
    """Return both members' states after a game, each from the ratings before the first game of their series.

    A game at the very end of the window begins a new series. One that arrives late belongs to the series that is
    open if its end is less than a window from the first game's, before or after (D-60).
    """
    own_white, own_black = _open_series(white, black, game, window)
    half_points = game.white_half_points
    return RatedGame(
        _one_side(white, black, own_white, game, half_points=half_points, window=window),
        _one_side(black, white, own_black, game, half_points=2 - half_points, window=window),
    )


def _open_series(white: State, black: State, game: Game, window: timedelta) -> tuple[Series, Series]:
    """Return the series that the game belongs to as each player sees it, a new one where none is open."""
    seen = white.series_against(game.black.member), black.series_against(game.white.member)
    if seen[0] and seen[1] and _is_within(seen[0], game, window) and seen[0].started_at == seen[1].started_at:
        return seen[0], seen[1]
    return (
        Series(game.black.member, game.ended_at, white.rating, black.rating),
        Series(game.white.member, game.ended_at, black.rating, white.rating),
    )


def _is_within(series: Series, game: Game, window: timedelta) -> bool:
    return abs(game.ended_at - series.started_at) < window


def _one_side(
    own: State, opponent: State, series: Series, game: Game, *, half_points: int, window: timedelta
) -> Outcome[State]:
    series = replace(series, games=series.games + 1, half_points=series.half_points + half_points)
    exact, reasons = _total_change(series, opponent.games)
    total = half_away_from_zero(exact)
    change = total - series.given
    rating = max(0, own.rating + change)
    figures: dict[str, int | str] = {
        "exact": in_decimals(exact),
        "total": total,
        "given": series.given,
        "change": change,
    }
    floor = (Step("floor-0", {}),) if own.rating + change < 0 else ()
    series = replace(series, given=series.given + rating - own.rating)
    state = replace(
        own,
        rating=rating,
        games=own.games + 1,
        series=_remembered(own.series, series, game, window),
        closings=closings_with(own, game.day, rating),
    )
    moved = Step("new-rating", {"before": own.rating, "after": rating})
    return Outcome(state, (*reasons, Step("change-D-60", figures), *floor, moved))


def _total_change(series: Series, opponent_games: int) -> tuple[Fraction, tuple[Step, ...]]:
    """D-60: K x (2 - 1/2^(n-1)) x (W/n - We), times the weight of the current game (D-61)."""
    k, difference = k_factor(series.rating), series.rating - series.opponent_rating
    expected = expectation(difference)
    factor = 2 - Fraction(1, 2 ** (series.games - 1))
    weight = Fraction(min(opponent_games + 1, PROVISIONAL_GAMES), PROVISIONAL_GAMES)
    exact = k * factor * (Fraction(series.half_points, 2 * series.games) - expected) * weight
    score: dict[str, int | str] = {
        "games": series.games,
        "factor": in_decimals(factor),
        "score": in_score(series.half_points),
    }
    steps = [
        Step("k-band", {"k": k, "rating": series.rating}),
        Step("expectation", {"difference": difference, "expectation": in_decimals(expected)}),
        Step("series-D-60", score),
    ]
    if opponent_games < PROVISIONAL_GAMES:
        steps.append(
            Step("provisional-weight-D-61", {"games": opponent_games, "weight": in_decimals(weight)})
        )
    return exact, tuple(steps)


def _remembered(
    remembered: tuple[Series, ...], series: Series, game: Game, window: timedelta
) -> tuple[Series, ...]:
    """Return the series still open, with the one just played; of two against one opponent the later remains."""
    open_still = tuple(other for other in remembered if game.ended_at - other.started_at < window)
    same = next((other for other in open_still if other.opponent == series.opponent), series)
    latest = same if same.started_at > series.started_at else series
    return (*(other for other in open_still if other.opponent != series.opponent), latest)
