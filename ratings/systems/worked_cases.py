"""Answers the worked cases of `vectors/`: a line of JSON for each line of JSON.

python3 vectors/run.py .venv/bin/python -m ratings.systems.worked_cases
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any

from ratings.systems.arithmetic import (
    dp,
    half_away_from_zero,
    half_up,
    in_decimals,
    in_points,
    scoring_probability,
)
from ratings.systems.calculators import Met, OwnPlayer, event_of
from ratings.systems.online import chess_online, flyordie, foa_rbb
from ratings.systems.online.values import WHITE_HALF_POINTS, OnlineGame, Side, expectation
from ratings.systems.otb.period import Period, calculate
from ratings.systems.otb.values import Event, PlayerState
from ratings.systems.registry import always, rules_named

Answer = dict[str, Any]
# Of cases that name no day.
SOME_DAY = date(2026, 1, 15)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MANY_MOVES = 80
ONLINE: dict[str, Any] = {"foa-rbb": foa_rbb, "chess-online": chess_online, "flyordie": flyordie}
RESULTS = {half_points: result for result, half_points in WHITE_HALF_POINTS.items()}


def _hundredths(points: str) -> int:
    return int(Fraction(points) * 100)


def _met(games: Sequence[Any]) -> list[Met]:
    return [Met(rating, int(2 * score)) for rating, score in games]


def _tournament(system: str, asked: Answer) -> Answer:
    played = event_of(rules_named(system), OwnPlayer(asked["rating"]), _met(asked["games"]), on=SOME_DAY)
    outcomes = played.participation.outcomes
    return {
        "differences": [outcome.counted_difference for outcome in outcomes],
        "changes": [None if outcome.change is None else in_points(outcome.change) for outcome in outcomes],
        "sum": in_points(played.participation.change),
    }


def _initial_rating(system: str, asked: Answer) -> Answer:
    met = _met(asked["games"])
    first = rules_named(system).initial_rating(
        opponents_sum=sum(game.rating or 0 for game in met),
        games=len(met),
        half_points=sum(game.half_points for game in met),
    )
    return {"p": in_points(first.p), "dp": first.dp, "rating": first.rating}


def _k(system: str, asked: Answer) -> Answer:
    highest = asked["highest"]
    known = PlayerState(
        completed=asked["completed"], reached_2300=highest >= 2300, reached_2400=highest >= 2400
    )
    on = date.fromisoformat(asked["list_date"])
    return {"k": rules_named(system).list_k(known, birth_year=asked["birth_year"], on=on).k}


def _list(system: str, asked: Answer) -> Answer:
    rules, state = rules_named(system), PlayerState(rating=asked["rating"], k=20)
    result = calculate(Period(SOME_DAY, state=state, events=_events(system, asked), adoptions=always(rules)))
    return {
        "games": result.games,
        "k": [event.k for event in result.events],
        "change": in_points(result.change),
        "rating": result.rating,
    }


def _newcomer(system: str, asked: Answer) -> Answer:
    on, adoptions = date.fromisoformat(asked["list_date"]), always(rules_named(system))
    return {"rating": calculate(Period(on, events=_events(system, asked), adoptions=adoptions)).rating}


def _events(system: str, asked: Answer) -> tuple[Event, ...]:
    return tuple(
        event_of(
            rules_named(system),
            OwnPlayer(one.get("rating"), one.get("k", 0)),
            _met(one["games"]),
            on=date.fromisoformat(one["start"]) if "start" in one else SOME_DAY,
            event_id=str(number),
        )
        for number, one in enumerate(asked["tournaments"])
    )


def _adjustment(system: str, asked: Answer) -> Answer:
    state = _foa_state({"rating": asked["rating"]})
    return {"rating": foa_rbb.adjust(state, Fraction(asked["change"]), list_date=SOME_DAY).state.exact}


def _foa_state(given: Answer) -> foa_rbb.FoaRbbState:
    """Return a member's state: without a rating one who has to find a first one."""
    if "rating" not in given:
        return foa_rbb.NEWCOMER
    rating = _hundredths(given["rating"])
    return foa_rbb.FoaRbbState(rating, given.get("was_unrated", False), given.get("games", 0))


