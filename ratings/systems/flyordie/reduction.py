"""The daily reduction of `flyordie`: one a day and never two, missed days made up in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from ratings.systems.flyordie.state import State
from ratings.systems.online.values import Outcome, Step

REDUCTION_DIVISOR = 125_000
ONE_DAY = timedelta(days=1)


def reduction(rating: int) -> int:
    """Return what a day takes from a rating: its square / 125000, rounded up, and never more than the rating."""
    return min(-(-rating * rating // REDUCTION_DIVISOR), rating)


def end_day(state: State, day: date) -> Outcome[State]:
    """Return the state at the end of a day, with every missed day since the last made up in order.

    Each day's reduction is calculated on the rating at the end of that day and taken off today's; a day that was
    done is not done again. Only days on which something is taken off have a step.
    """
    steps = []
    for due in _days_due(state, day):
        rating = _rating_at_end_of(state, due)
        amount = reduction(rating)
        state = _reduced(state, due, rating, amount)
        if amount:
            steps.append(
                Step("daily-reduction", {"day": due.isoformat(), "rating": rating, "amount": amount})
            )
    return Outcome(state, tuple(steps))


def closings_with(own: State, day: date, rating: int) -> tuple[tuple[date, int], ...]:
    """Return the ratings at the end of days; a late game changes the latest of them, and no day that is done."""
    if own.reduced_through is not None:
        day = max(day, own.reduced_through + ONE_DAY)
    if own.closings:
        day = max(day, own.closings[-1][0])
    return (*(closing for closing in own.closings if closing[0] < day), (day, rating))


def _days_due(state: State, day: date) -> Iterator[date]:
    """Yield the days up to the given one that are not done, from the first game's on."""
    if not state.closings:
        return
    due = state.closings[0][0] if state.reduced_through is None else state.reduced_through + ONE_DAY
    while due <= day:
        yield due
        due += ONE_DAY


def _rating_at_end_of(state: State, day: date) -> int:
    return [rating for closing, rating in state.closings if closing <= day][-1]


def _reduced(state: State, day: date, rating: int, amount: int) -> State:
    """Return the state with a day's amount taken off the rating and off the closings after that day."""
    later = ((closing, max(0, then - amount)) for closing, then in state.closings if closing > day)
    return replace(
        state,
        rating=max(0, state.rating - amount),
        reduced_through=day,
        closings=((day, rating - amount), *later),
    )
