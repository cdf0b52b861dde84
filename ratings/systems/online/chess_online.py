"""The rating system `chess-online`: a provisional average over 20 games, then Elo with K 20 and a floor.

Ratings are whole numbers. A state is that of one member in one category.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from typing import ClassVar

from ratings.systems.arithmetic import half_away_from_zero, in_decimals, in_score
from ratings.systems.online.foa_rbb_wording import CLAUSES as FOA
from ratings.systems.online.values import (
    OnlineGame,
    OnlineOutcome,
    OnlineStep,
    Past,
    RatedGame,
    Side,
    StoredState,
    expectation,
    unrated_game,
)
from ratings.systems.words import gettext_noop as _

SLUG = "chess-online"
NEWCOMER_RATING = 1200
PROVISIONAL_GAMES = 20
FLOOR_BELOW_HIGHEST = 200
FLOOR_STEP = 100


@dataclass(frozen=True, slots=True)
class ChessOnlineState(StoredState):
    """Everything needed to go on from: rating, completed rated games, what the average and the floor need.

    `total` is the sum over the first 20 games behind the average; `reductions` counts the falls of the floor since
    the highest rating; `near_since` is the day since which the rating has stayed near the floor, `last_day` that
    of the latest rated game.
    """

    DAYS: ClassVar = ("near_since", "last_day")
    rating: int = NEWCOMER_RATING
    games: int = 0
    total: int = 0
    highest: int = NEWCOMER_RATING
    reductions: int = 0
    near_since: date | None = None
    last_day: date | None = None

    @property
    def exact(self) -> str:
        """The rating as a decimal text."""
        return str(self.rating)

    @property
    def is_provisional(self) -> bool:
        """Whether fewer than 20 rated games are completed."""
        return self.games < PROVISIONAL_GAMES

    @property
    def floor(self) -> int:
        """The highest rating less 200, rounded down to a hundred (D-52), less 100 for each reduction."""
        from_highest = (self.highest - FLOOR_BELOW_HIGHEST) // FLOOR_STEP * FLOOR_STEP
        return from_highest - FLOOR_STEP * self.reductions


NEWCOMER = ChessOnlineState()


NEAR_FLOOR = 30
NEAR_FLOOR_DAYS = 90


def end_day(state: ChessOnlineState, day: date) -> OnlineOutcome[ChessOnlineState]:
    """Return the state at the end of a day: a rating within 30 points of the floor for 90 days lowers it by 100.

    The 90th day after the one on which the rating came near counts; a second call for a day changes nothing.
    """
    since = state.near_since
    if since is None or (day - since).days < NEAR_FLOOR_DAYS:
        return OnlineOutcome(state)
    lowered = replace(state, reductions=state.reductions + 1, near_since=None)
    fell_on = since + timedelta(days=NEAR_FLOOR_DAYS)
    figures: dict[str, int | str] = {
        "since": since.isoformat(),
        "day": fell_on.isoformat(),
        "floor": lowered.floor,
    }
    return OnlineOutcome(lowered, (OnlineStep("floor-reduced-90-days", figures),))


def with_highest(outcome: OnlineOutcome[ChessOnlineState]) -> OnlineOutcome[ChessOnlineState]:
    """D-52: the highest rating ever shown, which sets the floor anew."""
    state = outcome.state
    if state.rating <= state.highest:
        return outcome
    raised = replace(state, highest=state.rating, reductions=0)
    step = OnlineStep("new-highest", {"highest": raised.highest, "floor": raised.floor})
    return OnlineOutcome(raised, (*outcome.steps, step))


def watch_floor(state: ChessOnlineState, day: date) -> ChessOnlineState:
    """Return the state with the day since which it is near the floor; a late game counts from the latest day."""
    day = max(day, state.last_day or day)
    # The floor has no effect during the first 20 games, so that nobody is near it (D-52).
    if state.games <= PROVISIONAL_GAMES or state.rating - state.floor > NEAR_FLOOR:
        return replace(state, near_since=None, last_day=day)
    return replace(state, near_since=state.near_since or day, last_day=day)


K = 20
NEWCOMER_GAMES = 5
PROVISIONAL_SWING = 200
ESTABLISHED_SWING = 400
SHORT_GAME_MOVES = 2


def unrated_reason(game: OnlineGame) -> OnlineStep | None:
    """Return why a game is not rated, None if it is: 2 or fewer half-moves (D-51)."""
    if game.moves > SHORT_GAME_MOVES:
        return None
    return OnlineStep("short-game-D-51", {"moves": game.moves})


def rate_game(
    white: ChessOnlineState, black: ChessOnlineState, game: OnlineGame
) -> RatedGame[ChessOnlineState]:
    """Return both members' states after a game, each from the ratings before it.

    A floor that has fallen by the day before the game falls first, whether or not `end_day` was called.
    """
    reason = unrated_reason(game)
    if reason is not None:
        return unrated_game(white, black, reason)
    yesterday = game.day - timedelta(days=1)
    own_white, own_black = end_day(white, yesterday), end_day(black, yesterday)
    half_points = game.white_half_points
    return RatedGame(
        _one_side(own_white, own_black.state, game.white, game.black, half_points=half_points, day=game.day),
        _one_side(
            own_black, own_white.state, game.black, game.white, half_points=2 - half_points, day=game.day
        ),
    )


def provisional_rating(total: int, games: int) -> int:
    """Return the rating shown after so many of the first 20 games: 1200 for the first 5, then the average."""
    return half_away_from_zero(Fraction(total, games)) if games > NEWCOMER_GAMES else NEWCOMER_RATING


def contribution_of(past: Past[ChessOnlineState]) -> int:
    """Return what a game adds to the sum behind the average of the first 20: the opponent, 400 or 200 more or less."""
    opponent = max(past.opponent_rating or 0, past.opponent_at_start or 0)
    is_provisional = past.opponent_games < PROVISIONAL_GAMES
    return opponent + _swing(past.half_points or 0, is_provisional=is_provisional)


def _swing(half_points: int, *, is_provisional: bool) -> int:
    return (PROVISIONAL_SWING if is_provisional else ESTABLISHED_SWING) * (half_points - 1)


def _one_side(
    own: OnlineOutcome[ChessOnlineState],
    opponent: ChessOnlineState,
    own_side: Side,
    opponent_side: Side,
    *,
    half_points: int,
    day: date,
) -> OnlineOutcome[ChessOnlineState]:
    opponent_rating = _higher_rating(opponent, opponent_side)
    if own.state.is_provisional:
        outcome = _provisional(own.state, opponent, opponent_rating, half_points)
    else:
        own_rating = _higher_rating(own.state, own_side)
        outcome = _rate_established(own.state, own_rating, opponent_rating, half_points)
    outcome = with_highest(outcome)
    counted = OnlineStep("opponent-rating", {"counted": opponent_rating})
    return OnlineOutcome(watch_floor(outcome.state, day), (*own.steps, counted, *outcome.steps))


def _higher_rating(state: ChessOnlineState, side: Side) -> int:
    """D-50: the higher of the ratings at the start and at the end of the game; the latter where only it is known."""
    return state.rating if side.rating_at_start is None else max(side.rating_at_start, state.rating)


def _provisional(
    own: ChessOnlineState, opponent: ChessOnlineState, opponent_rating: int, half_points: int
) -> OnlineOutcome[ChessOnlineState]:
    """The first 20 games: the average of the opponents' ratings, 400 (200) more for a win and less for a loss."""
    swing = _swing(half_points, is_provisional=opponent.is_provisional)
    contribution = opponent_rating + swing
    games, total = own.games + 1, own.total + contribution
    rating = provisional_rating(total, games)
    key = "opponent-provisional" if opponent.is_provisional else "opponent-established"
    figures = {
        "contribution": contribution,
        "opponent": opponent_rating,
        "swing": swing,
        "games": opponent.games,
    }
    state = replace(own, rating=rating, games=games, total=total)
    steps = (
        OnlineStep(key, figures),
        OnlineStep(
            "average-first-20-games",
            {"total": total, "games": games, "average": in_decimals(Fraction(total, games))},
        ),
        _provisional_step(own.rating, state),
    )
    if rating >= state.floor:
        return OnlineOutcome(state, steps)
    return OnlineOutcome(state, (*steps, OnlineStep("floor-without-effect-D-52", {"floor": state.floor})))


