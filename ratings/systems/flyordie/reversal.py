"""What becomes of a `flyordie` rating when a game is cancelled later, for fair play."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ratings.systems.flyordie.reduction import closings_with
from ratings.systems.flyordie.state import Series, State
from ratings.systems.online.values import Outcome, Step


def reverse_game(state: State, *, before: State, after: State, on: date) -> Outcome[State]:
    """Return today's state without a game, from the member's states before and after it.

    What the game changed is taken off today's rating, not below 0, and its series goes on without it. Daily
    reductions that were calculated with it stay.
    """
    rating = max(0, state.rating - (after.rating - before.rating))
    without = replace(
        state,
        rating=rating,
        games=state.games - 1,
        series=_series_without(state, before, after),
        closings=closings_with(state, on, rating),
    )
    figures = {"before": state.rating, "change": rating - state.rating, "after": rating}
    return Outcome(without, (Step("cancelled-change", figures),))


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
