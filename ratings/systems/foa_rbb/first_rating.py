"""First ratings: from the FIDE lists on joining (3.4), or in two stages from five results (3.6, 3.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction

from ratings.systems.foa_rbb.state import FLOOR, State
from ratings.systems.online.figures import in_decimals, in_points, in_score
from ratings.systems.online.values import Outcome, Step
from ratings.systems.rounding import half_up
from ratings.systems.tables import dp

FIRST_GAMES = 5
POINTS_A_HALF_POINT = 20

# 3.4: the lists of which the first that has a rating gives the first rating.
LISTS = {
    "rapid": ("3.4.1", ("rapid", "standard")),
    "blitz": ("3.4.2", ("blitz", "rapid", "standard")),
    "bullet": ("3.4.3", ("blitz", "rapid", "standard")),
}


def first_state(
    category: str, ratings: Mapping[str, int | None], *, list_date: date | None = None
) -> Outcome[State]:
    """Return a new member's state from the FIDE lists in force on joining (FOA 3.4, 3.5).

    `ratings` are those published for the member, by kind (`standard`, `rapid`, `blitz`); `list_date` is the date
    of these lists, whose own changes are already in the rating (D-43).
    """
    article, kinds = LISTS[category]
    for kind in kinds:
        listed = ratings.get(kind)
        if listed:
            state = State(rating=listed * 100, was_unrated=False, adjusted_on=list_date)
            return Outcome(state, (Step(f"first-rating-listed-{article}", {"list": kind, "rating": listed}),))
    return Outcome(State(adjusted_on=list_date), (Step("no-first-rating-3.5", {}),))


def towards_first_rating(state: State, *, opponent_rating: int, half_points: int) -> Outcome[State]:
    """Return an unrated member's state after a game against a rated opponent (FOA 3.6)."""
    figures = {"opponent": in_points(opponent_rating), "score": in_score(half_points)}
    if not state.games and not half_points:
        return Outcome(state, (Step("loss-disregarded-3.6.1", figures),))
    key = "second-target-3.6.2" if state.games else "first-target-3.6.1"
    state = replace(
        state,
        games=state.games + 1,
        opponents_sum=state.opponents_sum + opponent_rating,
        half_points=state.half_points + half_points,
    )
    step = Step(key, {**figures, "games": state.games, "remaining": FIRST_GAMES - state.games})
    if state.games < FIRST_GAMES:
        return Outcome(state, (step,))
    rated = _first_rating(state)
    return Outcome(rated.state, (step, *rated.steps))


def _first_rating(state: State) -> Outcome[State]:
    """3.7: Ra and what the score adds to it, two decimals, half up; under the floor from the beginning (D-40)."""
    average = Fraction(state.opponents_sum, FIRST_GAMES)
    gain, reason = _gain(state.half_points)
    rating = half_up(average) + 100 * gain
    steps = (
        Step("average-3.7.1", {"games": FIRST_GAMES, "average": in_decimals(average / 100)}),
        reason,
        Step("first-rating-3.7.2", {"gain": gain, "rating": in_points(rating)}),
    )
    if rating < FLOOR:
        return Outcome(
            state.started_over(), (*steps, Step("first-rating-under-floor-D-40", {"floor": FLOOR // 100}))
        )
    rated = State(rating=rating, games=FIRST_GAMES, adjusted_on=state.adjusted_on)
    return Outcome(rated, steps)


def _gain(half_points: int) -> tuple[int, Step]:
    over = half_points - FIRST_GAMES
    if not over:
        return 0, Step("even-score-3.7.3", {"score": in_score(half_points)})
    if over > 0:
        gain = POINTS_A_HALF_POINT * over
        return gain, Step("plus-score-3.7.4", {"half_points": over, "gain": gain})
    p = half_points * 100 // (2 * FIRST_GAMES)
    return dp(p), Step("minus-score-3.7.5", {"p": in_points(p), "dp": dp(p)})
