"""Large files: the tables are whole afterwards, and as before where the import breaks off half way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from core.bulk import loading
from players.models import NameWord, Player
from ratings.choices import ImportStep
from ratings.imports import import_list, importing
from ratings.models import ListEntry, RatingList
from tests import make
from tests.conftest import NOW
from tests.ratings.list_files import Listed, text_list, written

pytestmark = pytest.mark.django_db

TABLES = (Player, NameWord, ListEntry)
# So many players make a large file of several chunks here; a real one has thirty times as many.
CHUNK = 2_000
PLAYERS = tuple(
    Listed(1000 + n, f"Zarnik, P{n}", rapid=(1400 + n % 900, 0, 20) if n % 3 else None)
    for n in range(CHUNK + 500)
)
RATED = sum(player.rapid is not None for player in PLAYERS)
on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="only PostgreSQL builds indexes anew"
)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = Path(written(tmp_path / "list.txt", text_list(*PLAYERS)))
    monkeypatch.setattr(importing, "CHUNK", CHUNK)
    monkeypatch.setattr(importing, "LARGE_FILE", path.stat().st_size - 1)
    return path


def structure(*tables: Any) -> list[tuple[Any, ...]]:
    """Return the indexes and constraints of tables."""
    names = [table._meta.db_table for table in tables]
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = ANY(%s) ORDER BY 1", [names])
        indexes = cursor.fetchall()
        cursor.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated"
            " FROM pg_constraint WHERE conrelid = ANY(%s::regclass[]) AND contype <> 'n' ORDER BY 1, 2",
            [names],
        )
        return [*indexes, *cursor.fetchall()]


def test_large_list_comes_in_whole(path: Path) -> None:
    result = make.run("import_fide_list", str(path), "--date", "2026-01-01")
    assert result["players"] == {"read": len(PLAYERS), "created": len(PLAYERS), "changed": 0}
    assert [item["listed"] for item in result["lists"]] == [0, RATED, 0]
    assert (Player.objects.count(), ListEntry.objects.count()) == (len(PLAYERS), RATED)
    assert NameWord.objects.count() == 2 * len(PLAYERS)


def test_large_list_again_in_the_next_month_changes_nobody(path: Path) -> None:
    make.run("import_fide_list", str(path), "--date", "2026-01-01")
    result = make.run("import_fide_list", str(path), "--date", "2026-02-01")
    assert result["players"] == {"read": len(PLAYERS), "created": 0, "changed": 0}
    assert ListEntry.objects.filter(rating_list__date="2026-02-01").count() == RATED


def test_import_that_breaks_off_leaves_nothing(path: Path) -> None:
    """Half of the players are written by then."""

    def break_off(step: str, done: int, total: int) -> None:
        assert Player.objects.count() == CHUNK
        raise KeyboardInterrupt

    before = structure(*TABLES) if connection.vendor == "postgresql" else []
    with pytest.raises(KeyboardInterrupt):
        import_list(path, on=NOW.date().replace(day=1), at=NOW, report=break_off)
    assert (Player.objects.count(), NameWord.objects.count(), RatingList.objects.count()) == (0, 0, 0)
    assert before == (structure(*TABLES) if connection.vendor == "postgresql" else [])


def test_progress_ends_with_the_whole_file(path: Path) -> None:
    told: list[tuple[ImportStep, int, int]] = []
    import_list(path, on=NOW.date().replace(day=1), at=NOW, report=lambda *step: told.append(step))
    size = path.stat().st_size
    steps = list(dict.fromkeys(step for step, _, _ in told))
    assert steps == [*ImportStep]
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert told[-1][1:] == (size, size)


@on_postgresql
def test_every_index_and_constraint_stands_again(path: Path) -> None:
    before = structure(*TABLES)
    make.run("import_fide_list", str(path), "--date", "2026-01-01")
    assert structure(*TABLES) == before


@on_postgresql
def test_only_empty_tables_are_filled_without_indexes() -> None:
    Player.objects.create(fide_id=101, federation_id="SUI")
    players, words = structure(Player), structure(NameWord)
    with loading(*TABLES):
        assert structure(Player) == players
        # The primary key is left: its index and its constraint.
        assert len(structure(NameWord)) == 2
    assert (structure(Player), structure(NameWord)) == (players, words)
