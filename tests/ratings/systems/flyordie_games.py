"""Games and members of `flyordie` for tests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from ratings.systems.online import flyordie
from ratings.systems.online.flyordie import MESSAGES, FlyOrDieState
from ratings.systems.online.values import (
    OnlineGame,
    OnlineOutcome,
    OnlineStep,
    RatedGame,
    Result,
    Side,
    sentence_figures,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAY = date(2026, 1, 1)
HOUR = timedelta(hours=1)
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def game(result: Result = WIN, *, at: datetime = NOON, white: str = "ada", black: str = "bela") -> OnlineGame:
    return OnlineGame(at, Side(white), Side(black), result, "5+0", 40)


def established(rating: int, games: int = 50) -> FlyOrDieState:
    return FlyOrDieState(rating=rating, games=games)


def keys(steps: Iterable[OnlineStep]) -> list[str]:
    return [step.key for step in steps]


def sentences(outcome: OnlineOutcome[FlyOrDieState]) -> list[str]:
    return [MESSAGES[step.key] % sentence_figures(step.figures) for step in outcome.steps]


def series_of(
    white: FlyOrDieState, black: FlyOrDieState, results: Iterable[Result], *, gap: timedelta = HOUR
) -> list[RatedGame[FlyOrDieState]]:
    """The games of two members one after the other, one a `gap`."""
    rated: list[RatedGame[FlyOrDieState]] = []
    for number, result in enumerate(results):
        rated.append(flyordie.rate_game(white, black, game(result, at=NOON + number * gap)))
        white, black = rated[-1].white.state, rated[-1].black.state
    return rated
