"""A report written as TRF26: the same players and games, and the records that TRF26 has for what others extended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.trf.examples.event import TEAM_LISTS
from tests.tournaments.trf.reports import BASE, added, changed, without
from tests.tournaments.trf.test_real_files import CONTENTS
from tournaments.trf import check_report, parse_222, read_report, write_trf16, write_trf26


def written(text: str) -> list[str]:
    """Return the lines of a report written as TRF26."""
    return write_trf26(read_report(text)).splitlines()


def test_a_report_of_trf16_gains_number_of_rounds_and_encoded_time_control() -> None:
    assert set(written(BASE)) - set(BASE.splitlines()) == {"142 3", "222 900+10"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("XXR 3", "142 3"),
        ("142 3", "142 3"),
        ("XXC white1", "152 W"),
        ("XXC rank", "XXC rank"),
        ("XXZ 2 4", "240 Z   4    2    4"),
        ("XXP 1 3", "260   1   3    1    3"),
        ("XXS WW=3.0", "XXS WW=3.0"),
        ("# made by hand", "### made by hand"),
        ("### made by hand", "### made by hand"),
    ],
)
def test_an_extension_becomes_the_record_of_trf26(line: str, expected: str) -> None:
    lines = written(added(line))
    assert [item for item in lines if item in (line, expected)] == [expected]


def test_teams_of_013_are_written_as_310() -> None:
    assert [line for line in written(added(*TEAM_LISTS)) if line[:3] in ("013", "310")] == [
        f"310   1 {'Finches':65}   1    2",
        f"310   2 {'Thrushes':65}   3    4",
    ]


def test_a_report_of_trf26_is_trf16_again() -> None:
    modern = read_report(write_trf26(read_report(added(*TEAM_LISTS, "XXZ 2 4"))))
    assert write_trf16(modern).splitlines() == [line.rstrip() for line in added(*TEAM_LISTS).splitlines()]


def test_rounds_of_one_day_are_dated() -> None:
    report = changed(("052 2026/01/11", "052 2026/01/10"), of=without("132"))
    assert [line.split() for line in written(report) if line.startswith("132")] == [
        ["132", *["26/01/10"] * 3]
    ]


@pytest.mark.parametrize("text", ["5+3 delay", "as long as it takes"])
def test_a_time_control_that_222_cannot_tell_is_not_written(text: str) -> None:
    assert not any(line.startswith("222") for line in written(changed(("122 15+10", f"122 {text}"))))


@pytest.mark.parametrize(
    "text", ["15+10", "40/6000+30:900+30", "White 5+0, Black 4+0", "90 min/40 moves + 30 min + 30 sec/move"]
)
def test_an_encoded_time_control_is_read_as_the_same_time(text: str) -> None:
    report = read_report(write_trf26(read_report(changed(("122 15+10", f"122 {text}")))))
    assert "time-controls-differ" not in {finding.code for finding in check_report(report)}
    assert parse_222(report.encoded_time_control or "") is not None


@pytest.mark.parametrize("name", CONTENTS)
def test_a_real_file_as_trf26_has_its_players_and_games(real_data: Path, name: str) -> None:
    report = read_report((real_data / "trf" / name).read_bytes())
    modern = read_report(write_trf26(report))
    facts = (report.players, list(report.games), list(report.unplayed()), report.name, report.start)
    assert facts == (modern.players, list(modern.games), list(modern.unplayed()), modern.name, modern.start)
    assert write_trf26(modern) == write_trf26(report)
    old = read_report(write_trf16(modern))
    assert facts[:3] == (old.players, list(old.games), list(old.unplayed()))
