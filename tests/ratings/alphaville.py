"""An invented open of six players, five of them rated, that tests of a month share."""

from __future__ import annotations

from datetime import date
from typing import Any

from ratings.amend.effect import Effect
from ratings.choices import RunState
from ratings.models import ListEntry, Run
from ratings.runs import perform_now
from tests import make
from tests.trf_files import Event

PLAYERS = [(1000 + n, f"Player, P{1000 + n}") for n in range(1, 7)]
FIRST = {1001: 2000, 1002: 1900, 1003: 1800, 1004: 1700, 1005: 1600, 1006: None}
ALL_PLAY = [
    [(1, 6, "1-0"), (2, 5, "1/2"), (3, 4, "1-0")],
    [(6, 4, "1/2"), (5, 3, "0-1"), (1, 2, "1-0")],
    [(2, 6, "0-1"), (3, 1, "1/2"), (4, 5, "1-0")],
    [(6, 5, "1-0"), (1, 4, "1-0"), (2, 3, "1/2")],
    [(3, 6, "0-1"), (4, 2, "0-1"), (5, 1, "0-1")],
]
# The same results, one game with the colours exchanged: another event, which gives the same ratings (D-129).
ALL_PLAY_AGAIN = [[(6, 1, "0-1"), *ALL_PLAY[0][1:]], *ALL_PLAY[1:]]


def play_open() -> Any:
    """Give the players their first lists, and rate the open in January."""
    make.first_list(FIRST)
    make.first_list({}, kind="blitz")
    return make.submit(Event(PLAYERS, ALL_PLAY))


def entry_of(fide_id: int, on: str = "2026-02-01") -> ListEntry:
    return ListEntry.objects.get(player=fide_id, rating_list__kind="rapid", rating_list__date=on)


def publish(*months: str) -> None:
    """Publish the rapid lists of these months, each at noon of its day."""
    for month in months:
        make.publish("rapid", date.fromisoformat(month))


def perform_due() -> None:
    """Do what is due, as a worker does."""
    for run in Run.objects.exclude(state=RunState.DONE):
        perform_now(run, run.created_at)


def told(effect: Effect | Effect) -> list[tuple[Any, ...]]:
    """Return what the lines say, without the keys of rows that a dry run has taken back."""
    return [
        (
            line.corrected_list,
            line.player_id,
            line.kind,
            line.before_hundredths,
            line.after_hundredths,
            line.difference_hundredths,
            line.games_difference,
        )
        for line in effect.lines
    ]
