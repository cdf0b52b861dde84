"""Lines whose fields are not in their columns: one finding, and a proposal that restores each field."""

from __future__ import annotations

import unicodedata

import pytest

from tests.tournaments.trf.reports import BASE, player
from tournaments.trf import check_report, read_report
from tournaments.trf.columns import ruler
from tournaments.trf.shift import Aligner
from tournaments.trf.tables import COLUMNS, PLAYER

LINE = player(3)
NAME = LINE[14:47]


def put_in(at: int, text: str, line: str = LINE) -> str:
    """Return a line with characters more before a column, counted from 1."""
    return line[: at - 1] + text + line[at - 1 :]


def taken_out(at: int, number: int, line: str = LINE) -> str:
    """Return a line with blanks less from a column on, counted from 1."""
    assert not line[at - 1 : at - 1 + number].strip()
    return line[: at - 1] + line[at - 1 + number :]


def named(name: str, width: int) -> str:
    """Return the line with a name in so many columns."""
    return LINE[:14] + name.ljust(width) + LINE[47:]


# The line as it came, and the column of the table from which on it is shifted and by how much; to the right positive.
SHIFTED = {
    "a blank more before the number": (put_in(5, " "), 5, 1),
    "a blank less before the number": (taken_out(4, 1), 5, -1),
    "a blank more before the name": (put_in(15, " "), 15, 1),
    "two blanks more before the rating": (put_in(48, "  "), 49, 2),
    "three blanks less before the rating": (taken_out(44, 3), 49, -3),
    "twelve blanks less before the rating": (taken_out(34, 12), 49, -12),
    "a blank more before the federation": (put_in(54, " "), 54, 1),
    "a blank less before the FIDE ID": (taken_out(57, 1), 58, -1),
    "three blanks less before the FIDE ID": (taken_out(58, 3), 58, -3),
    "no blank before the federation": (taken_out(53, 1), 54, -1),
    "a blank more before the birth": (put_in(70, " "), 70, 1),
    "no blank before the birth": (taken_out(69, 1), 70, -1),
    "a blank more before the points": (put_in(80, " "), 81, 1),
    "two blanks less before the rank": (taken_out(86, 2), 86, -2),
    "a blank more before the first round": (put_in(91, " "), 92, 1),
    "a blank less before the first round": (taken_out(91, 1), 92, -1),
    "a blank more before the second round": (put_in(101, " "), 102, 1),
    "two blanks less before the third round": (taken_out(110, 2), 112, -2),
}


# Lines as they come from an editor or a program, and which of the fields has changed; each comes back whole.
LONGER = "Wolfeschlegelsteinhausenbergerdorff-Schwarzenberg, Hubertus Maximilian"
EDITED = {
    "a blank in the first cell before the colour": put_in(97, " "),
    "a blank in the first cell before the result": put_in(99, " "),
    "two blanks in the second cell before the colour": put_in(107, "  "),
    "three blanks in the second cell before the result": put_in(109, "   "),
    "a blank in the last cell before the result": put_in(118, " "),
    "no blank in the first cell before the colour": taken_out(96, 1),
    "no blank in the second cell before the result": taken_out(108, 1),
    "a blank in two cells": put_in(97, " ", put_in(107, " ")),
    "a blank in a cell and one less after it": taken_out(101, 1, put_in(97, " ")),
    "a blank in a cell and one before the rating": put_in(97, " ", put_in(48, " ")),
    "two blanks less before the second round": taken_out(101, 2),
    "a blank in the FIDE ID": put_in(64, " "),
    "a blank in the rating": put_in(51, " "),
    "a blank in the date of birth": put_in(75, " "),
    "a blank in the points": put_in(83, " "),
    "a blank in the federation": put_in(55, " "),
    "a blank in the name": put_in(23, " "),
    "two blanks less before the name": taken_out(11, 2),
    "two blanks less before the points": taken_out(80, 2),
    "three blanks less before the number": taken_out(5, 3),
    "a name padded to 60 columns": named("Drossel, Emil", 60),
    "a name padded to 80 columns": named("Drossel, Emil", 80),
    "a name 30 columns to the right": put_in(14, " " * 30),
    "everything after the tag 25 columns to the right": put_in(4, " " * 25),
}


@pytest.mark.parametrize("name", SHIFTED)
def test_a_shifted_line_has_one_finding_and_each_field_comes_back(name: str) -> None:
    line, column, by = SHIFTED[name]
    report = read_report(BASE.replace(LINE, line))
    (finding,) = check_report(report)
    direction = "to the right" if by > 0 else "to the left"
    assert (finding.code, finding.line, finding.fix) == ("shifted-columns", 15, LINE)
    assert finding.params == {
        "column": column,
        "by": abs(by),
        "direction": direction,
        "name": "Drossel, Emil",
    }
    assert report.players == read_report(BASE).players


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Wickramasinghe-Fernandopulle, Tharindu", "Wickramasinghe-Fernandopulle, Tha"),
        ("Bartholomew-Featherstonehaugh, Maximilian A", "Bartholomew-Featherstonehaugh, Ma"),
        ("Drossel, Emil with a very long name", "Drossel, Emil with a very long na"),
    ],
)
def test_a_name_that_is_too_long_is_cut_and_no_number_with_it(name: str, kept: str) -> None:
    for after in ("", " "):
        line = LINE[:14] + name + after + LINE[48 - len(after) :] if after else LINE[:14] + name + LINE[48:]
        (finding,) = check_report(read_report(BASE.replace(LINE, line)))
        assert (finding.code, finding.fix) == ("shifted-columns", LINE[:14] + kept.ljust(33) + LINE[47:])


