"""Records beside header and players: each is read into values and written as it was."""

from __future__ import annotations

import pytest

from tests.tournaments.trf.reports import added, changed
from tournaments.trf import check_report, read_report, write_report
from tournaments.trf.fields import FieldError, in_ranges
from tournaments.trf.tables import loads, row

RECORDS = {
    "013 Finches                            1    2   15": row("013", "Finches", (1, 2, 15)),
    "142 9": row("142", 9),
    "152 W": row("152", " W"),
    "162  W 3.0    D 1.0    L 0.0": row("162", (("W", 6), ("D", 2), ("L", 0))),
    "172 IND FIDE": row("172", "IND", "FIDE"),
    "182 a program": row("182", " a program"),
    "192 FIDE_DUTCH_2025": row("192", " FIDE_DUTCH_2025"),
    "202 EDET/P,BH:MP/C1/P": row("202", " EDET/P,BH:MP/C1/P"),
    "212 PTS,EDET/P": row("212", " PTS,EDET/P"),
    "240 H   1    7   39": row("240", "H", 1, (7, 39)),
    "250  2.0  1.0   1   3    1   25": row("250", 4, 2, 1, 3, 1, 25),
    "260   1   3    1    2    3": row("260", 1, 3, (1, 2, 3)),
    "299 W   2.0   1.0    3    4   17": row("299", "W", 4, 2, 3, (4, 17)),
    "300   1  16   4  242    0   17": row("300", 1, 16, 4, (242, 0, 17)),
    "310   1 Finches                          FIN     1850    2.0    4.5   1     1    2": row(
        "310", 1, "Finches", "FIN", "1850", 4, 9, 1, (1, 2)
    ),
    "320  1.0  2.0  12   0   7": row("320", 2, 4, (12, 0, 7)),
    "330 +-   1   5  18": row("330", "+-", 1, 5, 18),
    "352 WBWB": row("352", " WBWB"),
    "362 TW 2.0   TD 1.0   TL 0.0": row("362", (("TW", 4), ("TD", 2), ("TL", 0))),
    "801   1 Finches  2.0": row("801", "   1 Finches  2.0"),
    "802   1 Finches  2.0": row("802", "   1 Finches  2.0"),
    "XXR 9": row("XXR", 9),
    "XXC white1": row("XXC", " white1"),
    "XXZ 3 14": row("XXZ", (3, 14)),
    "XXP 3 14": row("XXP", (3, 14)),
    "XXA    3  1.0  0.5": row("XXA", 3, (2, 1)),
    "BBD  0.5": row("BBD", 1),
    "DAT    1 ONLINE yes": row("DAT", "    1 ONLINE yes"),
    "IND    5   GM Amsel, Berta                      2579 GA  70500020002 1991/04/17": row(
        "IND", 5, "", "GM", "Amsel, Berta", 2579, "GA", "70500020002", "1991/04/17"
    ),
}
UNREADABLE = [
    "013 Finches                            x",
    "142 many",
    "162  W x.0",
    "172 INDXFIDE",
    "240 Q   1    7",
    "240 H        7",
    "250  x",
    "260   x",
    "299 Q",
    "300   1        4",
    "310   x Finches",
    "320  x",
    "330 ++   1   5  18",
    "330 +-       5  18",
    "XXR -3",
    "XXZ 3 x",
    "XXS WW=x",
    "XXA    x",
    "BBD much",
    "IND    5   GM Amsel, Berta                     25x9",
    "IND    5  GM Amsel, Berta                      2579",
]


@pytest.mark.parametrize("line", RECORDS)
def test_a_record_is_read_and_written_as_it_was(line: str) -> None:
    assert (loads(line), loads(line).dumps()) == (RECORDS[line], line)


def test_scores_of_xxs_are_read_and_written() -> None:
    (record,) = read_report(added("XXS WW=1.0 BD=.5 PAB=0")).records
    assert record.dumps() == "XXS WW=1.0 BD=0.5 PAB=0.0"


@pytest.mark.parametrize("line", UNREADABLE)
def test_a_record_that_cannot_be_read_says_in_which_columns(line: str) -> None:
    with pytest.raises(FieldError) as error:
        loads(line)
    assert 4 < error.value.column <= max(len(line), 5)


@pytest.mark.parametrize("line", [*RECORDS, *UNREADABLE, "999 unknown", "### comment", "text"])
def test_a_report_with_the_record_reads_back_equal(line: str) -> None:
    report = read_report(added(line))
    written = write_report(report)
    assert (read_report(written), line in written.replace("\r\n", "\n")) == (report, True)


def test_teams_of_310_are_the_teams_where_there_are_both() -> None:
    lines = ("013 Finches                            1    2", f"310   1 {'Titmice':65}   3    4")
    assert [team["name"] for team in read_report(added(*lines)).teams] == ["Titmice"]


def test_scoring_of_the_record_is_used_for_the_points() -> None:
    points = (("2.5", "7.0"), ("1.5", "4.0"), ("1.0    3", "2.0    3"), ("1.0    4", "2.0    4"))
    three = changed(*points)
    assert check_report(read_report(added("162  W 3.0    D 1.0    L 0.0", of=three))) == ()


def test_team_as_sharly_chess_writes_it_is_read_one_column_to_the_right() -> None:
    line = f"013 {'India':32} {1:>4} {5:>4} {1015:>4}"

    assert loads(line) == row("013", "India", (1, 5, 1015))


@pytest.mark.parametrize(
    ("numbers", "text"), [((1, 2, 3), "1–3"), ((1, 2, 4, 5, 9), "1–2, 4–5, 9"), ((7,), "7"), ((), "")]
)
def test_rounds_are_named_in_ranges(numbers: tuple[int, ...], text: str) -> None:
    assert in_ranges(numbers) == text
