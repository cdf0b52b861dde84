"""Games of the FIDE Online Arena one by one (articles 2 and 3), and the monthly adjustment (3.15)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

from ratings.systems.foa_rbb.first_rating import towards_first_rating
from ratings.systems.foa_rbb.state import FLOOR, State
from ratings.systems.online.figures import in_points, in_score
from ratings.systems.online.values import Game, Outcome, RatedGame, Step, unrated_game
from ratings.systems.rounding import hundredths_half_up
from ratings.systems.tables import scoring_probability

# 2.3: the time controls of rated games, minutes and seconds a move.
TIME_CONTROLS = {
    "rapid": ("15+0", "25+0", "45+0", "10+10", "15+10", "25+10", "45+10"),
    "blitz": ("3+0", "5+0", "10+0", "3+2", "3+3", "5+3"),
    "bullet": ("1+0", "2+0", "1+1", "1+2"),
}
RECONNECTION_SECONDS = 60
NEWCOMER_GAMES = 30
NEWCOMER_K = (40, "k40-3.10.3")
K = {"rapid": (20, "k20-3.10.1"), "blitz": (20, "k20-3.10.1"), "bullet": (10, "k10-3.10.2")}

_CATEGORIES = {control: category for category, controls in TIME_CONTROLS.items() for control in controls}


def category_of(time_control: str) -> str | None:
    """Return the category of a time control such as `10+10`, None where no rated game has it (FOA 2.3)."""
    return _CATEGORIES.get(time_control)


def unrated_reason(game: Game) -> Step | None:
    """Return why a game is not rated whatever the ratings: a member who is not a full one (2.1), the time (2.3)."""
    for side in (game.white, game.black):
        if not side.is_full_member:
            return Step("unrated-not-full-member-2.1", {"member": side.member})
    if category_of(game.time_control) is None:
        return Step("unrated-time-control-2.3", {"time_control": game.time_control})
    return None


def rate_game(white: State, black: State, game: Game) -> RatedGame[State]:
    """Return both members' states after a game, from their states in the category of its time control.

    Each change is calculated from the two ratings before the game (FOA 3.9, 3.11).
    """
    reason = unrated_reason(game)
    if reason is None and white.rating is None and black.rating is None:
        reason = Step("both-unrated-3.6", {})
    if reason is not None:
        return unrated_game(white, black, reason)
    category = _CATEGORIES[game.time_control]
    half_points, notes = _half_points_of_white(game)
    return RatedGame(
        _one_side(white, black, category=category, half_points=half_points, notes=notes),
        _one_side(black, white, category=category, half_points=2 - half_points, notes=notes),
    )


def adjust(state: State, change: Fraction | int, *, list_date: date) -> Outcome[State]:
    """Return the state with a FIDE list's unrounded change added, once a list (FOA 3.15, D-43).

    `change` is K x sum of dR in points, correction lines included, of the list of the category's own kind.
    """
    if state.adjusted_on is not None and list_date <= state.adjusted_on:
        return Outcome(state, (Step("adjusted-already-D-43", {"list": list_date.isoformat()}),))
    marked = replace(state, adjusted_on=list_date)
    if state.rating is None:
        return Outcome(marked, (Step("adjustment-unrated-D-43", {"list": list_date.isoformat()}),))
    hundredths = hundredths_half_up(change)
    rating = state.rating + hundredths
    figures = {"before": in_points(state.rating), "change": in_points(hundredths), "after": in_points(rating)}
    step = Step("adjustment-3.15", {"list": list_date.isoformat(), **figures})
    return above_floor(replace(marked, rating=rating), (step,))


def above_floor(state: State, steps: tuple[Step, ...]) -> Outcome[State]:
    """Return the state after a change: a rating under the floor of 100 is lost and has to be found anew (FOA 3.3)."""
    if state.rating is None or state.rating >= FLOOR:
        return Outcome(state, steps)
    return Outcome(state.started_over(), (*steps, Step("rating-lost-3.3", {"floor": FLOOR // 100})))


def _half_points_of_white(game: Game) -> tuple[int, tuple[Step, ...]]:
    """2.4: who is disconnected for more than 60 seconds has lost, whatever the result says."""
    for side, half_points in ((game.white, 0), (game.black, 2)):
        if side.is_disconnected:
            figures: dict[str, int | str] = {"member": side.member, "seconds": RECONNECTION_SECONDS}
            return half_points, (Step("disconnected-2.4", figures),)
    return game.white_half_points, ()


def _one_side(
    own: State, opponent: State, *, category: str, half_points: int, notes: tuple[Step, ...]
) -> Outcome[State]:
    if opponent.rating is None:
        return Outcome(own, (*notes, Step("unrated-opponent-3.8", {})))
    if own.rating is None:
        outcome = towards_first_rating(own, opponent_rating=opponent.rating, half_points=half_points)
    else:
        outcome = _rated(own, own.rating, opponent.rating, category=category, half_points=half_points)
    return Outcome(outcome.state, (*notes, *outcome.steps))


def _rated(
    own: State, rating: int, opponent_rating: int, *, category: str, half_points: int
) -> Outcome[State]:
    """3.9: dR = score - PD, Rn = Ro + K x dR, both ratings as they were before the game."""
    difference = _difference(rating, opponent_rating)
    pd = scoring_probability(difference)
    dr = 50 * half_points - pd
    k, reason = _k_factor(own, category)
    after = rating + k * dr
    points = {"rating": in_points(rating), "opponent": in_points(opponent_rating)}
    state = replace(own, rating=after, games=own.games + 1)
    steps = (
        Step("difference-D-41", {**points, "difference": difference}),
        Step("change-3.9.1", {"score": in_score(half_points), "pd": in_points(pd), "dr": in_points(dr)}),
        Step(reason, {"k": k, "games": own.games}),
        Step(
            "new-rating-3.9.2",
            {"before": in_points(rating), "change": in_points(k * dr), "after": in_points(after)},
        ),
    )
    return above_floor(state, steps)


def _difference(rating: int, opponent_rating: int) -> int:
    """D-41: the exact difference, its absolute value rounded to a whole number, half up."""
    exact = rating - opponent_rating
    magnitude = (abs(exact) + 50) // 100
    return magnitude if exact >= 0 else -magnitude


def _k_factor(own: State, category: str) -> tuple[int, str]:
    """3.10, with the games of D-42."""
    return NEWCOMER_K if own.was_unrated and own.games < NEWCOMER_GAMES else K[category]
