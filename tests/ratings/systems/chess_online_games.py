"""Games and members of `chess-online` for tests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from ratings.systems.online import chess_online
from ratings.systems.online.chess_online import MESSAGES, ChessOnlineState
from ratings.systems.online.values import (
    OnlineGame,
    OnlineOutcome,
    OnlineStep,
    Result,
    Side,
    sentence_figures,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def game(
    result: Result = WIN,
    *,
    start: int | None = None,
    opponent_start: int | None = None,
    moves: int = 40,
    ended_at: datetime = NOON,
) -> OnlineGame:
    return OnlineGame(ended_at, Side("ada", start), Side("bela", opponent_start), result, "10+0", moves)


def established(rating: int, **changes: Any) -> ChessOnlineState:
    return ChessOnlineState(**{"rating": rating, "games": 30, "highest": max(rating, 1200), **changes})


def provisional(rating: int, games: int = 10) -> ChessOnlineState:
    return ChessOnlineState(rating=rating, games=games, highest=max(rating, 1200))


def keys(steps: Iterable[OnlineStep]) -> list[str]:
    return [step.key for step in steps]


def sentences(outcome: OnlineOutcome[ChessOnlineState]) -> list[str]:
    return [MESSAGES[step.key] % sentence_figures(step.figures) for step in outcome.steps]


def played(
    state: ChessOnlineState, opponent: ChessOnlineState, result: Result, **details: Any
) -> ChessOnlineState:
    return chess_online.rate_game(state, opponent, game(result, **details)).white.state


def near_floor(rating: int = 1435) -> ChessOnlineState:
    """An established member whose floor is 1400, who lost on the first day of 2026 at `rating`."""
    return played(established(rating, highest=1650), established(rating), LOSS)
