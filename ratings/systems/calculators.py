"""What somebody's games would do to a rating over the board, by the same rules that rate reports: nothing is stored.

Scores are half points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from fractions import Fraction
from typing import Any

from ratings.systems.arithmetic import dp, fractional_score, in_points, in_score, rating_performance
from ratings.systems.online import chess_online, flyordie, foa_rbb, foa_rbb_wording
from ratings.systems.online.values import OnlineGame, OnlineStep, RatedGame, Result, Side, sentence_figures
from ratings.systems.otb.period import Period, PeriodResult, calculate
from ratings.systems.otb.rules import PeriodRules, as_text, first_rating_by
from ratings.systems.otb.values import (
    UNRATED,
    Event,
    InitialRating,
    Outcome,
    Participation,
    PlayerState,
    PoolShare,
    RatedEvent,
    Seat,
    Status,
    StatusAtStart,
)
from ratings.systems.registry import Adoptions, always, known_texts
from ratings.systems.words import WrittenStep, gettext_noop


@dataclass(frozen=True, slots=True)
class OwnPlayer:
    """Who played: the rating (None: unrated), K as the list shows it, and what is in the pool of an unrated player.

    `games` are those that the next list has of a rated player already, `change` the sum of their changes, before K,
    in hundredths of a point.
    """

    rating: int | None = None
    k: int = 20
    pool: tuple[PoolShare, ...] = ()
    games: int = 0
    change: int = 0


@dataclass(frozen=True, slots=True)
class Met:
    """A game: the opponent's rating, None for an unrated one, and the half points scored."""

    rating: int | None
    half_points: int


@dataclass(frozen=True, slots=True)
class SystemResult:
    """The effect of games on a rating by one system.

    `before` and `after` are decimal texts, None for unrated; `games` has the lines of each game in order, `sums` those
    of all games, `assumptions` the inputs of the system that were not given.
    """

    slug: str
    title: str
    before: str | None
    after: str | None
    games: tuple[tuple[WrittenStep, ...], ...]
    sums: tuple[WrittenStep, ...] = ()
    assumptions: tuple[WrittenStep, ...] = ()
    rules: PeriodRules | None = None


CODES = {2: "1", 1: "=", 0: "0"}
EVENT_ID = "calculator"
EARLIER_ID = "earlier"


@dataclass(frozen=True, slots=True)
class Performance:
    """A rating performance: Ra as an exact fraction text, p in hundredths, and Ra + dp rounded (7.1.1)."""

    games: int
    half_points: int
    average: str
    p: int
    dp: int
    rating: int


def rating_change(rules: PeriodRules, own: OwnPlayer, games: Sequence[Met], *, on: date) -> PeriodResult:
    """Return the result on a list of games played on a day by these rules, as its last tournament (7.3).

    The other games of the list come before it, and K follows from all (7.3.3). An unrated player's games join
    the pool (6.1.4).
    """
    standing, opponents = _standing(rules, own), _opponents(games)
    seats = [
        Seat(
            number,
            number,
            "w",
            CODES[game.half_points],
            game.half_points,
            void=rules.void_by_ratings(standing, opponents[number]),
        )
        for number, game in enumerate(games, start=1)
    ]
    part = rules.rate_participant(standing, seats, opponents)
    events: tuple[Event, ...] = (Event(EVENT_ID, on, on, part),)
    if own.games and own.rating:
        sums = Participation(standing, (), games=own.games, half_points=0, opponents_sum=0, change=own.change)
        # K follows from all games of the list together, while the lines are of the new ones.
        events = (Event(EARLIER_ID, on, on, sums), *events)
    state = PlayerState(rating=own.rating, k=own.k if own.rating else None)
    return calculate(
        Period(
            list_date=on.replace(day=1),
            state=state,
            events=events,
            pool=own.pool,
            adoptions=always(rules),
        )
    )