STATES: dict[str, Callable[[Answer], Any]] = {
    "foa-rbb": _foa_state,
    "chess-online": lambda given: chess_online.ChessOnlineState(**given),
    "flyordie": lambda given: flyordie.FlyOrDieState(**given),
}


def _games(system: str, asked: Answer) -> Answer:
    """Play the games of some members of an arena, and return what each of them has at the end."""
    make = STATES[system]
    states = {name: make(given) for name, given in asked["players"].items()}
    for game in asked["games"]:
        white, black = game["white"], game["black"]
        played = OnlineGame(
            ended_at=NOON + timedelta(hours=game.get("hours", 0)),
            white=Side(
                white, game.get("white_at_start"), is_disconnected=game.get("disconnected") == "white"
            ),
            black=Side(
                black, game.get("black_at_start"), is_disconnected=game.get("disconnected") == "black"
            ),
            result=RESULTS[int(2 * game["score"])],
            time_control=asked.get("time_control", ""),
            moves=game.get("moves", MANY_MOVES),
        )
        rated = ONLINE[system].rate_game(states[white], states[black], played)
        states |= {white: rated.white.state, black: rated.black.state}
    return {
        "ratings": {name: state.exact for name, state in states.items()},
        "shown": {name: _shown(system, state.rating) for name, state in states.items()},
        "averages": {
            name: half_away_from_zero(Fraction(state.total, state.games))
            for name, state in states.items()
            if isinstance(state, chess_online.ChessOnlineState) and state.games
        },
    }


def _shown(system: str, rating: int | None) -> int | None:
    if rating is None or system != foa_rbb.SLUG:
        return rating
    return half_up(Fraction(rating, 100))


def _near_floor(system: str, asked: Answer) -> Answer:
    since, day = date.fromisoformat(asked["since"]), date.fromisoformat(asked["day"])
    state = chess_online.ChessOnlineState(rating=asked["rating"], games=30, highest=asked["highest"])
    return {"floor": chess_online.end_day(chess_online.watch_floor(state, since), day).state.floor}


def _decay(system: str, asked: Answer) -> Answer:
    first = NOON.date()
    state = flyordie.FlyOrDieState(asked["rating"], closings=((first, asked["rating"]),))
    return {"rating": flyordie.end_day(state, first + timedelta(asked["days"] - 1)).state.rating}


ASKS: dict[str, Callable[[str, Any], Answer]] = {
    "probability": lambda system, asked: {
        "pd": [in_points(scoring_probability(difference)) for difference in asked["differences"]]
    },
    "dp": lambda system, asked: {"dp": [dp(_hundredths(p)) for p in asked["p"]]},
    "tournament": _tournament,
    "initial-rating": _initial_rating,
    "k": _k,
    "list": _list,
    "newcomer": _newcomer,
    "category": lambda system, asked: {"category": foa_rbb.category_of(asked["time_control"])},
    "joining": lambda system, asked: {
        "rating": foa_rbb.first_state(asked["category"], asked["listed"]).state.exact
    },
    "adjustment": _adjustment,
    "games": _games,
    "floor": lambda system, asked: {"floor": chess_online.ChessOnlineState(highest=asked["highest"]).floor},
    "near-floor": _near_floor,
    "expected-score": lambda system, asked: {"we": in_decimals(expectation(asked["difference"]), places=2)},
    "k-band": lambda system, asked: {"k": flyordie.k_factor(asked["rating"])},
    "decay": _decay,
}


def main() -> None:
    """Answer the cases on standard input."""
    for line in sys.stdin:
        case = json.loads(line)
        print(json.dumps(ASKS[case["ask"]](case["system"], case["input"])))  # noqa: T201


if __name__ == "__main__":
    main()