@pytest.mark.parametrize("name", ["王皓", "Ďurišová, Łucja", "Эльстер, Фриц", "余泱漪"])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_a_name_padded_by_its_bytes_is_one_finding(name: str, encoding: str) -> None:
    line = named(name, 33 - len(name.encode(encoding)) + len(name))
    if line == named(name, 33):
        pytest.skip("as many bytes as letters")
    (finding,) = check_report(read_report(BASE.replace(LINE, line)))
    assert (finding.code, finding.fix) == ("shifted-columns", named(name, 33))


@pytest.mark.parametrize("name", EDITED)
def test_a_line_edited_in_a_field_or_a_round_has_one_finding_and_comes_back(name: str) -> None:
    report = read_report(BASE.replace(LINE, EDITED[name]))
    (finding,) = check_report(report)
    assert (finding.code, finding.line, finding.fix) == ("shifted-columns", 15, LINE)
    assert report.players == read_report(BASE).players


@pytest.mark.parametrize("after", ["", " ", "  "])
def test_a_name_of_twice_the_columns_is_cut_and_no_number_with_it(after: str) -> None:
    (finding,) = check_report(read_report(BASE.replace(LINE, LINE[:14] + LONGER + after + LINE[48:])))
    assert (finding.code, finding.fix) == ("shifted-columns", LINE[:14] + LONGER[:33] + LINE[47:])


@pytest.mark.parametrize("name", ["王皓", "金秀賢", "まさお", "Эльстер, Фриц", "Ďurišová, Łucja"])
def test_a_name_padded_by_display_width_is_one_finding(name: str) -> None:
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in name)
    combined = unicodedata.normalize("NFD", name)
    line = named(name, 33 - wide) if wide else named(combined, 33 + len(combined) - len(name))
    if line == named(name, 33):
        pytest.skip("as wide as it has letters")
    (finding,) = check_report(read_report(BASE.replace(LINE, line)))
    assert finding.code == "shifted-columns"
    assert read_report(BASE.replace(LINE, finding.fix)).players[2]._replace(name="") == (
        read_report(BASE).players[2]._replace(name="")
    )


def test_two_shifts_of_a_line_are_one_finding() -> None:
    line = put_in(102, " ", taken_out(44, 3))
    report = read_report(BASE.replace(LINE, line))
    (finding,) = check_report(report)
    assert (finding.code, finding.fix) == ("shifted-columns", LINE)
    assert report.players == read_report(BASE).players


def test_a_shift_beside_a_wrong_field_leaves_the_wrong_field() -> None:
    line = put_in(54, " ", LINE.replace("2001/12/31", "2001/13/31"))
    findings = check_report(read_report(BASE.replace(LINE, line)))
    assert [(item.code, item.column) for item in findings] == [
        ("shifted-columns", 54),
        ("birth-unreadable", 70),
    ]


@pytest.mark.parametrize(
    "line",
    [
        LINE.replace("1700", "17OO"),
        LINE.replace("1300032", "13000x2"),
        LINE.replace("  1 w 0", "  1xw 0"),
        "001 BOARD;ROUND;WHITE;BLACK",
        "001 " + "lorem ipsum " * 9,
    ],
)
def test_what_no_shift_explains_is_no_shift(line: str) -> None:
    assert "shifted-columns" not in {
        item.code for item in check_report(read_report(BASE.replace(LINE, line)))
    }


def test_a_shift_in_each_line_of_a_file_is_found_in_each() -> None:
    text = "\n".join(put_in(54, " ", line) if line.startswith("001") else line for line in BASE.splitlines())
    findings = check_report(read_report(text))
    assert [(item.code, item.params["column"]) for item in findings] == [("shifted-columns", 54)] * 4


def test_the_ruler_shows_the_columns_of_the_table() -> None:
    numbers, labels, ticks = ruler([COLUMNS[name] for name in ("rating", "federation", "fide_id")])
    assert (numbers[48:], labels[48:], ticks[48:]) == (
        "49   54  58         ",
        "Rtg  Fed FIDE ID    ",
        "├──┤ ├─┤ ├─────────┤",
    )


def test_the_table_reads_and_writes_the_same_line() -> None:
    row = PLAYER.loads(LINE)
    assert (row["number"], row["fide_id"], PLAYER.dumps("001", row.values)) == (3, 1300032, LINE)


FIVE_ROUNDS = LINE + "     5 w 1     6 b 0"


@pytest.mark.parametrize("blanks", [1, 2, 3])
def test_rounds_are_moved_back_and_no_round_is_skipped(blanks: int) -> None:
    shifted = FIVE_ROUNDS[:90] + " " * blanks + FIVE_ROUNDS[90:]

    found = Aligner(PLAYER).shift_of(shifted)

    assert found is not None
    assert (found.line, found.column, found.by) == (FIVE_ROUNDS, 92, blanks)


@pytest.mark.parametrize("blanks", [1, 2])
def test_a_proposal_has_every_letter_and_number_of_the_line(blanks: int) -> None:
    places = [at for at in range(4, len(FIVE_ROUNDS)) if not FIVE_ROUNDS[at : at + blanks].strip()]
    lines = [FIVE_ROUNDS[:at] + FIVE_ROUNDS[at + blanks :] for at in places]

    found = [(line, shift.line) for line in lines if (shift := Aligner(PLAYER).shift_of(line))]

    assert len(found) > len(lines) / 2
    assert [line for line, written in found if "".join(line.split()) != "".join(written.split())] == []
