"""The same games, one after the other, by the three systems of online arenas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ratings.systems.calculators.values import Met, Own, SystemResult
from ratings.systems.online import (
    chess_online,
    chess_online_wording,
    flyordie,
    flyordie_wording,
    foa_rbb,
    foa_rbb_wording,
)
from ratings.systems.online.values import Game, RatedGame, Result, Side, Step
from ratings.systems.words import Line, gettext_noop

MEMBER = "own"
RESULTS = {2: Result.WHITE_WINS, 1: Result.DRAW, 0: Result.BLACK_WINS}
# A time control and a length by which every one of the systems rates the game.
TIME_CONTROLS = {"rapid": "10+10", "blitz": "3+2"}
MOVES = 40
ESTABLISHED_GAMES = 30
ESTABLISHED = gettext_noop("Every rated player is treated as established, with 30 rated games.")
ONE_BY_ONE = gettext_noop("The games are rated one by one in this order.")
ONCE = gettext_noop("Each opponent is played once, so every game is a separate series.")
NOT_SEEN = gettext_noop("An unrated opponent is treated as a new player.")


@dataclass(frozen=True, slots=True)
class _Online:
    """One online system as the calculator uses it; `rated` makes the state of an established member."""

    slug: str
    title: str
    messages: Mapping[str, str]
    newcomer: Any
    rated: Callable[[int], Any]
    rate: Callable[[Any, Any, Game], RatedGame[Any]]
    assumptions: tuple[str, ...]


def by_online_systems(own: Own, games: Sequence[Met], *, kind: str, at: datetime) -> list[SystemResult]:
    """Return the results by the FIDE Online Arena, `chess-online` and `flyordie`."""
    return [_by(system, own, games, kind=kind, at=at) for system in _SYSTEMS]


def _by(system: _Online, own: Own, games: Sequence[Met], *, kind: str, at: datetime) -> SystemResult:
    state = before = _state(system, own.rating)
    lines = []
    for number, met in enumerate(games, start=1):
        game = _game(number, met, time_control=TIME_CONTROLS[kind], at=at)
        outcome = system.rate(state, _state(system, met.rating), game).white
        state = outcome.state
        lines.append(tuple(_line(system, step) for step in outcome.steps))
    assumptions = tuple(Line(text) for text in system.assumptions)
    return SystemResult(
        system.slug, system.title, _exact(before), _exact(state), tuple(lines), assumptions=assumptions
    )


def _state(system: _Online, rating: int | None) -> Any:
    return system.newcomer if rating is None else system.rated(rating)


def _exact(state: Any) -> str | None:
    exact: str | None = state.exact
    return exact


def _game(number: int, met: Met, *, time_control: str, at: datetime) -> Game:
    white, black = Side(MEMBER), Side(f"opponent {number}")
    return Game(at, white, black, RESULTS[met.half_points], time_control, MOVES)


def _line(system: _Online, step: Step) -> Line:
    return Line(system.messages[step.key], step.figures, article_in(step.key))


def article_in(key: str) -> str:
    """Return the decision, or the article of the FOA regulations, at the end of a step's key; empty where none is."""
    _, _, end = key.rpartition("-")
    if end.isdigit() and "-D-" in key:
        return f"D-{end}"
    return f"FOA {end}" if "." in end else ""


_SYSTEMS = (
    _Online(
        foa_rbb.SLUG,
        "FIDE Online Arena",
        foa_rbb_wording.MESSAGES,
        foa_rbb.NEWCOMER,
        lambda rating: foa_rbb.State(rating=100 * rating, was_unrated=False, games=ESTABLISHED_GAMES),
        foa_rbb.rate_game,
        (ONE_BY_ONE, ESTABLISHED, NOT_SEEN),
    ),
    _Online(
        chess_online.SLUG,
        "chess-online",
        chess_online_wording.MESSAGES,
        chess_online.NEWCOMER,
        lambda rating: chess_online.State(rating=rating, games=ESTABLISHED_GAMES, highest=rating),
        chess_online.rate_game,
        (ONE_BY_ONE, ESTABLISHED, NOT_SEEN),
    ),
    _Online(
        flyordie.SLUG,
        "flyordie",
        flyordie_wording.MESSAGES,
        flyordie.NEWCOMER,
        lambda rating: flyordie.State(rating=rating, games=ESTABLISHED_GAMES),
        flyordie.rate_game,
        (ONE_BY_ONE, ESTABLISHED, NOT_SEEN, ONCE),
    ),
)
