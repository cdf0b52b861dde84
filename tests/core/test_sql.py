from __future__ import annotations

import pytest

from core.sql import Among
from players.models import Membership
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_rows_with_one_of_many_values_are_found() -> None:
    swiss = make.federation(code="SUI")
    players = make.players(3, federation=swiss)
    for number, player in enumerate(players):
        Membership.objects.create(player=player, federation=swiss, number=f"A{number}", since="2026-01-01")

    def found(column: str, values: list[int] | list[str]) -> list[int]:
        return [row.player_id for row in Membership.objects.filter(Among(column, values))]

    assert found("number", ["A0", "A2", "A7"]) == [players[0].pk, players[2].pk]
    assert found("player", [players[1].pk, 7]) == [players[1].pk]
    assert found("player", []) == found("number", []) == []


def test_many_values_are_no_loop_for_each_row_of_a_table_that_just_grew() -> None:
    """The second batch of a register of 95,000 rows took two minutes on PostgreSQL."""
    numbers = [str(number) for number in range(50_000)]
    rows = Membership.objects.filter(Among("number", numbers), federation="SUI", until=None).order_by()

    assert "Nested Loop" not in rows.explain()
