"""What becomes of a member's rating in the FIDE Online Arena when a game is cancelled later, for fair play."""

from __future__ import annotations

from dataclasses import replace

from ratings.systems.arithmetic import in_points
from ratings.systems.foa_rbb.rating import State, above_floor
from ratings.systems.online.values import Outcome, Step


def reverse_game(state: State, *, before: State, after: State) -> Outcome[State]:
    """Return today's state without a game, from the member's states before and after it.

    A change between two ratings is taken off today's rating, and a result that still waits for a first rating
    leaves the five. What later games have built on (a first rating, a lost one) stays.
    """
    if before.rating is not None and after.rating is not None and state.rating is not None:
        return _without_change(state, state.rating, after.rating - before.rating)
    if replace(state, adjusted_on=None) == replace(after, adjusted_on=None):
        return Outcome(replace(before, adjusted_on=state.adjusted_on), (Step("cancelled-undone", {}),))
    if _is_pooled(before, after) and state.rating is None and state.games > before.games:
        return Outcome(_without_result(state, before, after), (Step("cancelled-result", {}),))
    return Outcome(state, (Step("cancelled-nothing", {}),))


def _without_change(state: State, rating: int, change: int) -> Outcome[State]:
    figures = {"before": in_points(rating), "change": in_points(-change), "after": in_points(rating - change)}
    without = replace(state, rating=rating - change, games=max(state.games - 1, 0))
    return above_floor(without, (Step("cancelled-change", figures),))


def _is_pooled(before: State, after: State) -> bool:
    return before.rating is None and after.rating is None and after.games > before.games


def _without_result(state: State, before: State, after: State) -> State:
    """Return the five without a result; where only losses remain, none of them counts any longer (3.6.1)."""
    half_points = state.half_points - (after.half_points - before.half_points)
    if half_points <= 0:
        return state.started_over()
    opponents_sum = state.opponents_sum - (after.opponents_sum - before.opponents_sum)
    return replace(state, games=state.games - 1, half_points=half_points, opponents_sum=opponents_sum)
