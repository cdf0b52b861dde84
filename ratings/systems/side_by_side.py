"""The same games under every system that the portal knows, FIDE's texts and those of arenas, each with its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from ratings.systems.arithmetic import in_points, in_score
from ratings.systems.calculators import Met, Own, SystemResult, rating_change
from ratings.systems.online import chess_online, flyordie, foa_rbb, foa_rbb_wording
from ratings.systems.online.values import Game, RatedGame, Result, Side, Step
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import InitialRating, Outcome, RatedEvent
from ratings.systems.registry import Adoptions, known_texts
from ratings.systems.words import Line, gettext_noop

DIFFERENCE = gettext_noop("D = %(difference)s (%(own)s against %(opponent)s)")
CHANGE = gettext_noop("Score %(score)s − expected score %(pd)s = %(change)s")
SUM = gettext_noop("Sum over %(games)s games: %(sum)s")
PRODUCT = gettext_noop("K %(k)s × %(sum)s = %(product)s")
REDUCED_K = gettext_noop("%(games)s games × K %(k)s is more than %(points)s, so K is %(used)s.")
ROUNDED = gettext_noop("%(product)s rounded is %(rounded)s: %(before)s becomes %(after)s.")
UNDER_FLOOR = gettext_noop("%(rating)s is below %(floor)s, the lowest published rating: unrated.")
AVERAGE = gettext_noop("Ra = %(average)s from %(games)s games, p = %(p)s")
FIRST = gettext_noop("Initial rating: %(rating)s")
FEW = gettext_noop("%(games)s of %(needed)s games for an initial rating.")


def by_every_system(
    own: Own, games: Sequence[Met], *, kind: str, on: date, adoptions: Adoptions
) -> list[SystemResult]:
    """Return the results by FIDE's texts, the newest first and those on offer last, and the online systems."""
    at = datetime.combine(on, time(12), tzinfo=UTC)
    rules = dict.fromkeys([*(row.rules for row in reversed(adoptions.rows)), *known_texts()])
    by_rules = [by_regulations(text, own, games, on=on) for text in rules]
    return [*by_rules, *by_online_systems(own, games, kind=kind, at=at)]


def by_regulations(rules: PeriodRules, own: Own, games: Sequence[Met], *, on: date) -> SystemResult:
    """Return what the games do by one text of the rapid and blitz regulations."""
    result = rating_change(rules, own, games, on=on)
    event = result.events[-1]
    return SystemResult(
        slug=rules.slug,
        title=rules.title,
        before=_text(own.rating),
        after=_text(result.rating),
        games=tuple(_game_lines(rules, own, outcome) for outcome in event.participation.outcomes),
        sums=tuple(_sums(rules, own, result, event)),
        rules=rules,
    )


def _text(rating: int | None) -> str | None:
    return None if rating is None else str(rating)


def _game_lines(rules: PeriodRules, own: Own, outcome: Outcome) -> tuple[Line, ...]:
    lines = tuple(
        Line(rules.reasons[key].text, article=rules.reasons[key].article)
        for key in outcome.reasons
        if key != rules.keys.counted
    )
    if outcome.change is None:
        return lines
    rating = outcome.opponent_rating or 0
    difference = Line(
        DIFFERENCE,
        {"difference": outcome.difference or 0, "own": own.rating or 0, "opponent": rating},
        rules.clauses.pd_table,
    )
    figures: dict[str, int | str] = {
        "score": in_score(outcome.half_points),
        "pd": in_points(outcome.pd or 0),
        "change": in_points(outcome.change),
    }
    return (difference, *lines, Line(CHANGE, figures, rules.clauses.change))


def _sums(rules: PeriodRules, own: Own, result: PeriodResult, event: RatedEvent) -> list[Line]:
    if own.rating is None:
        return _towards_first(rules, result)
    if not result.games:
        return [Line(rules.reasons[result.outcome].text)]
    total, k = event.participation.change, event.own.k or 0
    lines = [Line(SUM, {"games": result.games, "sum": in_points(total)}, rules.clauses.change)]
    if event.k != k:
        figures = {"games": result.games, "k": k, "used": event.k, "points": rules.most_points}
        lines.append(Line(REDUCED_K, figures, rules.clauses.k))
    product: dict[str, int | str] = {
        "k": event.k,
        "sum": in_points(total),
        "product": in_points(result.change),
    }
    lines.append(Line(PRODUCT, product, rules.clauses.change))
    rounded: dict[str, int | str] = {
        "product": in_points(result.change),
        "rounded": result.rounded,
        "before": own.rating,
        "after": own.rating + result.rounded,
    }
    lines.append(Line(ROUNDED, rounded, rules.clauses.rounding))
    if result.rating is None:
        under = {"rating": own.rating + result.rounded, "floor": rules.floor}
        lines.append(Line(UNDER_FLOOR, under, rules.clauses.below_floor))
    return lines


def _towards_first(rules: PeriodRules, result: PeriodResult) -> list[Line]:
    initial: InitialRating | None = result.initial
    if initial is None:
        few = {"games": sum(share.games for share in result.pool), "needed": rules.pool_games}
        return [Line(FEW, few, rules.clauses.pool)]
    average: dict[str, int | str] = {
        "average": initial.average,
        "games": initial.games,
        "p": in_points(initial.p),
    }
    lines = [
        Line(AVERAGE, average, rules.clauses.average),
        Line(FIRST, {"rating": initial.rating}, rules.clauses.initial),
    ]
    if result.rating is None:
        reason = rules.reasons[result.outcome]
        lines.append(Line(reason.text, article=reason.article))
    return lines


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
        chess_online.MESSAGES,
        chess_online.NEWCOMER,
        lambda rating: chess_online.State(rating=rating, games=ESTABLISHED_GAMES, highest=rating),
        chess_online.rate_game,
        (ONE_BY_ONE, ESTABLISHED, NOT_SEEN),
    ),
    _Online(
        flyordie.SLUG,
        "flyordie",
        flyordie.MESSAGES,
        flyordie.NEWCOMER,
        lambda rating: flyordie.State(rating=rating, games=ESTABLISHED_GAMES),
        flyordie.rate_game,
        (ONE_BY_ONE, ESTABLISHED, NOT_SEEN, ONCE),
    ),
)