def _provisional_step(before: int, state: ChessOnlineState) -> OnlineStep:
    if state.games <= NEWCOMER_GAMES:
        return OnlineStep("shown-1200-first-5-games", {"rating": NEWCOMER_RATING})
    return OnlineStep("provisional-rating", {"games": state.games, "before": before, "after": state.rating})


def _rate_established(
    own: ChessOnlineState, own_rating: int, opponent_rating: int, half_points: int
) -> OnlineOutcome[ChessOnlineState]:
    """D-50: Elo from the 21st game on, the change added to the rating at the end and the sum rounded; the floor."""
    expected = expectation(own_rating - opponent_rating)
    change = K * (Fraction(half_points, 2) - expected)
    rating = half_away_from_zero(own.rating + change)
    against: dict[str, int | str] = {"own": own_rating, "opponent": opponent_rating}
    sums: dict[str, int | str] = {"score": in_score(half_points), "change": in_decimals(change)}
    steps: tuple[OnlineStep, ...] = (
        OnlineStep("expectation-D-50", {**against, "expectation": in_decimals(expected)}),
        OnlineStep("change-D-50", {"k": K, **sums, "before": own.rating, "after": rating}),
    )
    if rating < own.floor:
        steps = (*steps, OnlineStep("floor-reset", {"floor": own.floor, "highest": own.highest}))
    return OnlineOutcome(replace(own, rating=max(rating, own.floor), games=own.games + 1), steps)


