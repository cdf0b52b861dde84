"""What becomes of a `chess-online` rating when a game is cancelled later, for fair play."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ratings.systems.chess_online.floor import watched
from ratings.systems.chess_online.rating import provisional_rating
from ratings.systems.chess_online.state import PROVISIONAL_GAMES, State
from ratings.systems.online.values import Outcome, Step


def reverse_game(state: State, *, before: State, after: State, on: date) -> Outcome[State]:
    """Return today's state without a game, from the member's states before and after it.

    One of the first 20 leaves the average as long as that goes on, and nothing is taken off once Elo has begun;
    an Elo change is taken off today's rating. The highest rating was shown, and stays; so does the floor.
    """
    if after.games == before.games:
        return Outcome(state, (Step("cancelled-nothing", {}),))
    if before.is_provisional and state.games > PROVISIONAL_GAMES:
        return Outcome(state, (Step("cancelled-nothing", {}),))
    without = _without(state, before, after)
    figures = {"before": state.rating, "change": without.rating - state.rating, "after": without.rating}
    return Outcome(watched(without, on), (Step("cancelled-change", figures),))


def _without(state: State, before: State, after: State) -> State:
    games = state.games - 1
    if before.is_provisional:
        total = state.total - (after.total - before.total)
        return replace(state, games=games, total=total, rating=provisional_rating(total, games))
    rating = max(state.rating - (after.rating - before.rating), state.floor)
    return replace(state, games=games, rating=rating)
