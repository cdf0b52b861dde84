"""What imported lists remember of each other (D-12, D-15), and the pools that they empty (7.2)."""

from __future__ import annotations

from datetime import date
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from players.models import Player
from ratings.choices import SENTENCES
from ratings.models import ListEntry, PoolEvent, RatingList
from tests import make
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS, publish
from tests.ratings.list_files import Listed, text_list, written
from tests.trf_files import Event

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

JANUARY, FEBRUARY, MARCH = "2026-01-01", "2026-02-01", "2026-03-01"
LISTS = {
    JANUARY: (
        Listed(201, rapid=(2450, 9, 10)),
        Listed(202, rapid=(2350, 0, 20)),
        Listed(203, rapid=(1900, 0, 20)),
        Listed(204, federation="NOR", rapid=(1800, 0, 40)),
        Listed(205, rapid=(1700, 0, 20)),
    ),
    FEBRUARY: (Listed(203, rapid=(1910, 2, 20)), Listed(205, rapid=(1700, 0, 20), flag="i")),
    MARCH: (
        Listed(201, rapid=(2200, 5, 20)),
        Listed(203, rapid=(1910, 0, 20)),
        Listed(205, rapid=(1700, 0, 20), flag="i"),
    ),
}
FIGURES = (
    "status",
    "rating",
    "games",
    "k_factor",
    "completed_games",
    "reached_2300",
    "reached_2400",
    "last_played",
    "k_reason",
)
K20 = "k20-7.3.3"


def bring_in(folder: Path, *months: str) -> None:
    for month in months:
        path = written(folder / f"{month}.txt", text_list(*LISTS[month]))
        make.run("import_fide_list", path, "--date", month, "--kind", "rapid")


def entries_on(month: str) -> dict[int, tuple[Any, ...]]:
    rows = ListEntry.objects.filter(rating_list__kind="rapid", rating_list__date=month)
    return {player: tuple(figures) for player, *figures in rows.values_list("player", *FIGURES)}


def test_who_is_gone_has_still_reached_what_was_reached(tmp_path: Path) -> None:
    bring_in(tmp_path, JANUARY, FEBRUARY, MARCH)
    january, march = date(2026, 1, 1), date(2026, 3, 1)
    assert entries_on(FEBRUARY) == {
        201: ("unrated", None, 0, None, 0, True, True, None, ""),
        202: ("unrated", None, 0, None, 0, True, False, None, ""),
        203: ("listed", 1910, 2, 20, 30, False, False, date(2026, 2, 1), K20),
        205: ("listed", 1700, 0, 20, 30, False, False, january, K20),
    }
    assert entries_on(MARCH) == {
        201: ("listed", 2200, 5, 20, 30, True, True, march, ""),
        202: ("unrated", None, 0, None, 0, True, False, None, ""),
        203: ("listed", 1910, 0, 20, 30, False, False, march, K20),
        205: ("listed", 1700, 0, 20, 30, False, False, january, K20),
    }
    assert list(RatingList.objects.order_by("date").values_list("listed", flat=True)) == [5, 2, 3]


def test_rating_of_an_excluded_federation_is_withheld(tmp_path: Path) -> None:
    """D-15: it is kept until the federation is re-admitted."""
    make.run("mark_federation", "NOR", "--excluded-from", "2026-01-15")
    bring_in(tmp_path, JANUARY, FEBRUARY, MARCH)
    withheld = ("withheld", 1800, 0, 40, 0, False, False, date(2026, 1, 1), "k40-newcomer-7.3.3")
    assert entries_on(JANUARY)[204] == ("listed", *withheld[1:])
    assert (entries_on(FEBRUARY)[204], entries_on(MARCH)[204]) == (withheld, withheld)


@pytest.mark.parametrize("months", list(permutations(LISTS)))
def test_order_of_imports_makes_no_difference(tmp_path: Path, months: tuple[str, ...]) -> None:
    bring_in(tmp_path, *months)
    given = [entries_on(month) for month in LISTS]
    chain = RatingList.objects.order_by("date").values_list("date", "previous__date", "listed")
    assert [(str(day), previous and str(previous), listed) for day, previous, listed in chain] == [
        (JANUARY, None, 5),
        (FEBRUARY, JANUARY, 2),
        (MARCH, FEBRUARY, 3),
    ]
    RatingList.objects.update(previous=None)
    ListEntry.objects.all().delete()
    RatingList.objects.all().delete()
    bring_in(tmp_path, *LISTS)
    assert given == [entries_on(month) for month in LISTS]


