"""Spoiled and arbitrary files: nothing raises, nothing is lost in writing, no changed game is silent.

`TRF_MUTATIONS` is the number of mutations, 400 if not given.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.trf.mutations import mutated
from tests.tournaments.trf.reports import BASE, added, changed
from tests.tournaments.trf.tournament import tournament
from tournaments.trf import Pairing, Report, Severity, check_report, read_report, write_report, write_trf26

MUTATIONS = int(os.environ.get("TRF_MUTATIONS", "400"))
SOURCES = {
    "base": BASE.encode(),
    "carriage returns": BASE.replace("\n", "\r\n").encode(),
    "letters of two bytes": changed(("Elster, Fritz", "Élster, Frîtz")).encode(),
    "teams": added(
        "013 Finches                            1    2", "013 Thrushes                           3    4"
    ).encode(),
    "swiss": write_report(tournament(players=12, rounds=5)).encode(),
    "byes": changed(("3 b =", "0 - H"), ("4 w =     1", "0 - U     1"), ("1.0    3", "1.5    3")).encode(),
}
CHARACTERS = st.text(st.characters(codec="utf-8"), max_size=40)
TAGS = (
    "001 012 042 132 013 142 162 222 240 250 260 299 300 310 320 330 362 801 XXR XXA XXS XXP BBW DAT SUI ###"
)
LINE_STARTS = ["", " 001", *TAGS.split()]
COLUMNS = st.text(" 0123456789=+-wbWDLHFUZ/.:", max_size=130)


def rated_games(report: Report) -> list[tuple[Any, ...]]:
    """Return round, players and results; colours change no rating, and nothing contradicts a whole round of them."""
    return sorted(_as_rated(pairing) for pairing in report.games if pairing.played)


def _as_rated(game: Pairing) -> tuple[Any, ...]:
    lower, upper = sorted([(game.white, game.white_code), (game.black, game.black_code)])
    return game.round, *lower, *upper


def grave(report: Report) -> Counter[str]:
    return Counter(item.code for item in check_report(report) if item.severity != Severity.NOTICE)


def silent_mutations(data: bytes, seeds: range) -> list[int]:
    """Return the seeds of mutations that change the rated games without a new error or warning."""
    original = read_report(data)
    games, known = rated_games(original), grave(original)
    silent = []
    for seed in seeds:
        report = read_report(mutated(data, Random(seed)))
        if not grave(report) - known and rated_games(report) != games:
            silent.append(seed)
    return silent


@pytest.mark.slow
@pytest.mark.parametrize("name", SOURCES)
def test_a_mutation_that_changes_a_rated_game_is_not_silent(name: str) -> None:
    assert silent_mutations(SOURCES[name], range(MUTATIONS // len(SOURCES) + 1)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SOURCES)
def test_a_mutated_report_reads_back_equal(name: str) -> None:
    different = []
    for seed in range(MUTATIONS // len(SOURCES) // 5 + 1):
        report = read_report(mutated(SOURCES[name], Random(seed)))
        if read_report(write_report(report)) != report:
            different.append(seed)
    assert different == []


@pytest.mark.slow
def test_a_mutation_of_a_real_file_that_changes_a_rated_game_is_not_silent(real_data: Path) -> None:
    files = sorted((real_data / "trf").iterdir())
    seeds = range(min(40, MUTATIONS // 200))
    assert {file.name: silent_mutations(file.read_bytes(), seeds) for file in files} == {
        file.name: [] for file in files
    }


@given(st.binary(max_size=400))
def test_any_bytes_are_read_and_checked(data: bytes) -> None:
    report = read_report(data)
    assert read_report(write_report(report)) == report
    assert check_report(report) == tuple(check_report(read_report(data)))


@given(st.lists(st.builds(str.__add__, st.sampled_from(LINE_STARTS), CHARACTERS | COLUMNS), max_size=12))
def test_any_lines_read_back_equal(lines: list[str]) -> None:
    report = read_report("\n".join(lines))
    modern = write_trf26(report)
    assert read_report(write_report(report)) == report
    assert write_trf26(read_report(modern)) == modern


@given(st.integers(0, 2**32), st.text(" 0123456789=+-wbWDLHFUZ", min_size=1, max_size=12))
def test_any_text_in_a_player_line_reads_back_equal(seed: int, text: str) -> None:
    random = Random(seed)
    place = random.randrange(BASE.index("001 "), len(BASE))
    report = read_report(BASE[:place] + text + BASE[place + len(text) * random.randrange(2) :])
    assert read_report(write_report(report)) == report


@pytest.mark.parametrize(
    "line",
    [
        "001    1 " + " " * 60_000 + "x",
        "001" + "9" * 60_000,
        "042 " + "1 " * 30_000,
        "122 " + "40/90+" * 10_000,
        "122 " + "40 moves in " * 5_000,
        "122 1" + " " * 60_000 + "x",
        "042 1" + " " * 60_000 + "x",
        "132 1" + "." * 60_000,
        "XXR " + "9" * 60_000,
        "162 " + "9" * 60_000,
        "062 " + "9" * 60_000,
        "XXS W=" + "9" * 60_000,
        "222 " + "1:" * 30_000,
        " " * 60_000 + "1",
        "1234567890" * 6_000 + "x",
        "-" * 60_000 + "x",
    ],
)
@pytest.mark.slow
def test_a_hostile_line_costs_no_more_than_its_length(line: str) -> None:
    # One of three suffices: the others may have swept up memory.
    assert any(duration("\n".join([line] * 4)) < 8 * duration(line) + 0.5 for _ in range(3))


def duration(text: str) -> float:
    """Return the processor seconds of reading and checking."""
    started = process_time()
    check_report(read_report(BASE + text))
    return process_time() - started
