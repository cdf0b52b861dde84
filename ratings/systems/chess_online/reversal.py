"""What becomes of a `chess-online` rating when a game is cancelled later, for fair play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from ratings.systems.chess_online.floor import watched
from ratings.systems.chess_online.rating import contribution_of, provisional_rating
from ratings.systems.chess_online.state import PROVISIONAL_GAMES, State
from ratings.systems.online.values import Outcome, Past, Step


def reverse_game(state: State, start: State, standing: Sequence[Past[State]], on: date) -> Outcome[State]:
    """Return today's state by the games that still stand after a member's start, in the order of their rating (D-88).

    The first 20 that remain make the average; the change of each later one stays what it was. The highest rating was
    shown, and stays; so does the floor.
    """
    again = start
    for past in standing:
        again = _after(again, past)
    rating = again.rating if again.games <= PROVISIONAL_GAMES else max(again.rating, state.floor)
    if (rating, again.games, again.total) == (state.rating, state.games, state.total):
        return Outcome(state, (Step("cancelled-nothing", {}),))
    figures = {"before": state.rating, "change": rating - state.rating, "after": rating}
    without = replace(state, rating=rating, games=again.games, total=again.total)
    return Outcome(watched(without, on), (Step("cancelled-change", figures),))


def _after(own: State, past: Past[State]) -> State:
    before, after = past.before, past.after
    if before is None or after is None or past.half_points is None:
        return own
    if own.is_provisional:
        added = after.total - before.total if before.is_provisional else contribution_of(past)
        games, total = own.games + 1, own.total + added
        return replace(own, games=games, total=total, rating=provisional_rating(total, games))
    rating = max(own.rating + after.rating - before.rating, after.floor)
    return replace(own, games=own.games + 1, rating=rating)
