"""A published list beside FIDE's own of the same date: what differs, why it may, and what stays open."""

from __future__ import annotations

import csv
from collections.abc import Callable
from copy import deepcopy
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from players.models import Player
from ratings.comparison import LIKELY, compare_list
from ratings.export import export_bytes
from ratings.models import Comparison, ListEntry, RatingList
from tests import make
from tests.codes import refusal
from tests.shared import SharedRows

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
FEBRUARY, MARCH = date(2026, 2, 1), date(2026, 3, 1)


@pytest.fixture(scope="module")
def published(rows_of_module: SharedRows) -> RatingList:
    """Return a list on which 1900, 1700 and 1500 drew with each other; 1600 and 1650 did not play."""
    with rows_of_module():
        first = make.rating_list()
        players = [
            make.entry(rating_list=first, rating=rating, player__name=f"Player, Of {rating}").player
            for rating in (1900, 1700, 1500, 1600, 1650)
        ]
        make.play_and_rate(make.tournament(event_id="SUI-ONE"), players[:3], make.round_robin(3))
        return make.publish("rapid", FEBRUARY)


@pytest.fixture
def february(published: RatingList, db: None) -> RatingList:
    return deepcopy(published)


@pytest.fixture
def fides(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes FIDE's list of a date: the portal's with lines replaced, left out or added."""

    def write(rating_list: RatingList, *changes: tuple[str, str], name: str = "rapid.txt") -> Path:
        text = b"".join(export_bytes(rating_list, name.rpartition(".")[2])).decode()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write


def line_of(rating_list: RatingList, rating: int) -> str:
    """Return the line of a player of the TXT list, by the rating in the name."""
    text = b"".join(export_bytes(rating_list, "txt")).decode()
    return next(line for line in text.splitlines(keepends=True) if f"Of {rating}" in line)


def changed(line: str, start: int, value: str) -> tuple[str, str]:
    return line, line[:start] + value + line[start + len(value) :]


def test_published_calculations_of_a_real_event_are_equal(
    real_data: Path, fides: Callable[..., Path]
) -> None:
    """The US Championship 2025 as FIDE published it: ten players equal, two with games of another event there."""
    players, games = (rows_of(real_data, name) for name in ("players", "games"))
    first = make.rating_list(date=date(2025, 10, 1))
    people = {
        row["fide_id"]: make.entry(
            rating_list=first,
            rating=int(row["rating_list_2025_10"]),
            k_factor=int(row["K"]),
            player__fide_id=int(row["fide_id"]),
            player__name=f"Player of {row['fide_id']}",
        ).player
        for row in players
    }
    numbers = {fide_id: number for number, fide_id in enumerate(people, start=1)}
    results = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2"}
    pairings = [
        (
            int(row["round"]),
            numbers[row["white_fide_id"]],
            numbers[row["black_fide_id"]],
            results[row["result"]],
        )
        for row in games
    ]
    event = make.tournament(start=date(2025, 10, 12), end=date(2025, 10, 24))
    make.play_and_rate(event, list(people.values()), pairings)
    november = make.publish("rapid", date(2025, 11, 1))
    lines = [line for line in _lines(november) if line[:1].isdigit()]
    published = {row["fide_id"]: row for row in players}
    changes = [(line, _as_published(line, published[line[:15].strip()])) for line in lines]
    result = make.run("compare_list", "rapid", "2025-11-01", str(fides(november, *changes)))
    assert result["equal"] == 10
    assert {(row["fide_id"], row["field"], row["there"] - row["here"]) for row in result["different"]} == {
        (2020009, "rating", -2),
        (2020009, "games", 4),
        (13300474, "rating", 2),
        (13300474, "games", 4),
    }
    assert {row["reason"] for row in result["different"]} == {LIKELY.state("missing-here", games=4)}


@pytest.mark.parametrize("name", ["rapid.txt", "rapid.xml"])
def test_the_same_list_is_equal(name: str, february: RatingList, fides: Callable[..., Path]) -> None:
    result = make.run("compare_list", "rapid", "2026-02-01", str(fides(february, name=name)))
    assert result == {"equal": 5, "different": [], "only_here": [], "only_there": []}


# Where the line of a player begins to differ, what stands there in FIDE's list, the field and how the reason begins.
REASONS = [
    (1600, 76, "FRA", "federation", "Federation: a transfer"),
    (1600, 15, "Spelled", "name", "Name: a spelling"),
    (1600, 84, "CM", "title", "Title: a title"),
    (1600, 80, "F", "sex", "Sex: the recorded"),
    (1600, 126, "1979", "birth_year", "Year of birth"),
    (1600, 123, "40", "k", "K-factor: rated games"),
    (1600, 132, "i", "inactive", "Activity"),
    (1600, 113, "1601", "rating", "Rounding."),
    (1600, 113, "1650", "rating", "A result or an opponent's rating differs"),
    (1600, 119, "7", "games", "A tournament with 7 games is missing in the portal."),
    (1900, 119, "0", "games", "Tournaments missing at FIDE: SUI-ONE."),
]


@pytest.mark.parametrize(("rating", "start", "value", "field", "reason"), REASONS)
def test_likely_reason(
    rating: int,
    start: int,
    value: str,
    field: str,
    reason: str,
    february: RatingList,
    fides: Callable[..., Path],
) -> None:
    file = fides(february, changed(line_of(february, rating), start, value))
    result = make.run("compare_list", "rapid", "2026-02-01", str(file))
    (row,) = result["different"]
    assert set(row) == {"fide_id", "name", "field", "here", "there", "reason"}
    assert (row["field"], result["equal"]) == (field, 4)
    assert row["reason"].startswith(reason)


def test_change_by_another_k_is_told(february: RatingList, fides: Callable[..., Path]) -> None:
    entry = ListEntry.objects.get(rating_list=february, name="Player, Of 1900")
    double = 1900 + 2 * ((entry.rating or 0) - 1900)
    file = fides(february, changed(line_of(february, 1900), 113, str(double)))
    (row,) = make.run("compare_list", "rapid", "2026-02-01", str(file))["different"]
    assert row["reason"] == LIKELY.state("other-k")


def test_players_on_one_side_only(february: RatingList, fides: Callable[..., Path]) -> None:
    line = line_of(february, 1600)
    file = fides(february, (line, f"{'1999999':<15}" + line[15:]))
    result = make.run("compare_list", "rapid", "2026-02-01", str(file))
    (here,), (there,) = result["only_here"], result["only_there"]
    assert set(here) == {"fide_id", "name", "rating", "reason"}
    assert (here["name"], here["reason"][:16]) == ("Player, Of 1600", "Removed by FIDE:")
    assert (there["fide_id"], there["reason"][:12]) == (1_999_999, "New at FIDE:")


def test_open_differences_are_carried_on_until_they_are_settled(
    february: RatingList, fides: Callable[..., Path]
) -> None:
    rating = changed(line_of(february, 1600), 113, "1650")
    title = changed(line_of(february, 1650), 84, "CM")
    make.run("compare_list", "rapid", "2026-02-01", str(fides(february, rating, title)))
    march = make.publish("rapid", MARCH)
    file = fides(march, changed(line_of(march, 1600), 113, "1650"))
    (row,) = make.run("compare_list", "rapid", "2026-03-01", str(file))["different"]
    assert "2026-02-01" in row["reason"]
    assert LIKELY.state("other-result") in row["reason"]
    made = Comparison.objects.get(rating_list=march)
    assert [(row["since"], row["reason"]) for row in made.open_rows] == [
        ("2026-02-01", [{"code": "other-result"}])
    ]
    assert [(row["field"], row["there"]) for row in made.settled] == [("title", "CM")]


def test_comparison_writes_nothing_official(february: RatingList, fides: Callable[..., Path]) -> None:
    before = (list(ListEntry.objects.order_by("pk").values()), list(Player.objects.order_by("pk").values()))
    file = fides(february, changed(line_of(february, 1600), 113, "1650"))
    make.run("compare_list", "rapid", "2026-02-01", str(file))
    after = (list(ListEntry.objects.order_by("pk").values()), list(Player.objects.order_by("pk").values()))
    assert after == before


def test_refusals_are_named(february: RatingList, fides: Callable[..., Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html>", encoding="utf-8")
    for arguments, told in (
        (("rapid", "2026-05-01", str(fides(february))), "there is no rapid list of 2026-05-01"),
        (("rapid", "2026-01-01", str(fides(february))), "The rapid list of 1 January 2026 was imported"),
        (("rapid", "2026-02-01", str(page)), "page.html: "),
    ):
        with pytest.raises(make.RefusedCommandError) as refused:
            make.run("compare_list", *arguments)
        assert refused.value.args[0]["reasons"][0].startswith(told)
    assert not Comparison.objects.exists()
    with pytest.raises(CommandError) as wrong:
        call_command("compare_list", "rapid", "2026-02-01", str(tmp_path / "none.txt"))
    assert wrong.value.returncode == 2


def test_d_72_file_of_another_month_is_refused(february: RatingList, fides: Callable[..., Path]) -> None:
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("compare_list", "rapid", "2026-02-01", str(fides(make.publish("rapid", MARCH))))
    assert refused.value.args[0]["codes"] == ["heading-contradicts-D-72"]
    assert not Comparison.objects.exists()


def test_second_click_compares_once(february: RatingList, fides: Callable[..., Path]) -> None:
    staff = make.person("staff")
    file, other = (
        fides(february),
        fides(february, changed(line_of(february, 1600), 113, "1650"), name="other.txt"),
    )

    made = [
        compare_list(
            february, path, file_name="rapid.txt", by=staff, at=make.noon(FEBRUARY) + timedelta(seconds=after)
        ).pk
        for path, after in ((file, 0), (file, 2), (other, 3), (file, 60))
    ]

    assert (made[0], len({*made})) == (made[1], 3)


@pytest.mark.parametrize("role", ["officer", "qc"])
def test_others_than_staff_are_refused(role: str, february: RatingList, fides: Callable[..., Path]) -> None:
    user = make.person(role)
    with refusal() as refused:
        compare_list(february, fides(february), file_name="rapid.txt", by=user, at=make.noon(FEBRUARY))
    assert refused.found == ["staff-only"]


def rows_of(real_data: Path, name: str) -> list[dict[str, str]]:
    path = real_data / "calculations" / f"us_championship_2025_{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _lines(rating_list: RatingList) -> list[str]:
    return b"".join(export_bytes(rating_list, "txt")).decode().splitlines(keepends=True)


def _as_published(line: str, row: dict[str, str]) -> str:
    """Return a line of the list with the rating and the games that FIDE published."""
    return f"{line[:113]}{row['rating_list_2025_11']:<6}{row['games_list_2025_11']:<4}{line[123:]}"
