"""An arena with games of every kind, and its list."""

from __future__ import annotations

from copy import deepcopy
from datetime import date

import pytest

from arenas.days import end_arena_day
from arenas.models import Arena
from tests.arenas.played import AT, enrol, game, rate_members, record
from tests.shared import SharedRows

HOSTILE = '<script>alert("1")</script>'
LONG = "W" * 60


@pytest.fixture(scope="module")
def played_of_module(rows_of_module: SharedRows) -> Arena:
    with rows_of_module():
        arena = rate_members(Arena.objects.get(slug="foa-rbb"), ada=1800, ben=1700, cyd=None)
        enrol(arena, HOSTILE, LONG)
        record(
            arena,
            game(1, "ada", "ben", "1-0"),
            game(2, "cyd", "ada", "1/2-1/2"),
            game(3, "ben", "ada", "0-1", time_control="60+0"),
            game(4, HOSTILE, LONG, "0-1"),
            game(5, "ada", "ben", "0-1", disconnected="black"),
        )
        record(arena, game(0, "ada", "ben", "1/2-1/2"))
        end_arena_day(arena, date(2026, 2, 1), at=AT)
        return arena


@pytest.fixture
def played(played_of_module: Arena, db: None) -> Arena:
    """Return `foa-rbb` with five members, games of every kind, and the list of February."""
    return deepcopy(played_of_module)