def reverse_game(
    state: ChessOnlineState, start: ChessOnlineState, standing: Sequence[Past[ChessOnlineState]], on: date
) -> OnlineOutcome[ChessOnlineState]:
    """Return today's state by the games that still stand after a member's start, in the order of their rating (D-88).

    The first 20 that remain make the average; the change of each later one stays what it was. The highest rating was
    shown, and stays; so does the floor.
    """
    again = start
    for past in standing:
        again = _after(again, past)
    # Within the first 20 games there is no floor (D-52).
    rating = again.rating if again.games <= PROVISIONAL_GAMES else max(again.rating, state.floor)
    if (rating, again.games, again.total) == (state.rating, state.games, state.total):
        return OnlineOutcome(state, (OnlineStep("cancelled-nothing", {}),))
    figures = {"before": state.rating, "change": rating - state.rating, "after": rating}
    without = replace(state, rating=rating, games=again.games, total=again.total)
    return OnlineOutcome(watch_floor(without, on), (OnlineStep("cancelled-change", figures),))


def _after(own: ChessOnlineState, past: Past[ChessOnlineState]) -> ChessOnlineState:
    before, after = past.before, past.after
    if before is None or after is None or past.half_points is None:
        return own
    if own.is_provisional:
        added = after.total - before.total if before.is_provisional else contribution_of(past)
        games, total = own.games + 1, own.total + added
        return replace(own, games=games, total=total, rating=provisional_rating(total, games))
    rating = max(own.rating + after.rating - before.rating, after.floor)
    return replace(own, games=own.games + 1, rating=rating)


CLAUSES = {
    "time-controls": _(
        "Games with the time controls in the settings are rated. Without such a setting, all games are rated."
    ),
    "beginning": _(
        "A new player is shown as 1200, and counts as 1200 for opponents, until the 6th rated game is "
        "completed."
    ),
    "first-20-games": _(
        "After each of games 6 to 20 the rating is the average over all games so far of the opponent's "
        "rating, plus 400 for a win, minus 400 for a loss (200 if the opponent is provisional, with "
        "fewer than 20 rated games before this one)."
    ),
    "elo": _("From game 21 the Elo formula applies, with K = 20 for everyone."),
    "higher-rating": _(
        "The rating used is the higher of the ratings at the start and at the end of the game."
    ),
    "D-50": _(
        "E = 1 / (1 + 10^((opponent − own) / 400)), each with the higher of their two ratings. K × "
        "(score − E) is added to the rating at the end of the game, and the sum is rounded."
    ),
    "D-51": _("A game of 2 or fewer half-moves is recorded but not rated."),
    "D-52": _(
        "The floor is the highest rating ever shown minus 200, rounded down to a multiple of 100. It "
        "has no effect during the first 20 games."
    ),
    "floor": _("A rating that falls below its floor is reset to the floor."),
    "floor-90-days": _(
        "If a rating stays within 30 points of its floor for 90 days, the floor falls by 100 and the "
        "count restarts. A new highest rating sets a new floor."
    ),
    "late": FOA["late"],
    "cancelled": FOA["cancelled"],
}
PLACES = {
    "unrated-time-control": "time-controls",
    "opponent-rating": "higher-rating",
    "opponent-established": "first-20-games",
    "opponent-provisional": "first-20-games",
    "average-first-20-games": "first-20-games",
    "shown-1200-first-5-games": "beginning",
    "provisional-rating": "first-20-games",
    "floor-reset": "floor",
    "floor-reduced-90-days": "floor-90-days",
    "new-highest": "D-52",
    "cancelled-change": "cancelled",
    "cancelled-nothing": "cancelled",
}


MESSAGES = {
    "short-game-D-51": _(
        "Not rated: the game has %(moves)s half-moves. Games with 2 or fewer are not rated."
    ),
    "opponent-rating": _(
        "The opponent counts as %(counted)s, the higher of the ratings at the start and at the end."
    ),
    "opponent-established": _("This game counts %(contribution)s: %(opponent)s %(term)s."),
    "opponent-provisional": _(
        "This game counts %(contribution)s: %(opponent)s %(term)s against a provisional opponent (games: "
        "%(games)s)."
    ),
    "average-first-20-games": _("Average of the games so far (%(games)s): %(average)s."),
    "shown-1200-first-5-games": _("The rating stays %(rating)s until the 6th rated game."),
    "provisional-rating": _(
        "Provisional rating after %(games)s of the first 20 games: %(before)s becomes %(after)s."
    ),
    "expectation-D-50": _(
        "Expected score %(expectation)s: own rating %(own)s, the higher of the ratings at the start "
        "and at the end, against %(opponent)s."
    ),
    "change-D-50": _(
        "K = %(k)s, score %(score)s: %(change)s added to %(before)s, the rating at the end of the "
        "game, rounded: %(after)s."
    ),
    "floor-reset": _("Below the floor of %(floor)s (highest rating %(highest)s): reset to the floor."),
    "floor-without-effect-D-52": _("The floor of %(floor)s has no effect during the first 20 games."),
    "floor-reduced-90-days": _(
        "The rating has stayed within 30 points of the floor for 90 days since %(since)s, so on "
        "%(day)s the floor fell to %(floor)s."
    ),
    "new-highest": _("New highest rating %(highest)s: the floor is %(floor)s."),
    "cancelled-change": _("Game cancelled: %(before)s %(term)s = %(after)s."),
    "cancelled-nothing": _(
        "Game cancelled: its change is no longer part of the rating, so nothing is removed."
    ),
}
