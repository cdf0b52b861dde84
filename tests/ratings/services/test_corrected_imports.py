"""FIDE's corrected list for a month in use becomes corrections, which the next list takes (D-125)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ratings.models import Calculation, Correction, CorrectionLine, ListEntry, RatingList
from ratings.services.verification.verify import verify_list
from tests.ratings.services.alphaville import PLAYERS, RefusedCommandError
from tests.ratings.services.list_files import Listed, text_list, written
from tests.tools import verifier
from tests.trf_files import Event

pytestmark = pytest.mark.page

RATINGS = {1001: 2000, 1002: 1900, 1003: 1800, 1004: 1700, 1005: 1600}
JANUARY, FEBRUARY, MARCH = "2026-01-01", "2026-02-01", "2026-03-01"


@pytest.fixture
def corrected(run: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Return a function that imports FIDE's list of January with other ratings; without one, a player is gone."""

    def call(ratings: dict[int, int | None], *options: str) -> Any:
        listed = [
            Listed(key, f"Player, P{key}", rapid=(rating, 0, 20))
            for key, rating in (RATINGS | ratings).items()
            if rating
        ]
        path = written(tmp_path / "list.txt", text_list(*listed))
        return run("import_fide_list", path, "--date", JANUARY, "--kind", "rapid", *options)

    return call


@pytest.fixture
def february(first_list: Callable[..., Any], submit: Callable[..., Any], run: Callable[..., Any]) -> None:
    """1003 of 1800 draws with 1002 of 1900 in January: PD .36, K 20, so 2.80 points, 1803 and 1897."""
    first_list(RATINGS | {1006: None})
    first_list({}, kind="blitz")
    submit(Event([PLAYERS[1], PLAYERS[2]], [[(1, 2, "1/2")]]))
    run("publish_lists", FEBRUARY)


def listed(on: str) -> dict[int, int | None]:
    entries = ListEntry.objects.filter(rating_list__kind="rapid", rating_list__date=on).listed()
    return dict(entries.values_list("player", "rating"))


def test_d_125_differences_are_shown_first_and_go_into_the_next_list(
    february: None, corrected: Callable[..., Any], run: Callable[..., Any], tmp_path: Path
) -> None:
    before = listed(JANUARY)
    shown = corrected({1003: 1830, 1005: None, 1006: 1500}, "--dry-run")
    assert not Correction.objects.exists()
    done = corrected({1003: 1830, 1005: None, 1006: 1500})
    assert done["notices"] == shown["notices"]
    assert {line.player_id: line.kind for line in CorrectionLine.objects.all()} == {
        1003: "change",
        1005: "lost",
        1006: "initial",
    }
    run("publish_lists", MARCH)
    assert listed(JANUARY) == before
    assert listed(MARCH) == {1001: 2000, 1002: 1897, 1003: 1833, 1004: 1700, 1006: 1500}
    calculation = Calculation.objects.get(player=1003, rating_list__date=MARCH)
    assert (calculation.correction_hundredths, calculation.result) == (3000, "correction-D-11")
    for rating_list in RatingList.objects.filter(origin="published"):
        assert verify_list(rating_list) is None
    march = RatingList.objects.get(kind="rapid", date=MARCH)
    assert verifier.run(verifier.download(march, tmp_path)) == 0


def test_d_125_second_correction_takes_only_the_rest(
    february: None, corrected: Callable[..., Any], run: Callable[..., Any]
) -> None:
    corrected({1003: 1830})
    corrected({1003: 1830})
    assert CorrectionLine.objects.count() == 1
    run("publish_lists", MARCH)
    corrected({1003: 1790})
    run("publish_lists", "2026-04-01")
    assert listed("2026-04-01")[1003] == 1793


def test_d_125_incomplete_file_is_refused(february: None, corrected: Callable[..., Any]) -> None:
    with pytest.raises(RefusedCommandError, match="list-incomplete-D-125"):
        corrected(dict.fromkeys((1001, 1002, 1003)))
    assert not Correction.objects.exists()