def test_later_lists_forget_what_a_replaced_file_said(tmp_path: Path) -> None:
    bring_in(tmp_path, *LISTS)
    right = text_list(Listed(201, rapid=(2250, 9, 20)), *LISTS[JANUARY][1:])
    make.run("import_fide_list", written(tmp_path / "right.txt", right), "--date", JANUARY, "--kind", "rapid")
    assert 201 not in entries_on(FEBRUARY)
    assert entries_on(MARCH)[201] == ("listed", 2200, 5, 20, 30, False, False, date(2026, 3, 1), K20)


@pytest.mark.database
def test_older_list_creates_players_but_changes_none(tmp_path: Path) -> None:
    new = written(tmp_path / "new.txt", text_list(Listed(201, "Present, Name", rapid=(2000, 0, 20))))
    old = written(
        tmp_path / "old.txt",
        text_list(Listed(201, "Former, Name", rapid=(1990, 0, 20)), Listed(202, "Other, One")),
    )
    make.run("import_fide_list", new, "--date", FEBRUARY)
    result = make.run("import_fide_list", old, "--date", JANUARY)
    assert result["players"] == {"read": 2, "created": 1, "changed": 0}
    assert result["notices"] == [SENTENCES.state("later-imported")]
    assert list(Player.objects.order_by("pk").values_list("name", flat=True)) == [
        "Present, Name",
        "Other, One",
    ]
    entry = ListEntry.objects.get(rating_list__date=JANUARY, rating_list__kind="rapid")
    assert entry.name == "Former, Name"


@pytest.mark.database
def test_7_2_a_rating_that_is_imported_empties_the_pool(tmp_path: Path) -> None:
    make.first_list(FIRST)
    make.first_list({}, kind="blitz")
    make.submit(Event(PLAYERS, ALL_PLAY[:3]))
    publish(FEBRUARY)
    assert PoolEvent.objects.filter(player=1006, closed_by=None).count() == 1
    content = text_list(Listed(1006, "Player, P1006", blitz=(1800, 5, 40)))
    make.run(
        "import_fide_list",
        written(tmp_path / "blitz.txt", content),
        "--date",
        MARCH,
        "--kind",
        "blitz",
        "--adopt",
        "x",
    )
    assert PoolEvent.objects.filter(player=1006, closed_by=None).count() == 1
    content = text_list(Listed(1006, "Player, P1006", rapid=(1800, 5, 40)))
    adopted = ["--kind", "rapid", "--adopt", "FIDE's list is right"]
    make.run("import_fide_list", written(tmp_path / "rapid.txt", content), "--date", MARCH, *adopted)
    assert PoolEvent.objects.get(player=1006).closed_by == RatingList.objects.get(kind="rapid", date=MARCH)


@pytest.fixture
def merged() -> None:
    """301 was merged into 302, and 302 into 303, which 301 leads to at once since then."""
    for fide_id in (303, 302, 301):
        Player.objects.create(fide_id=fide_id, name=f"Portal, P{fide_id}", federation_id="SUI", sex="F")
    Player.objects.filter(pk__in=[301, 302]).update(merged_into=303)


@pytest.mark.database
def test_rating_of_a_merged_player_goes_to_the_successor(merged: None, tmp_path: Path) -> None:
    content = text_list(Listed(301, rapid=(1900, 0, 20)), Listed(302), Listed(304))
    result = make.run("import_fide_list", written(tmp_path / "list.txt", content), "--date", JANUARY)
    assert result["notices"] == [SENTENCES.state("merged-rated", merged=301, successor=303)]
    assert result["players"] == {"read": 3, "created": 1, "changed": 0}
    entry = ListEntry.objects.get()
    assert (entry.player_id, entry.name, entry.sex, entry.rating) == (303, "Portal, P303", "F", 1900)
    assert Player.objects.get(pk=301).name == "Portal, P301"


def test_merged_player_beside_the_successor_is_skipped(merged: None, tmp_path: Path) -> None:
    players = (
        Listed(301, rapid=(1900, 0, 20)),
        Listed(302, rapid=(1890, 0, 20)),
        Listed(303, rapid=(1880, 0, 20)),
    )
    result = make.run(
        "import_fide_list", written(tmp_path / "list.txt", text_list(*players)), "--date", JANUARY
    )
    assert result["notices"] == [
        SENTENCES.state("merged-skipped", merged=merged_id, successor=303) for merged_id in (301, 302)
    ]
    assert list(ListEntry.objects.values_list("player", "rating")) == [(303, 1880)]
