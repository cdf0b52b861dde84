"""Real reports of real programs, read where they lie (REAL_DATA_DIR)."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tournaments.trf import read_report, write_report

# File: players, rounds announced or played, pairings, games over the board, first and last day.
CONTENTS = {
    "bbp_issue_7.trf": (60, 15, 420, 395, None, None),
    "crete_friendship_cup_2024_rapid_team.trf": (129, 7, 282, 280, date(2024, 11, 23), date(2024, 11, 24)),
    "gros_open_2010_javafo_crlf.trf": (52, 9, 93, 89, date(2010, 9, 24), date(2010, 10, 2)),
    "icu_bunratty_masters_2011.tab": (34, 6, 97, 97, date(2011, 2, 25), date(2011, 2, 27)),
    "icu_latin-1.tab": (3, 3, 3, 3, date(2008, 6, 7), None),
    "karl_mala_2005_fide_example1.trf": (284, 7, 980, 970, date(2005, 7, 28), date(2005, 7, 31)),
    "lichess_blitz_swiss_2020_06.trf": (13, 10, 56, 56, date(2020, 5, 29), date(2020, 5, 29)),
    "san_viator_2018_vega.trf": (137, 7, 411, 396, date(2018, 4, 8), date(2018, 6, 10)),
    "tec_grandmommyscup_trf26_team.trf": (249, 14, 1030, 1030, date(2024, 12, 1), date(2024, 12, 14)),
    "us_championship_2025_reconstructed.trf": (12, 11, 66, 66, date(2025, 10, 12), date(2025, 10, 24)),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_real_file_is_read_whole(real_data: Path, name: str) -> None:
    report = read_report((real_data / "trf" / name).read_bytes())
    games = list(report.games)
    played = sum(game.played for game in games)
    assert CONTENTS[name] == (
        len(report.players),
        report.rounds,
        len(games),
        played,
        report.start,
        report.end,
    )


@pytest.mark.parametrize("name", CONTENTS)
def test_a_real_file_reads_back_equal(real_data: Path, name: str) -> None:
    report = read_report((real_data / "trf" / name).read_bytes())
    written = write_report(report)
    assert (read_report(written), write_report(read_report(written))) == (report, written)


@pytest.mark.parametrize("name", CONTENTS)
def test_every_round_of_a_real_file_is_in_one_pairing_or_none(real_data: Path, name: str) -> None:
    report = read_report((real_data / "trf" / name).read_bytes())
    places = [(game.round, number) for game in report.games for number in (game.white, game.black)]
    places += [(alone.round, alone.player) for alone in report.unplayed()]
    expected = [
        (index, player.number) for player in report.players for index in range(1, report.rounds_played + 1)
    ]
    assert sorted(places) == sorted(expected)


def test_all_real_files_are_known(real_data: Path) -> None:
    assert {path.name for path in (real_data / "trf").iterdir()} == set(CONTENTS)
