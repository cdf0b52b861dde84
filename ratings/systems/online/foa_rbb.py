"""FIDE Online Arena rapid, blitz and bullet ratings (RBB), in the order of the regulations' articles.

Ratings and changes are whole hundredths of a point (3.1): K is whole and dR whole hundredths, so nothing is
rounded but the average of a first rating. A state is that of one member in one category.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import ClassVar

from ratings.systems.arithmetic import (
    dp,
    half_up,
    hundredths_half_up,
    in_decimals,
    in_points,
    in_score,
    scoring_probability,
)
from ratings.systems.online.values import (
    OnlineGame,
    OnlineOutcome,
    OnlineStep,
    Past,
    RatedGame,
    StoredState,
    unrated_game,
)

SLUG = "foa-rbb"
CATEGORIES = ("rapid", "blitz", "bullet")


FLOOR = 100_00


@dataclass(frozen=True, slots=True)
class FoaRbbState(StoredState):
    """The state of a rating: the rating in hundredths, or the games towards the first one.

    `games` are the completed rated games of D-42; of an unrated member, those of the five that were played, with
    `opponents_sum` (hundredths) and `half_points` over them. `adjusted_on` is the date of the last FIDE list
    whose changes are in the rating (3.15).
    """

    DAYS: ClassVar = ("adjusted_on",)
    rating: int | None = None
    was_unrated: bool = True
    games: int = 0
    opponents_sum: int = 0
    half_points: int = 0
    adjusted_on: date | None = None

    @property
    def exact(self) -> str | None:
        """The rating with its two decimals (3.1), None for an unrated member."""
        return None if self.rating is None else in_points(self.rating)

    def started_over(self) -> FoaRbbState:
        """Return the state of a member who has to find a first rating from the beginning (3.3, D-40)."""
        return FoaRbbState(adjusted_on=self.adjusted_on)


NEWCOMER = FoaRbbState()

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
) -> OnlineOutcome[FoaRbbState]:
    """Return a new member's state from the FIDE lists in force on joining (FOA 3.4, 3.5).

    `ratings` are those published for the member, by kind (`standard`, `rapid`, `blitz`); `list_date` is the date
    of these lists, whose own changes are already in the rating (D-43).
    """
    article, kinds = LISTS[category]
    for kind in kinds:
        listed = ratings.get(kind)
        if listed:
            state = FoaRbbState(rating=listed * 100, was_unrated=False, adjusted_on=list_date)
            return OnlineOutcome(
                state, (OnlineStep(f"first-rating-listed-{article}", {"list": kind, "rating": listed}),)
            )
    return OnlineOutcome(FoaRbbState(adjusted_on=list_date), (OnlineStep("no-first-rating-3.5", {}),))


def towards_first_rating(
    state: FoaRbbState, *, opponent_rating: int, half_points: int
) -> OnlineOutcome[FoaRbbState]:
    """Return an unrated member's state after a game against a rated opponent (FOA 3.6)."""
    figures = {"opponent": in_points(opponent_rating), "score": in_score(half_points)}
    # Only until the first point: a later loss is one of the five (3.6.1, 3.6.2).
    if not state.games and not half_points:
        return OnlineOutcome(state, (OnlineStep("loss-disregarded-3.6.1", figures),))
    key = "second-target-3.6.2" if state.games else "first-target-3.6.1"
    state = replace(
        state,
        games=state.games + 1,
        opponents_sum=state.opponents_sum + opponent_rating,
        half_points=state.half_points + half_points,
    )
    step = OnlineStep(key, {**figures, "games": state.games, "remaining": FIRST_GAMES - state.games})
    if state.games < FIRST_GAMES:
        return OnlineOutcome(state, (step,))
    rated = _first_rating(state)
    return OnlineOutcome(rated.state, (step, *rated.steps))


