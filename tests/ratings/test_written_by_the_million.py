"""Tables that publications fill: the database looks nothing up row by row; what rows name cannot be deleted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection, models
from django.db.models import ProtectedError

from core.models import as_json
from players.models import Player
from ratings.models import Calculation, ListEntry, ParticipantRating, PoolEvent, RatingList
from tests import make
from tests.shared import SharedRows
from tournaments.models import Game, Participant, Tournament

pytestmark = pytest.mark.django_db
NEWCOMER = 7_000_001


@pytest.fixture(scope="module")
def published(rows_of_module: SharedRows) -> RatingList:
    """A list that takes a newcomer's first games into the pool."""
    with rows_of_module():
        players = [entry.player for entry in make.ListEntryFactory.create_batch(3)]
        tournament = make.tournament()
        make.play_and_rate(tournament, [*players, make.player(fide_id=NEWCOMER)], make.round_robin(4))
        return make.publish_after(tournament)


@pytest.fixture
def rapid(published: RatingList, db: None) -> RatingList:
    return RatingList.objects.get(pk=published.pk)


def test_no_row_is_looked_up_again() -> None:
    looked_up = []
    for model in (ListEntry, Calculation, PoolEvent, Participant, Game, ParticipantRating):
        with connection.cursor() as cursor:
            constraints = connection.introspection.get_constraints(cursor, model._meta.db_table)
        looked_up += [name for name, found in constraints.items() if found["foreign_key"]]
    assert looked_up == []


@pytest.mark.parametrize(
    "named",
    [
        lambda: Player.objects.get(pk=NEWCOMER),
        lambda: RatingList.objects.get(date=date(2026, 2, 1)),
        lambda: Tournament.objects.get(),
        lambda: ParticipantRating.objects.get(player=NEWCOMER),
        lambda: Participant.objects.get(player=NEWCOMER),
    ],
)
def test_what_rows_name_cannot_be_deleted(rapid: RatingList, named: Callable[[], models.Model]) -> None:
    assert PoolEvent.objects.filter(player=NEWCOMER, added_by=rapid).count() == 1

    with pytest.raises(ProtectedError):
        named().delete()


@pytest.mark.parametrize(
    ("field", "row_of"),
    [
        ("value", lambda: Calculation.objects.get(player=NEWCOMER)),
        ("found", lambda: Calculation.objects.get(player=NEWCOMER)),
        ("outcomes", lambda: ParticipantRating.objects.get(player=NEWCOMER)),
    ],
)
def test_json_is_kept_as_it_was_written_first(
    rapid: RatingList, field: str, row_of: Callable[[], models.Model]
) -> None:
    """However a row is written, the database holds the same text and gives the same values."""
    row = row_of()
    values, text = getattr(row, field), stored_text(row, field)
    assert text == as_json(values)

    row.save()
    assert stored_text(row, field) == text
    type(row)._default_manager.bulk_update([row], [field])
    assert stored_text(row, field) == text
    assert getattr(row_of(), field) == values


def stored_text(row: models.Model, field: str) -> Any:
    """Return what the database itself has in a field."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {field} FROM {row._meta.db_table} WHERE id = %s", [row.pk])
        return cursor.fetchone()[0]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="other databases have ordinary indexes only")
def test_entries_of_a_list_are_found_by_blocks() -> None:
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, ListEntry._meta.db_table)

    assert constraints["entries_of_a_list"]["type"] == "brin"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="other databases plan without such figures")
def test_a_new_list_is_known_to_the_planner_as_it_appears(rapid: RatingList) -> None:
    """One that is taken for empty is compared with the list before row by row, which took minutes."""
    common = "SELECT most_common_vals::text::bigint[] FROM pg_stats WHERE tablename = %s AND attname = %s"
    with connection.cursor() as cursor:
        cursor.execute(common, [ListEntry._meta.db_table, "rating_list_id"])
        (lists,) = cursor.fetchone()

    assert rapid.pk in lists
