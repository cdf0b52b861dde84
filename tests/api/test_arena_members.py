"""Members of arenas with their rating changes."""

from __future__ import annotations

import pytest

from tests.api.conftest import Get

pytestmark = pytest.mark.django_db


def test_history_explains_every_change(get_arena: Get) -> None:
    rows = get_arena("/foa-rbb/members/{ada}/history?category=rapid")["results"]

    assert [(row["number"], row["cause"], row["before"], row["after"], row["game"]) for row in rows] == [
        (2, "game", "1800.00", "1807.20", "g0001"),
        (1, "first", None, "1800.00", None),
    ]
    assert ("rapid" in rows[1]["steps"][0]["text"], "1800" in rows[1]["steps"][0]["text"]) == (True, True)
