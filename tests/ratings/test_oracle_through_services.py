"""The portal as a whole against the oracle: stored reports, rated and published month by month."""

from __future__ import annotations

import os
from datetime import date
from random import Random
from typing import Any

import pytest
from django.db import transaction

from ratings.models import ListEntry
from tests import make
from tests.ratings.alphaville import ALL_PLAY, ALL_PLAY_AGAIN, PLAYERS, publish
from tests.trf_files import Event
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
FIRST_SEED = 20_000
FEDERATIONS = max(2, int(os.environ.get("ORACLE_FEDERATIONS", "0")) // 60)
CORRECTED_ON = date(2026, 2, 15)
SECOND = Event(
    PLAYERS, ALL_PLAY_AGAIN, name="Second Open of Alphaville", start="2026/02/07", end="2026/02/08"
)
SEEDS = range(FIRST_SEED, FIRST_SEED + FEDERATIONS)


@pytest.mark.parametrize("seed", SEEDS)
def test_d11_correction_that_is_taken_back_leaves_the_next_list_as_it_would_have_been(
    seed: int, month: None
) -> None:
    random = Random(seed)
    publish("2026-02-01")
    make.submit(SECOND, registered="2026-02-01", submitted="2026-02-10")
    undisturbed = _next_list()
    steps: list[Any] = [_shuffled(random), None, _shuffled(random), None, _shuffled(random)]
    random.shuffle(steps)
    # Withdrawing what is withdrawn is refused; the report as it was comes last.
    steps = [step for number, step in enumerate(steps) if step or number == 0 or steps[number - 1]]
    for rounds in (*steps, ALL_PLAY):
        make.correct_report(
            Tournament.objects.get(name=Event([], []).name),
            Event(PLAYERS, rounds).content() if rounds else None,
            reason="Tried out.",
            on=CORRECTED_ON,
        )
    assert _next_list() == undisturbed, f"seed {seed}"


def _next_list() -> dict[int, tuple[int | None, int | None]]:
    """Return ratings and K of the next list; it is not published for good."""
    with transaction.atomic():
        make.publish("rapid", date(2026, 3, 1))
        entries = ListEntry.objects.filter(rating_list__kind="rapid", rating_list__date="2026-03-01")
        found = {entry.player_id: (entry.rating, entry.k_factor) for entry in entries.listed()}
        transaction.set_rollback(True)
    return found


def _shuffled(random: Random) -> list[list[tuple[int, int, str]]]:
    """Return the same pairings with other results, never those of the report that stands."""
    results = ["1-0", "1/2", "0-1"]
    return [[(white, black, random.choice(results)) for white, black, _ in games] for games in ALL_PLAY]
