"""What is kept in Redis is JSON: nothing there can run code here, and what cannot be read is a miss."""

from __future__ import annotations

import pickle
from datetime import date
from typing import Any

import pytest

from portal.backends import JsonSerializer
from ratings.queries.movements import Moved, Movements


@pytest.mark.parametrize("value", [0, 7, True, None, "text", [1, [2, "x"]], {"a": {"b": 1.5}}])
def test_value_comes_back_as_it_was(value: Any) -> None:
    serializer = JsonSerializer()
    stored = serializer.dumps(value)
    assert serializer.loads(str(stored).encode()) == value


def test_number_stays_one_that_redis_can_count_up() -> None:
    assert JsonSerializer().dumps(7) == 7


@pytest.mark.parametrize("stored", [pickle.dumps(date(2026, 1, 1)), b"\xff", b"{", b""])
def test_unreadable_entry_is_a_miss(stored: bytes) -> None:
    assert JsonSerializer().loads(stored) is None


def test_what_json_does_not_know_is_refused() -> None:
    with pytest.raises(TypeError):
        JsonSerializer().dumps(Movements(gains=[Moved(player_id=1)]))
