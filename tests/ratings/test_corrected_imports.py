"""FIDE's corrected list for a month in use becomes corrections, which the next list takes (D-125)."""

from __future__ import annotations

from typing import Any

import pytest

from ratings.models import Calculation, Correction, CorrectionLine, ListEntry, RatingList
from ratings.verify.verify import verify_list
from tests import make
from tests.ratings.alphaville import PLAYERS, publish
from tests.ratings.list_files import Listed, text_list
from tests.tools.verifier import assert_verified
from tests.trf_files import Event

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

RATINGS = {1001: 2000, 1002: 1900, 1003: 1800, 1004: 1700, 1005: 1600}
OTHERS = {1001: 2000, 1002: 1900}
JANUARY, FEBRUARY, MARCH = "2026-01-01", "2026-02-01", "2026-03-01"


def corrected(ratings: dict[int, int | None], *options: str) -> Any:
    listed = [
        Listed(key, f"Player, P{key}", rapid=(rating, 0, 20))
        for key, rating in (RATINGS | ratings).items()
        if rating
    ]
    return make.run("import_fide_list", text_list(*listed), "--date", JANUARY, "--kind", "rapid", *options)


@pytest.fixture
def february() -> None:
    """1003 of 1800 draws with 1002 of 1900 in January: PD .36, K 20, so 2.80 points, 1803 and 1897."""
    make.first_list(RATINGS | {1006: None})
    make.submit(Event([PLAYERS[1], PLAYERS[2]], [[(1, 2, "1/2")]]))
    publish(FEBRUARY)


def listed(on: str) -> dict[int, int | None]:
    entries = ListEntry.objects.filter(rating_list__kind="rapid", rating_list__date=on).listed()
    return dict(entries.values_list("player", "rating"))


def test_d_125_differences_are_shown_first_and_go_into_the_next_list(february: None) -> None:
    before = listed(JANUARY)
    with pytest.raises(make.RefusedCommandError, match="list-incomplete-D-125"):
        corrected(dict.fromkeys((1001, 1002, 1003)))
    shown = corrected({1003: 1830, 1005: None, 1006: 1500}, "--dry-run")
    assert not Correction.objects.exists()
    done = corrected({1003: 1830, 1005: None, 1006: 1500})
    assert done["notices"] == shown["notices"]
    assert {line.player_id: line.kind for line in CorrectionLine.objects.all()} == {
        1003: "change",
        1005: "lost",
        1006: "initial",
    }
    publish(MARCH)
    assert listed(JANUARY) == before
    assert listed(MARCH) == {1001: 2000, 1002: 1897, 1003: 1833, 1004: 1700, 1006: 1500}
    calculation = Calculation.objects.get(player=1003, rating_list__date=MARCH)
    assert (calculation.correction_hundredths, calculation.result) == (3000, "correction-D-11")
    assert_verified()


def test_d_125_second_correction_takes_only_the_rest(february: None) -> None:
    corrected({1003: 1830})
    corrected({1003: 1830})
    assert CorrectionLine.objects.count() == 1
    publish(MARCH)
    corrected({1003: 1790})
    publish("2026-04-01")
    assert listed("2026-04-01")[1003] == 1793


def standard(ratings: dict[int, int], *options: str) -> Any:
    players = [Listed(key, f"Player, P{key}", standard=(rating, 0, 20)) for key, rating in ratings.items()]
    return make.run(
        "import_fide_list", text_list(*players), "--date", JANUARY, "--kind", "standard", *options
    )


def play(day: str, *opponents: int) -> None:
    """1006 loses to these players."""
    people = [PLAYERS[5], *(PLAYERS[key - 1001] for key in opponents)]
    rounds = [[(1, number, "0-1")] for number in range(2, len(people) + 1)]
    event = Event(people, rounds, name=f"Open of {day}", start=day, end=day)
    make.submit(event, registered="2026-01-01", submitted=day.replace("/", "-"))


def rated_by_standard() -> None:
    """1006 has no rating but the standard one of 1600, and loses to 1004."""
    make.first_list(RATINGS | {1006: None})
    standard({1006: 1600, **OTHERS})
    play("2026/01/10", 1004)


def test_d_125_corrected_standard_list_changes_who_is_rated_by_it() -> None:
    """1006 of 1600 loses to 1700: D 100, PD .36, K 40, so 14.40 points, 1586; of 1700: PD .50, 20, 1680.

    1700 wins .64 against 1600, K 20, 7.20 points, and by the correction 10: 1707, and 2.80 points more.
    """
    rated_by_standard()
    publish(FEBRUARY)
    assert (listed(FEBRUARY)[1006], listed(FEBRUARY)[1004]) == (1586, 1707)
    entries = list(ListEntry.objects.filter(rating_list__kind="standard").order_by("pk").values_list())
    shown = standard({1006: 1700, **OTHERS}, "--dry-run")
    assert not Correction.objects.exists()
    done = standard({1006: 1700, **OTHERS})
    assert (done["notices"], done["lists"]) == (shown["notices"], shown["lists"])
    fields = Correction.objects.get(player=1006).fields.values()
    assert [one.field for one in fields if one.before != one.after] == ["listed_rating"]
    lines = {line.player_id: line for line in CorrectionLine.objects.all()}
    assert (lines[1006].kind, lines[1006].difference_hundredths) == ("initial", 9440)
    assert (lines[1004].kind, lines[1004].difference_hundredths) == ("change", 280)
    publish(MARCH)
    assert (listed(MARCH)[1006], listed(MARCH)[1004]) == (1680, 1710)
    assert (
        list(ListEntry.objects.filter(rating_list__kind="standard").order_by("pk").values_list()) == entries
    )
    assert_verified()
    standard({1006: 1700, **OTHERS})
    assert not CorrectionLine.objects.filter(taken_by=None).exists()


def test_d_125_player_who_leaves_the_standard_list_has_progress_to_an_initial_rating() -> None:
    rated_by_standard()
    publish(FEBRUARY)
    standard(OTHERS)
    publish(MARCH)
    assert 1006 not in listed(MARCH)
    assert listed(MARCH)[1004] == 1700


def test_d_125_waiting_report_is_rated_by_the_corrected_standard_list() -> None:
    rated_by_standard()
    standard({1006: 1700, **OTHERS})
    assert not CorrectionLine.objects.exists()
    publish(FEBRUARY)
    assert (listed(FEBRUARY)[1006], listed(FEBRUARY)[1004]) == (1680, 1710)
    assert_verified()


def test_d_77_losses_that_were_disregarded_count_with_a_late_standard_rating() -> None:
    """A first event without points is no event (7.2.2). With 1600: .36 and .24, K 40, so 24 points."""
    make.first_list(RATINGS | {1006: None})
    play("2026/01/10", 1004, 1003)
    publish(FEBRUARY)
    standard({1006: 1600, **OTHERS})
    assert CorrectionLine.objects.get(player=1006).kind == "initial"
    publish(MARCH)
    entry = ListEntry.objects.get(player=1006, rating_list__kind="rapid", rating_list__date=MARCH)
    assert (entry.rating, entry.completed_games) == (1576, 2)
    assert verify_list(RatingList.objects.get(kind="rapid", date=MARCH)) is None
