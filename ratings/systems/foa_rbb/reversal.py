"""What becomes of a member's rating in the FIDE Online Arena when a game is cancelled later, for fair play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ratings.systems.arithmetic import in_points
from ratings.systems.foa_rbb.rating import State, above_floor, rated_state, towards_first_rating
from ratings.systems.online.values import Outcome, Past, Step


def reverse_game(state: State, start: State, standing: Sequence[Past[State]]) -> Outcome[State]:
    """Return today's state by what still stands after a member's start, in the order in which it was rated (D-88).

    A change between two ratings stays what it was: later games were rated by what was shown. In the stage of the first
    rating, the games that remain are counted from the beginning, at the opponents' ratings of then.
    """
    again = start
    for past in standing:
        again = _after(again, past)
    if again == state:
        return Outcome(state, (Step("cancelled-nothing", {}),))
    if state.rating is None or again.rating is None:
        return Outcome(again, (Step("cancelled-anew-D-88", {}),))
    figures = {
        "before": in_points(state.rating),
        "change": in_points(again.rating - state.rating),
        "after": in_points(again.rating),
    }
    return Outcome(again, (Step("cancelled-change", figures),))


def _after(own: State, past: Past[State]) -> State:
    before, after = past.before, past.after
    if after is not None and own == before:
        return after
    if past.half_points is None:
        marked = replace(own, adjusted_on=after.adjusted_on if after else own.adjusted_on)
        return _moved(marked, before, after, games=0)
    if past.opponent_rating is None:
        return own
    if own.rating is None:
        return towards_first_rating(
            own, opponent_rating=past.opponent_rating, half_points=past.half_points
        ).state
    if before is not None and before.rating is not None and after is not None and after.rating is not None:
        return _moved(own, before, after, games=1)
    return rated_state(
        own, past.opponent_rating, time_control=past.time_control, half_points=past.half_points
    )


def _moved(own: State, before: State | None, after: State | None, *, games: int) -> State:
    """Return the state with the change between two ratings; without effect on an unrated member."""
    ratings = [state.rating for state in (before, after) if state is not None and state.rating is not None]
    if own.rating is None or len(ratings) < 2:
        return own
    moved = replace(own, rating=own.rating + ratings[1] - ratings[0], games=own.games + games)
    return above_floor(moved, ()).state