def first_rating(rules: PeriodRules, own: OwnPlayer, games: Sequence[Met]) -> InitialRating | None:
    """Return the initial rating from these games and the pool, for any number of games (7.2.3, 7.2.4).

    None if no opponent is rated.
    """
    shares = [*own.pool, _share(_rated_games(games))]
    return first_rating_by(rules, shares) if any(share.games for share in shares) else None


def performance(games: Sequence[Met]) -> Performance | None:
    """Return the rating performance against the rated opponents, None where there is none."""
    counted = _rated_games(games)
    if not counted:
        return None
    number, half_points = len(counted), sum(game.half_points for game in counted)
    average = Fraction(sum(game.rating or 0 for game in counted), number)
    p = fractional_score(Fraction(half_points, 2), number)
    rating = rating_performance(average, dp(p))
    return Performance(number, half_points, as_text(average), p, dp(p), rating)


def _rated_games(games: Sequence[Met]) -> list[Met]:
    return [game for game in games if game.rating is not None]


def _share(games: Sequence[Met]) -> PoolShare:
    sums = (sum(game.rating or 0 for game in games), len(games), sum(game.half_points for game in games))
    return PoolShare(EVENT_ID, date.min, date.min, *sums)


def _standing(rules: PeriodRules, own: OwnPlayer) -> StatusAtStart:
    if own.rating is None:
        return UNRATED
    return StatusAtStart(Status.RATED, own.rating, rules.tournament_k(own.k))


def _opponents(games: Sequence[Met]) -> dict[int, StatusAtStart]:
    return {
        number: UNRATED if game.rating is None else StatusAtStart(Status.RATED, game.rating)
        for number, game in enumerate(games, start=1)
    }


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
    own: OwnPlayer, games: Sequence[Met], *, kind: str, on: date, adoptions: Adoptions
) -> list[SystemResult]:
    """Return the results by FIDE's texts, the newest first and those on offer last, and the online systems."""
    at = datetime.combine(on, time(12), tzinfo=UTC)
    # A text that is adopted comes once, before those on offer.
    rules = dict.fromkeys([*(row.rules for row in reversed(adoptions.rows)), *known_texts()])
    by_rules = [by_regulations(text, own, games, on=on) for text in rules]
    return [*by_rules, *(_by(system, own, games, kind=kind, at=at) for system in _SYSTEMS)]


def by_regulations(rules: PeriodRules, own: OwnPlayer, games: Sequence[Met], *, on: date) -> SystemResult:
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


def _game_lines(rules: PeriodRules, own: OwnPlayer, outcome: Outcome) -> tuple[WrittenStep, ...]:
    lines = tuple(
        WrittenStep(rules.reasons[key].text, article=rules.reasons[key].article)
        for key in outcome.reasons
        if key != rules.keys.counted
    )
    if outcome.change is None:
        return lines
    rating = outcome.opponent_rating or 0
    difference = WrittenStep(
        DIFFERENCE,
        {"difference": outcome.difference or 0, "own": own.rating or 0, "opponent": rating},
        rules.clauses.pd_table,
    )
    figures: dict[str, int | str] = {
        "score": in_score(outcome.half_points),
        "pd": in_points(outcome.pd or 0),
        "change": in_points(outcome.change),
    }
    return (difference, *lines, WrittenStep(CHANGE, figures, rules.clauses.change))