def _first_rating(state: FoaRbbState) -> OnlineOutcome[FoaRbbState]:
    """3.7: Ra and what the score adds to it, two decimals, half up; under the floor from the beginning (D-40)."""
    average = Fraction(state.opponents_sum, FIRST_GAMES)
    gain, reason = _gain(state.half_points)
    rating = half_up(average) + 100 * gain
    steps = (
        OnlineStep("average-3.7.1", {"games": FIRST_GAMES, "average": in_decimals(average / 100)}),
        reason,
        OnlineStep("first-rating-3.7.2", {"gain": gain, "rating": in_points(rating)}),
    )
    if rating < FLOOR:
        return OnlineOutcome(
            state.started_over(),
            (*steps, OnlineStep("first-rating-under-floor-D-40", {"floor": FLOOR // 100})),
        )
    rated = FoaRbbState(rating=rating, games=FIRST_GAMES, adjusted_on=state.adjusted_on)
    return OnlineOutcome(rated, steps)


def _gain(half_points: int) -> tuple[int, OnlineStep]:
    surplus = half_points - FIRST_GAMES
    if not surplus:
        return 0, OnlineStep("even-score-3.7.3", {"score": in_score(half_points)})
    if surplus > 0:
        gain = POINTS_A_HALF_POINT * surplus
        return gain, OnlineStep("plus-score-3.7.4", {"half_points": surplus, "gain": gain})
    # Five games give whole hundredths: there is nothing to round.
    p = half_points * 100 // (2 * FIRST_GAMES)
    return dp(p), OnlineStep("minus-score-3.7.5", {"p": in_points(p), "dp": dp(p)})


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
    """Return the category of a time control such as `10+10`, None if no rated game may have it (FOA 2.3)."""
    return _CATEGORIES.get(time_control)


def unrated_reason(game: OnlineGame) -> OnlineStep | None:
    """Return why a game is not rated for any ratings: a member who is not a full member (2.1), the time (2.3)."""
    for side in (game.white, game.black):
        if not side.is_full_member:
            return OnlineStep("unrated-not-full-member-2.1", {"member": side.member})
    if category_of(game.time_control) is None:
        return OnlineStep("unrated-time-control-2.3", {"time_control": game.time_control})
    return None


def rate_game(white: FoaRbbState, black: FoaRbbState, game: OnlineGame) -> RatedGame[FoaRbbState]:
    """Return both members' states after a game, from their states in the category of its time control.

    Each change is calculated from the two ratings before the game (FOA 3.9, 3.11).
    """
    reason = unrated_reason(game)
    if reason is None and white.rating is None and black.rating is None:
        reason = OnlineStep("both-unrated-3.6", {})
    if reason is not None:
        return unrated_game(white, black, reason)
    category = _CATEGORIES[game.time_control]
    half_points, notes = _half_points_of_white(game)
    return RatedGame(
        _one_side(white, black, category=category, half_points=half_points, notes=notes),
        _one_side(black, white, category=category, half_points=2 - half_points, notes=notes),
    )


def adjust(state: FoaRbbState, change: Fraction | int, *, list_date: date) -> OnlineOutcome[FoaRbbState]:
    """Return the state with a FIDE list's unrounded change added, once a list (FOA 3.15, D-43).

    `change` is K x sum of dR in points, correction lines included, of the list of the category's own kind.
    """
    # Publishing twice, and a receiver that runs again, add nothing twice (D-43).
    if state.adjusted_on is not None and list_date <= state.adjusted_on:
        return OnlineOutcome(state, (OnlineStep("adjusted-already-D-43", {"list": list_date.isoformat()}),))
    # Marked without a rating, too: the list must not be added to one that is found later.
    marked = replace(state, adjusted_on=list_date)
    if state.rating is None:
        return OnlineOutcome(
            marked, (OnlineStep("adjustment-unrated-D-43", {"list": list_date.isoformat()}),)
        )
    hundredths = hundredths_half_up(change)
    rating = state.rating + hundredths
    figures = {"before": in_points(state.rating), "change": in_points(hundredths), "after": in_points(rating)}
    step = OnlineStep("adjustment-3.15", {"list": list_date.isoformat(), **figures})
    return above_floor(replace(marked, rating=rating), (step,))


def above_floor(state: FoaRbbState, steps: tuple[OnlineStep, ...]) -> OnlineOutcome[FoaRbbState]:
    """Return the state after a change: below the floor of 100 the rating is lost and starts again (FOA 3.3)."""
    if state.rating is None or state.rating >= FLOOR:
        return OnlineOutcome(state, steps)
    return OnlineOutcome(
        state.started_over(), (*steps, OnlineStep("rating-lost-3.3", {"floor": FLOOR // 100}))
    )


def _half_points_of_white(game: OnlineGame) -> tuple[int, tuple[OnlineStep, ...]]:
    """Return the half points of White: a side disconnected for more than 60 seconds has lost (2.4)."""
    for side, half_points in ((game.white, 0), (game.black, 2)):
        if side.is_disconnected:
            figures: dict[str, int | str] = {"member": side.member, "seconds": RECONNECTION_SECONDS}
            return half_points, (OnlineStep("disconnected-2.4", figures),)
    return game.white_half_points, ()


def _one_side(
    own: FoaRbbState, opponent: FoaRbbState, *, category: str, half_points: int, notes: tuple[OnlineStep, ...]
) -> OnlineOutcome[FoaRbbState]:
    if opponent.rating is None:
        # Rated or not, nobody is rated against a member without a rating (3.6, 3.8).
        return OnlineOutcome(own, (*notes, OnlineStep("unrated-opponent-3.8", {})))
    if own.rating is None:
        outcome = towards_first_rating(own, opponent_rating=opponent.rating, half_points=half_points)
    else:
        outcome = _rate(own, own.rating, opponent.rating, category=category, half_points=half_points)
    return OnlineOutcome(outcome.state, (*notes, *outcome.steps))


def _rate(
    own: FoaRbbState, rating: int, opponent_rating: int, *, category: str, half_points: int
) -> OnlineOutcome[FoaRbbState]:
    """3.9: dR = score - PD, Rn = Ro + K x dR, both ratings as they were before the game."""
    difference = _difference(rating, opponent_rating)
    pd = scoring_probability(difference)
    dr = 50 * half_points - pd
    k, reason = _k_factor(own, category)
    after = rating + k * dr
    points = {"rating": in_points(rating), "opponent": in_points(opponent_rating)}
    state = replace(own, rating=after, games=own.games + 1)
    steps = (
        OnlineStep("difference-D-41", {**points, "difference": difference}),
        OnlineStep(
            "change-3.9.1", {"score": in_score(half_points), "pd": in_points(pd), "dr": in_points(dr)}
        ),
        OnlineStep(reason, {"k": k, "games": own.games}),
        OnlineStep(
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


def _k_factor(own: FoaRbbState, category: str) -> tuple[int, str]:
    """3.10, with the games of D-42."""
    return NEWCOMER_K if own.was_unrated and own.games < NEWCOMER_GAMES else K[category]


def reverse_game(
    state: FoaRbbState, start: FoaRbbState, standing: Sequence[Past[FoaRbbState]]
) -> OnlineOutcome[FoaRbbState]:
    """Return the current state by the remaining games and changes after a member's start, in their order (D-88).

    A change between two ratings does not change: later games were rated by the ratings shown. Before the first
    rating, the remaining games are counted from the start, at the opponents' ratings of that time.
    """
    # From the start, not from the state of today: so the order of cancelling does not matter (D-88).
    again = start
    for past in standing:
        again = _after(again, past)
    if again == state:
        return OnlineOutcome(state, (OnlineStep("cancelled-nothing", {}),))
    if state.rating is None or again.rating is None:
        return OnlineOutcome(again, (OnlineStep("cancelled-anew-D-88", {}),))
    figures = {
        "before": in_points(state.rating),
        "change": in_points(again.rating - state.rating),
        "after": in_points(again.rating),
    }
    return OnlineOutcome(again, (OnlineStep("cancelled-change", figures),))


def _after(own: FoaRbbState, past: Past[FoaRbbState]) -> FoaRbbState:
    before, after = past.before, past.after
    # Up to the cancelled game nothing differs, and what was stored stands.
    if after is not None and own == before:
        return after
    if past.half_points is None:
        marked = replace(own, adjusted_on=after.adjusted_on if after else own.adjusted_on)
        return _move(marked, before, after, games=0)
    if past.opponent_rating is None:
        return own
    if own.rating is None:
        return towards_first_rating(
            own, opponent_rating=past.opponent_rating, half_points=past.half_points
        ).state
    if before is not None and before.rating is not None and after is not None and after.rating is not None:
        return _move(own, before, after, games=1)
    category = _CATEGORIES[past.time_control]
    return _rate(own, own.rating, past.opponent_rating, category=category, half_points=past.half_points).state


def _move(
    own: FoaRbbState, before: FoaRbbState | None, after: FoaRbbState | None, *, games: int
) -> FoaRbbState:
    """Return the state with the change between two ratings; without effect on an unrated member."""
    ratings = [state.rating for state in (before, after) if state is not None and state.rating is not None]
    # A rating was found or lost in this change: it has no difference to move by.
    if own.rating is None or len(ratings) < 2:
        return own
    moved = replace(own, rating=own.rating + ratings[1] - ratings[0], games=own.games + games)
    return above_floor(moved, ()).state
