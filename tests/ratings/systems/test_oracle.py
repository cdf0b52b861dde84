"""The engine against the oracle: whole years of small random federations, every entry and every event."""

from __future__ import annotations

import os
from datetime import date
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from ratings.systems.otb.listing import EntryFigures, EntryStatus
from ratings.systems.otb.values import RatedEvent
from tests.ratings.ledger.oracle import LISTED, WITHHELD, History, Line, Recorded, lists_of
from tests.ratings.systems.engine_driver import EngineLists
from tests.ratings.systems.federations import facts_of, federation_of

# Seeds whose federations show between them everything that is rare: every change of status, K and outcome.
KEPT_SEEDS = (
    12, 26, 36, 43, 46, 48, 50, 56, 62, 68, 80, 111, 118, 144, 154, 158, 212, 226, 241, 243, 271, 297, 360, 371,
    11_031
)  # fmt: skip
# How many more are tried: `ORACLE_FEDERATIONS=5000 pytest ...` for a long run.
FEDERATIONS = int(os.environ.get("ORACLE_FEDERATIONS", "30"))
FIRST_SEED = 10_000
BATCHES = 3


@pytest.mark.parametrize("seed", KEPT_SEEDS)
def test_engine_makes_the_lists_of_the_oracle_for_a_kept_seed(seed: int) -> None:
    assert _engine(seed) == _oracle(seed)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_engine_makes_the_lists_of_the_oracle(batch: int) -> None:
    for seed in range(FIRST_SEED + batch, FIRST_SEED + FEDERATIONS, BATCHES):
        assert _engine(seed) == _oracle(seed), f"federation of seed {seed}"


def _engine(seed: int) -> dict[tuple[Any, ...], Any]:
    """Return each line of a list that shows or withholds a rating, and what each event counts for a player."""
    made = EngineLists(federation_of(seed), shuffle=Random(seed))
    found: dict[tuple[Any, ...], Any] = {}
    for day in made.federation.list_dates:
        for number, entry in made.lists[day].items():
            if entry.status in (EntryStatus.LISTED, EntryStatus.WITHHELD):
                found[day, number] = _entry(entry)
    for (day, number), result in made.results.items():
        for item in result.events:
            if any(game.counts for game in item.participation.outcomes):
                found[day, number, int(item.event.event_id)] = _event(item)
    return found


def _oracle(seed: int) -> dict[tuple[Any, ...], Any]:
    facts = facts_of(federation_of(seed))
    lists = lists_of(facts)
    found: dict[tuple[Any, ...], Any] = {}
    for day, lines in lists.items():
        history = History(facts, day, lists)
        for number, line in lines.items():
            if line.status in (LISTED, WITHHELD):
                found[day, number] = _line(line)
            found |= dict(_events(history, number, day))
    return found


def _events(history: History, number: int, day: date) -> Any:
    for event in history.facts.events:
        if event.taken_by == day and not history.is_dead(number):
            recorded = history.record(number, event)
            if recorded is not None:
                yield (day, number, int(event.event_id)), recorded


def _entry(entry: EntryFigures) -> tuple[Any, ...]:
    if entry.status is EntryStatus.WITHHELD:
        return (entry.rating,)
    return entry.rating, entry.games, entry.k, entry.is_inactive, entry.completed


def _line(line: Line) -> tuple[Any, ...]:
    state = line.state
    if line.status == WITHHELD:
        return (state.rating,)
    return state.rating, state.games, state.k, line.is_inactive, state.completed


def _event(item: RatedEvent) -> Recorded:
    games = [game for game in item.participation.outcomes if game.counts]
    wins = sum(game.half_points == 2 for game in games)
    if item.own.rating is None:
        return Recorded(len(games), wins)
    changes = sum((Fraction(game.change or 0, 100) for game in games), Fraction(0))
    return Recorded(len(games), wins, item.k, changes)
