"""The rating floor of `chess-online`: the highest rating that sets it, and the 90 days that lower it (D-52)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from ratings.systems.chess_online.state import PROVISIONAL_GAMES, State
from ratings.systems.online.values import Outcome, Step

NEAR_FLOOR = 30
NEAR_FLOOR_DAYS = 90


def end_day(state: State, day: date) -> Outcome[State]:
    """Return the state at the end of a day: a rating within 30 points of the floor for 90 days lowers it by 100.

    The 90th day after the one on which the rating came near counts; a second call for a day changes nothing.
    """
    since = state.near_since
    if since is None or (day - since).days < NEAR_FLOOR_DAYS:
        return Outcome(state)
    lowered = replace(state, reductions=state.reductions + 1, near_since=None)
    fell_on = since + timedelta(days=NEAR_FLOOR_DAYS)
    figures: dict[str, int | str] = {
        "since": since.isoformat(),
        "day": fell_on.isoformat(),
        "floor": lowered.floor,
    }
    return Outcome(lowered, (Step("floor-reduced-90-days", figures),))


def with_highest(outcome: Outcome[State]) -> Outcome[State]:
    """D-52: the highest rating ever shown, which sets the floor anew."""
    state = outcome.state
    if state.rating <= state.highest:
        return outcome
    raised = replace(state, highest=state.rating, reductions=0)
    step = Step("new-highest", {"highest": raised.highest, "floor": raised.floor})
    return Outcome(raised, (*outcome.steps, step))


def watched(state: State, day: date) -> State:
    """Return the state with the day since which it is near the floor; a late game counts from the latest day."""
    day = max(day, state.last_day or day)
    if state.games <= PROVISIONAL_GAMES or state.rating - state.floor > NEAR_FLOOR:
        return replace(state, near_since=None, last_day=day)
    return replace(state, near_since=state.near_since or day, last_day=day)
