"""FIDE's own files (REAL_DATA_DIR): every record comes in, none is changed on the way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from players.models import Player
from ratings.models import ListEntry, RatingList
from tests.ratings.services.alphaville import RefusedCommandError

pytestmark = pytest.mark.django_db
Run = Callable[..., Any]


def test_combined_list_of_2018_comes_in(real_data: Path, run: Run) -> None:
    path = real_data / "lists" / "players_list_foa_2018-12_first1000.txt"
    result = run("import_fide_list", str(path), "--date", "2018-12-01")
    assert (result["players"]["read"], result["problem_count"]) == (999, 0)
    assert Player.objects.count() == 999
    assert [item["listed"] for item in result["lists"]] == [
        ListEntry.objects.filter(rating_list__kind=item["kind"]).count() for item in result["lists"]
    ]
    assert set(RatingList.objects.values_list("rules", flat=True)) == {""}


def test_federation_download_is_refused(real_data: Path, run: Run) -> None:
    path = real_data / "lists" / "icu_federation_player_file_sample.xml"
    with pytest.raises(RefusedCommandError) as refused:
        run("import_fide_list", str(path), "--date", "2026-01-01")
    (reason,) = refused.value.args[0]["reasons"]
    assert "player download of a federation" in reason
    assert Player.objects.count() == 0


def test_one_kind_of_a_list_of_2012_comes_in(real_data: Path, run: Run) -> None:
    path = real_data / "lists" / "icu_players_list_sample_2012.xml"
    result = run("import_fide_list", str(path), "--date", "2012-11-01", "--kind", "standard")
    assert result["problem_count"] == 0
    assert result["players"]["created"] == Player.objects.count() == result["players"]["read"]
