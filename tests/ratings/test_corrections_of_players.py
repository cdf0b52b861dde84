"""Corrected data of a player: K by a wrong year of birth is made good on the next list (D-4, D-11)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import LogEntry, NameWord, Player
from ratings.models import Calculation, Correction, CorrectionLine
from tests import make
from tests.codes import refusal
from tests.conftest import NOW
from tests.ratings.alphaville import (
    ALL_PLAY_AGAIN,
    PLAYERS,
    entry_of,
    play_open,
    publish,
    told,
)
from tests.shared import SharedRows
from tests.trf_files import Event
from tournaments.amendments import Datum

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

MARCH = Event(
    PLAYERS,
    ALL_PLAY_AGAIN,
    name="Second Open of Alphaville",
    start="2026/02/07",
    end="2026/02/08",
)


@pytest.fixture(scope="module")
def published(rows_of_module: SharedRows) -> None:
    """Publish February from an imported list, and March, whose tournament is rated by February's own K."""
    with rows_of_module():
        play_open()
        make.run("publish_lists", "2026-02-01")
        make.submit(MARCH, registered="2026-02-01", submitted="2026-02-10")
        make.run("publish_lists", "2026-03-01")


@pytest.fixture
def two_months(published: None, db: None) -> None:
    """Have February and March published."""


def correct(fide_id: int, **data: Any) -> Any:
    is_dry_run = data.pop("is_dry_run", False)
    player = Player.objects.get(pk=fide_id)
    return make.correct_player(player, data, reason="Passport.", at=NOW, is_dry_run=is_dry_run)


@pytest.mark.database
def test_d4_junior_by_the_right_year_takes_the_difference_of_k(two_months: None) -> None:
    """1005 is listed with K 20, as born in 1980; born in 2010 it would have been 40 on the portal's own list."""
    change = Calculation.objects.get(player=1005, rating_list__date="2026-03-01").change_hundredths
    shown = correct(1005, birth_year=2010, is_dry_run=True)
    assert not Correction.objects.exists()
    done = correct(1005, birth_year=2010)
    assert told(shown) == told(done)
    # The list of January was imported: its K stands (D-12), so that February has nothing to correct.
    assert [(line.corrected_list.date.isoformat(), line.difference_hundredths) for line in done.lines] == [
        ("2026-03-01", change)
    ]
    assert [(entry.kind, entry.k) for entry in done.next_entries] == [("rapid", (20, 40))]
    before = entry_of(1005, "2026-03-01").rating
    publish("2026-04-01")
    line = CorrectionLine.objects.get()
    assert (line.taken_by and line.taken_by.date.isoformat(), line.correction.player_id) == (
        "2026-04-01",
        1005,
    )
    after = entry_of(1005, "2026-04-01")
    assert (after.rating, after.k_factor, after.birth_year) == (before + round(change / 100), 40, 2010)
    assert make.run("verify_list", "rapid", "2026-04-01") == {"verified": True, "reasons": []}
    assert make.run("verify_list", "rapid", "2026-03-01") == {"verified": True, "reasons": []}


def test_d11_second_correction_takes_only_what_is_new(two_months: None) -> None:
    first = correct(1005, birth_year=2010).lines[0].difference_hundredths
    assert correct(1005, birth_year=2011).lines == ()
    assert correct(1005, birth_year=1980).lines[0].difference_hundredths == -first


def test_d11_what_lists_publish_is_recorded_in_the_ledger(two_months: None) -> None:
    correct(1002, name="Player, Paul", birth_date=None)
    recorded = Correction.objects.get()
    assert (recorded.player_id, recorded.amendments, recorded.reason) == (
        1002,
        [Datum("name", "Player, P1002", "Player, Paul")],
        "Passport.",
    )
    assert "paul" in NameWord.objects.filter(player=1002).values_list("word", flat=True)
    edited = LogEntry.objects.get(player=1002, action="edited")
    assert edited.changes == [{"field": "name", "before": "Player, P1002", "after": "Player, Paul"}]


def test_9_2_effect_says_that_the_next_list_does_not_show_the_player(two_months: None) -> None:
    effect = correct(1002, died_on=NOW.date().replace(day=1), is_dry_run=True)
    assert [(entry.kind, entry.barred) for entry in effect.next_entries] == [
        ("rapid", ("", "deceased-9.2")),
        ("blitz", ("", "deceased-9.2")),
    ]


@pytest.mark.parametrize(
    ("data", "code"), [({}, "nothing-changes"), ({"name": "Player, P1002"}, "nothing-changes")]
)
def test_nothing_to_correct_is_refused(two_months: None, data: dict[str, Any], code: str) -> None:
    with refusal() as refused:
        correct(1002, **data)
    assert refused.found == [code]


def test_effect_asks_as_often_with_more_lists(
    two_months: None, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    publish("2026-04-01")
    with CaptureQueriesContext(connection) as asked:
        correct(1005, died_on=date(2026, 2, 20), is_dry_run=True)
    publish("2026-05-01")

    with django_assert_max_num_queries(len(asked)):
        correct(1005, died_on=date(2026, 2, 20), is_dry_run=True)
