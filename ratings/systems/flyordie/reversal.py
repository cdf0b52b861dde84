"""What becomes of a `flyordie` rating when a game is cancelled later, for fair play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from ratings.systems.flyordie.reduction import closings_with
from ratings.systems.flyordie.state import Series, State
from ratings.systems.online.values import Outcome, Past, Step


def reverse_game(
    state: State, start: State, cancelled: Past[State], standing: Sequence[Past[State]], on: date
) -> Outcome[State]:
    """Return today's state without a game, by what still stands after a member's start (D-88).

    The rating is the sum of the changes that stand, in their order and never below 0, so that it does not matter in
    which order games were cancelled. The series of the game goes on without it. Daily reductions that were calculated
    with it stay.
    """
    rating = _rating_of(start, standing)
    without = replace(
        state,
        rating=rating,
        games=state.games - 1,
        series=_series_without(state, cancelled.before or State(), cancelled.after or State()),
        closings=closings_with(state, on, rating),
    )
    figures = {"before": state.rating, "change": rating - state.rating, "after": rating}
    return Outcome(without, (Step("cancelled-change", figures),))


def _rating_of(start: State, standing: Sequence[Past[State]]) -> int:
    rating = start.rating
    for past in standing:
        if past.before is not None and past.after is not None:
            rating = max(0, rating + past.after.rating - past.before.rating)
    return rating


def _series_without(state: State, before: State, after: State) -> tuple[Series, ...]:
    """Return today's series, that of the game with one game less; a series of no games is no longer one."""
    played = next((series for series in after.series if series not in before.series), None)
    if played is None:
        return state.series
    earlier = next((series for series in before.series if _is_same(series, played)), None)
    series = tuple(_less(one, played, earlier) if _is_same(one, played) else one for one in state.series)
    return tuple(one for one in series if one.games)


def _is_same(one: Series, other: Series) -> bool:
    return (one.opponent, one.started_at) == (other.opponent, other.started_at)


def _less(today: Series, after: Series, before: Series | None) -> Series:
    half_points = after.half_points - (before.half_points if before else 0)
    given = after.given - (before.given if before else 0)
    return replace(
        today,
        games=today.games - 1,
        half_points=today.half_points - half_points,
        given=today.given - given,
    )
