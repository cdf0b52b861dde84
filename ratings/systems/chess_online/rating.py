"""Games of `chess-online` one by one: the provisional average over 20 games, then Elo with K 20."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

from ratings.systems.arithmetic import half_away_from_zero, in_decimals, in_score
from ratings.systems.chess_online.floor import end_day, watched, with_highest
from ratings.systems.chess_online.state import NEWCOMER_RATING, PROVISIONAL_GAMES, State
from ratings.systems.online.logistic import expectation
from ratings.systems.online.values import Game, Outcome, Past, RatedGame, Side, Step, unrated_game

K = 20
NEWCOMER_GAMES = 5
PROVISIONAL_SWING = 200
ESTABLISHED_SWING = 400
SHORT_GAME_MOVES = 2


def unrated_reason(game: Game) -> Step | None:
    """Return why a game is not rated, None if it is: 2 or fewer single moves of either side (D-51)."""
    if game.moves > SHORT_GAME_MOVES:
        return None
    return Step("short-game-D-51", {"moves": game.moves})


def rate_game(white: State, black: State, game: Game) -> RatedGame[State]:
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


def contribution_of(past: Past[State]) -> int:
    """Return what a game adds to the sum behind the average of the first 20: the opponent, 400 or 200 more or less."""
    opponent = max(past.opponent_rating or 0, past.opponent_at_start or 0)
    is_provisional = past.opponent_games < PROVISIONAL_GAMES
    return opponent + _swing(past.half_points or 0, is_provisional=is_provisional)


def _swing(half_points: int, *, is_provisional: bool) -> int:
    return (PROVISIONAL_SWING if is_provisional else ESTABLISHED_SWING) * (half_points - 1)


def _one_side(
    own: Outcome[State], opponent: State, own_side: Side, opponent_side: Side, *, half_points: int, day: date
) -> Outcome[State]:
    opponent_rating = _higher_rating(opponent, opponent_side)
    if own.state.is_provisional:
        outcome = _provisional(own.state, opponent, opponent_rating, half_points)
    else:
        own_rating = _higher_rating(own.state, own_side)
        outcome = _established(own.state, own_rating, opponent_rating, half_points)
    outcome = with_highest(outcome)
    counted = Step("opponent-rating", {"counted": opponent_rating})
    return Outcome(watched(outcome.state, day), (*own.steps, counted, *outcome.steps))


def _higher_rating(state: State, side: Side) -> int:
    """D-50: the higher of the ratings at the start and at the end of the game; the latter where only it is known."""
    return state.rating if side.rating_at_start is None else max(side.rating_at_start, state.rating)


def _provisional(own: State, opponent: State, opponent_rating: int, half_points: int) -> Outcome[State]:
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
        Step(key, figures),
        Step(
            "average-first-20-games",
            {"total": total, "games": games, "average": in_decimals(Fraction(total, games))},
        ),
        _provisional_step(own.rating, state),
    )
    if rating >= state.floor:
        return Outcome(state, steps)
    return Outcome(state, (*steps, Step("floor-without-effect-D-52", {"floor": state.floor})))


def _provisional_step(before: int, state: State) -> Step:
    if state.games <= NEWCOMER_GAMES:
        return Step("shown-1200-first-5-games", {"rating": NEWCOMER_RATING})
    return Step("provisional-rating", {"games": state.games, "before": before, "after": state.rating})


def _established(own: State, own_rating: int, opponent_rating: int, half_points: int) -> Outcome[State]:
    """D-50: Elo from the 21st game on, the change added to the rating at the end and the sum rounded; the floor."""
    expected = expectation(own_rating - opponent_rating)
    change = K * (Fraction(half_points, 2) - expected)
    rating = half_away_from_zero(own.rating + change)
    against: dict[str, int | str] = {"own": own_rating, "opponent": opponent_rating}
    sums: dict[str, int | str] = {"score": in_score(half_points), "change": in_decimals(change)}
    steps: tuple[Step, ...] = (
        Step("expectation-D-50", {**against, "expectation": in_decimals(expected)}),
        Step("change-D-50", {"k": K, **sums, "before": own.rating, "after": rating}),
    )
    if rating < own.floor:
        steps = (*steps, Step("floor-reset", {"floor": own.floor, "highest": own.highest}))
    return Outcome(replace(own, rating=max(rating, own.floor), games=own.games + 1), steps)
