"""The engine against the oracle: whole years of small random federations, every entry and every change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from ratings.systems.otb.listing import EntryFigures, EntryStatus
from ratings.systems.otb.values import InitialRating, Outcome, RatedEvent
from tests.ratings.systems.engine_driver import EngineLists
from tests.ratings.systems.federations import federation_of
from tests.ratings.systems.oracle import Oracle, Result, Round, Row, Status
from tests.ratings.systems.oracle_figures import First

# Seeds whose federations show between them everything that is rare: every change of status, K and outcome.
KEPT_SEEDS = (17, 26, 37, 52, 90, 449, 504, 533, 850, 1136)
# How many more are tried: `ORACLE_FEDERATIONS=5000 pytest ...` for a long run.
FEDERATIONS = int(os.environ.get("ORACLE_FEDERATIONS", "60"))
FIRST_SEED = 10_000
BATCHES = 10


@pytest.mark.parametrize("seed", KEPT_SEEDS)
def test_engine_makes_the_lists_of_the_oracle_for_a_kept_seed(seed: int) -> None:
    assert _engine(seed) == _oracle(seed)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_engine_makes_the_lists_of_the_oracle(batch: int) -> None:
    for seed in range(FIRST_SEED + batch, FIRST_SEED + FEDERATIONS, BATCHES):
        assert _engine(seed) == _oracle(seed), f"federation of seed {seed}"


def _engine(seed: int) -> dict[str, dict[Any, Any]]:
    federation = federation_of(seed)
    made = EngineLists(federation, shuffle=Random(seed))
    results = made.results
    return {
        "lists": {day: dict(_listed(made.lists[day])) for day in federation.list_dates},
        "kept": {
            (day, number): entry.rating
            for day in federation.list_dates
            for number, entry in made.lists[day].items()
            if entry.status is EntryStatus.WITHHELD
        },
        "events": {
            (*key, item.event.event_id): _event(item)
            for key, result in results.items()
            for item in result.events
        },
        "changes": {key: Fraction(result.change, 100) for key, result in results.items() if result.change},
        "firsts": {key: _first(result.initial) for key, result in results.items() if result.initial},
    }


def _oracle(seed: int) -> dict[str, dict[Any, Any]]:
    oracle = Oracle(federation_of(seed))
    return {
        "lists": {day: oracle.lists[day] for day in oracle.federation.list_dates},
        "kept": oracle.withheld,
        "events": oracle.results,
        "changes": {key: change for key, change in oracle.changes.items() if change},
        "firsts": oracle.firsts,
    }


def _listed(entries: dict[int, EntryFigures]) -> Iterator[tuple[int, Row]]:
    for number, entry in entries.items():
        if entry.status is EntryStatus.LISTED:
            assert entry.rating is not None
            assert entry.k is not None
            yield number, Row(entry.rating, entry.games, entry.k, entry.is_inactive, entry.completed)


def _event(item: RatedEvent) -> Result:
    own = Status(str(item.own.status), item.own.rating, item.own.k or 0)
    return Result(own, item.k, tuple(_round(game) for game in item.participation.outcomes if game.counts))


def _round(game: Outcome) -> Round:
    assert game.opponent_rating is not None
    score = Fraction(game.half_points, 2)
    if game.pd is None or game.change is None:
        return Round(game.round, game.opponent_rating, score)
    figures = (game.difference, game.counted_difference, Fraction(game.pd, 100), Fraction(game.change, 100))
    return Round(game.round, game.opponent_rating, score, *figures)


def _first(initial: InitialRating) -> First:
    average = sum((Fraction(part) for part in initial.average.split()), Fraction(0))
    return First(average, Fraction(initial.p, 100), initial.dp or 0, initial.rating)
