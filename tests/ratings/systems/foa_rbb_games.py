"""Games and members of the FIDE Online Arena for tests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from ratings.systems.online import foa_rbb
from ratings.systems.online.foa_rbb import NEWCOMER, FoaRbbState
from ratings.systems.online.foa_rbb_wording import MESSAGES
from ratings.systems.online.values import (
    WHITE_HALF_POINTS,
    OnlineGame,
    OnlineOutcome,
    OnlineStep,
    Past,
    Result,
    Side,
    sentence_figures,
)

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def game(result: Result = WIN, time_control: str = "15+10", **changes: Any) -> OnlineGame:
    sides = {"white": Side("ada"), "black": Side("bela"), **changes}
    return OnlineGame(ended_at=NOON, result=result, time_control=time_control, moves=40, **sides)


def listed(rating: int, **changes: Any) -> FoaRbbState:
    """A member with a first rating from a FIDE list, in hundredths."""
    return FoaRbbState(rating=rating, was_unrated=False, **changes)


def keys(steps: Iterable[OnlineStep]) -> list[str]:
    return [step.key for step in steps]


def sentences(outcome: OnlineOutcome[FoaRbbState]) -> list[str]:
    return [MESSAGES[step.key] % sentence_figures(step.figures) for step in outcome.steps]


def after_games(
    results: Iterable[Result], opponents: Iterable[int], state: FoaRbbState = NEWCOMER
) -> OnlineOutcome[FoaRbbState]:
    """The outcome of the last of a member's games as White, against rated opponents (hundredths)."""
    outcome = OnlineOutcome(state)
    for result, rating in zip(results, opponents, strict=True):
        outcome = foa_rbb.rate_game(outcome.state, listed(rating), game(result)).white
    return outcome


def pasts(
    results: Iterable[Result], opponents: Iterable[int], state: FoaRbbState = NEWCOMER
) -> list[Past[FoaRbbState]]:
    """A member's games as White, as the past has them."""
    found = []
    for result, rating in zip(results, opponents, strict=True):
        after = after_games([result], [rating], state).state
        half_points = WHITE_HALF_POINTS[result]
        found.append(Past(state, after, half_points, opponent_rating=rating, time_control="15+10"))
        state = after
    return found
