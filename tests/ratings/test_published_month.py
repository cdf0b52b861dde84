"""A published month: its figures by the articles, its export, and what its verification finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.db import transaction

from ratings.models import Calculation, ListEntry, ListFile, ParticipantRating
from ratings.systems.otb.values import InitialRating
from tests import make
from tests.ratings.alphaville import ALL_PLAY, PLAYERS, entry_of, play_open
from tests.shared import SharedRows
from tests.trf_files import Event
from tournaments.models import Game, Report

pytestmark = [pytest.mark.page, pytest.mark.slow]


@pytest.fixture(scope="module")
def month(rows_of_module: SharedRows) -> None:
    """Publish both lists of February with one tournament."""
    with rows_of_module():
        play_open()
        done = make.run("publish_lists", "2026-02-01")
        assert [row["new"] for row in done["published"]] == [True, True]


@pytest.fixture
def published(month: None, db: None) -> None:
    """Have February published."""


def test_7_3_published_change_is_k_times_score_minus_pd(published: None) -> None:
    """2000 against 1900, 1800, 1700, 1600 with 1, =, 1, 1: PD .64 .76 .85 .92, so 3.5 - 3.17 = .33; K 20: 6.6."""
    calculation = Calculation.objects.get(player=1001)
    assert (calculation.change_hundredths, calculation.rounded_change, calculation.games) == (660, 7, 4)
    assert (entry_of(1001).rating, entry_of(1001).games, entry_of(1001).k_factor) == (2007, 4, 20)


def test_7_2_unrated_player_is_rated_from_five_games(published: None) -> None:
    """Against 2000 1700 1900 1600 1800: 3.5 of 5; Ra = (9000 + 3600) / 7 = 1800, p = 4.5 / 7 = .64, dp 102."""
    assert (entry_of(1006).rating, entry_of(1006).games, entry_of(1006).k_factor) == (1902, 5, 40)
    value = Calculation.objects.get(player=1006).value
    assert value.initial_rules == "fide-rapid-blitz-2024"
    assert value.initial == InitialRating(
        games=5, half_points=7, average="1800", p=64, dp=102, rating=1902, is_capped=False
    )


def test_export_gives_the_json_of_the_design(published: None, tmp_path: Path) -> None:
    target = tmp_path / "list.json"
    make.run("export_list", "rapid", "2026-02-01", "--format", "json", "-o", str(target))
    exported = json.loads(target.read_text())
    assert {key: exported[key] for key in ("kind", "date", "rules")} == {
        "kind": "rapid",
        "date": "2026-02-01",
        "rules": "fide-rapid-blitz-2024",
    }
    assert exported["players"][0] == {
        "fide_id": 1001,
        "name": "Player, P1001",
        "federation": "SUI",
        "title": "",
        "sex": "M",
        "birth_year": 1980,
        "rating": 2007,
        "games": 4,
        "k": 20,
        "inactive": False,
    }
    ratings = [player["rating"] for player in exported["players"]]
    assert ratings == sorted(ratings, reverse=True)
    assert len(ratings) == 6


def test_publishing_again_changes_nothing(published: None) -> None:
    entries = list(ListEntry.objects.order_by("pk").values())
    files = list(ListFile.objects.order_by("pk").values())
    second = make.run("publish_lists", "2026-02-01")
    assert [row["new"] for row in second["published"]] == [False, False]
    assert list(ListEntry.objects.order_by("pk").values()) == entries
    assert list(ListFile.objects.order_by("pk").values()) == files


def change_a_game() -> None:
    Game.objects.filter(round=1, white=1).update(white_code="0", black_code="1")


def change_an_opponents_rating() -> None:
    ParticipantRating.objects.filter(player=1002).update(start_rating=1950)


def swap_the_report() -> None:
    Report.objects.update(content=Event(PLAYERS, ALL_PLAY[:4]).content())


def change_an_entry() -> None:
    ListEntry.objects.filter(player=1003, rating_list__date="2026-02-01").update(rating=1999)


def change_a_name() -> None:
    ListEntry.objects.filter(player=1003, rating_list__date="2026-02-01").update(name="Other, O")


def edit_a_file() -> None:
    item = ListFile.objects.get(rating_list__kind="rapid", format="csv")
    with Path(storages["lists"].path(item.path)).open("ab") as target:
        target.write(b"x")


def delete_a_file() -> None:
    storages["lists"].delete(ListFile.objects.get(rating_list__kind="rapid", format="txt").path)


CHANGES = {
    change_a_game: "game",
    change_an_opponents_rating: "standing at the start",
    swap_the_report: "report",
    change_an_entry: "list entry",
    change_a_name: "file from the entries",
}


def named_by_verification() -> str:
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("verify_list", "rapid", "2026-02-01")
    return str(refused.value.args[0]["reasons"][0]).partition(", ")[0]


def test_verify_names_the_rows_that_were_changed(published: None) -> None:
    named = {}
    for tamper in CHANGES:
        with transaction.atomic():
            tamper()
            named[tamper] = named_by_verification()
            transaction.set_rollback(True)
    assert named == CHANGES


@pytest.mark.parametrize("tamper", [edit_a_file, delete_a_file])
def test_verify_names_a_file_that_was_changed(published: None, tamper: Callable[[], None]) -> None:
    tamper()
    assert named_by_verification() == "stored file"