def _sums(rules: PeriodRules, own: OwnPlayer, result: PeriodResult, event: RatedEvent) -> list[WrittenStep]:
    if own.rating is None:
        return _towards_first(rules, result)
    if not result.games:
        return [WrittenStep(rules.reasons[result.outcome].text)]
    total, k = event.participation.change, event.own.k or 0
    lines = [WrittenStep(SUM, {"games": result.games, "sum": in_points(total)}, rules.clauses.change)]
    if event.k != k:
        figures = {"games": result.games, "k": k, "used": event.k, "points": rules.most_points}
        lines.append(WrittenStep(REDUCED_K, figures, rules.clauses.k))
    product: dict[str, int | str] = {
        "k": event.k,
        "sum": in_points(total),
        "product": in_points(result.change),
    }
    lines.append(WrittenStep(PRODUCT, product, rules.clauses.change))
    rounded: dict[str, int | str] = {
        "product": in_points(result.change),
        "rounded": result.rounded,
        "before": own.rating,
        "after": own.rating + result.rounded,
    }
    lines.append(WrittenStep(ROUNDED, rounded, rules.clauses.rounding))
    if result.rating is None:
        under = {"rating": own.rating + result.rounded, "floor": rules.floor}
        lines.append(WrittenStep(UNDER_FLOOR, under, rules.clauses.below_floor))
    return lines


def _towards_first(rules: PeriodRules, result: PeriodResult) -> list[WrittenStep]:
    initial: InitialRating | None = result.initial
    if initial is None:
        few = {"games": sum(share.games for share in result.pool), "needed": rules.pool_games}
        return [WrittenStep(FEW, few, rules.clauses.pool)]
    average: dict[str, int | str] = {
        "average": initial.average,
        "games": initial.games,
        "p": in_points(initial.p),
    }
    lines = [
        WrittenStep(AVERAGE, average, rules.clauses.average),
        WrittenStep(FIRST, {"rating": initial.rating}, rules.clauses.initial),
    ]
    if result.rating is None:
        reason = rules.reasons[result.outcome]
        lines.append(WrittenStep(reason.text, article=reason.article))
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
    rate: Callable[[Any, Any, OnlineGame], RatedGame[Any]]
    assumptions: tuple[str, ...]


def _by(system: _Online, own: OwnPlayer, games: Sequence[Met], *, kind: str, at: datetime) -> SystemResult:
    state = before = _state(system, own.rating)
    lines = []
    for number, met in enumerate(games, start=1):
        # Another opponent for each game, so that none belongs to a series (D-60).
        white, black = Side(MEMBER), Side(f"opponent {number}")
        game = OnlineGame(at, white, black, RESULTS[met.half_points], TIME_CONTROLS[kind], MOVES)
        outcome = system.rate(state, _state(system, met.rating), game).white
        state = outcome.state
        lines.append(tuple(_line(system, step) for step in outcome.steps))
    assumptions = tuple(WrittenStep(text) for text in system.assumptions)
    return SystemResult(
        system.slug, system.title, before.exact, state.exact, tuple(lines), assumptions=assumptions
    )


def _state(system: _Online, rating: int | None) -> Any:
    return system.newcomer if rating is None else system.rated(rating)


def _line(system: _Online, step: OnlineStep) -> WrittenStep:
    return WrittenStep(system.messages[step.key], sentence_figures(step.figures), article_in(step.key))


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
        lambda rating: foa_rbb.FoaRbbState(rating=100 * rating, was_unrated=False, games=ESTABLISHED_GAMES),
        foa_rbb.rate_game,
        (ONE_BY_ONE, ESTABLISHED, NOT_SEEN),
    ),
    _Online(
        chess_online.SLUG,
        "Chess Online",
        chess_online.MESSAGES,
        chess_online.NEWCOMER,
        lambda rating: chess_online.ChessOnlineState(rating=rating, games=ESTABLISHED_GAMES, highest=rating),
        chess_online.rate_game,
        (ONE_BY_ONE, ESTABLISHED, NOT_SEEN),
    ),
    _Online(
        flyordie.SLUG,
        "FlyOrDie",
        flyordie.MESSAGES,
        flyordie.NEWCOMER,
        lambda rating: flyordie.FlyOrDieState(rating=rating, games=ESTABLISHED_GAMES),
        flyordie.rate_game,
        (ONE_BY_ONE, ESTABLISHED, NOT_SEEN, ONCE),
    ),
)
