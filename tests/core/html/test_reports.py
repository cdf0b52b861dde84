from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.html.reports import (
    Columns,
    LineMark,
    MarkedDifference,
    MarkedLine,
    TextRun,
    difference,
    marked_lines,
)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_numbered_whatever_their_ends(end: str) -> None:
    text = f"012 Open{end}{end}042 2026/01/10{end}"
    assert marked_lines(text, []) == [
        MarkedLine(1, [TextRun("012 Open")]),
        MarkedLine(2, [TextRun("")]),
        MarkedLine(3, [TextRun("042 2026/01/10")]),
    ]


def test_mark_underlines_its_columns() -> None:
    (line,) = marked_lines("001   12 m", [LineMark(1, "error", column=7, length=2, number=3)])
    assert line == MarkedLine(1, [TextRun("001   "), TextRun("12", "error"), TextRun(" m")], "error", 3)


def test_mark_of_a_record_begins_with_its_text() -> None:
    (line,) = marked_lines("132      26/11/24", [LineMark(1, "error", column=4, length=14)])
    assert line.pieces == [TextRun("132      "), TextRun("26/11/24", "error")]


def test_mark_beyond_the_end_is_still_seen() -> None:
    (line,) = marked_lines("001", [LineMark(1, "warning", column=6, length=2)])
    assert line.pieces == [TextRun("001  "), TextRun("  ", "warning")]


def test_gravest_of_several_marks_decides() -> None:
    marks = [
        LineMark(1, "notice", column=1, length=3, number=1),
        LineMark(1, "error", column=2, length=1, number=2),
    ]
    (line,) = marked_lines("abcd", marks)
    assert line.pieces == [
        TextRun("a", "notice"),
        TextRun("b", "error"),
        TextRun("c", "notice"),
        TextRun("d"),
    ]
    assert (line.severity, line.number_of_finding) == ("error", 2)


def test_mark_of_a_whole_line_underlines_nothing() -> None:
    (line,) = marked_lines("132", [LineMark(1, "warning")])
    assert line == MarkedLine(1, [TextRun("132")], "warning")


@given(
    st.text(st.characters(exclude_characters="\r\n"), min_size=1),
    st.lists(
        st.builds(
            LineMark, st.just(1), st.sampled_from(["error", "warning"]), st.integers(1, 30), st.integers(0, 9)
        )
    ),
)
def test_no_character_is_lost(text: str, marks: list[LineMark]) -> None:
    (line,) = marked_lines(text, marks)
    assert "".join(piece.text for piece in line.pieces).startswith(text)


def test_difference_marks_what_changes() -> None:
    assert difference("1978/13/12 x", "1978/12/13 x") == MarkedDifference(
        [TextRun("1978/1"), TextRun("3/12", "changed"), TextRun(" x")],
        [TextRun("1978/1"), TextRun("2/13", "changed"), TextRun(" x")],
    )


@given(st.text(), st.text())
def test_difference_keeps_both_lines(old: str, new: str) -> None:
    shown = difference(old, new)
    assert "".join(piece.text for piece in shown.old) == old
    assert "".join(piece.text for piece in shown.new) == new


COLUMNS = Columns(tags=("001",), head=8, fields=[(9, 10), (11, 12)])


def texts(line: MarkedLine) -> tuple[list[str], list[str]]:
    """Return what of a line is in sight: of the part that stays, and of the rest."""
    return tuple([piece.text for piece in part if not piece.is_left_out] for part in (line.head, line.pieces))  # type: ignore[return-value]


def test_columns_without_a_mark_are_left_out() -> None:
    lines = marked_lines("001 Ada aabb 1\n001 Bob ccdd 2\n012 Open\n001", [LineMark(2, "error", 14)], COLUMNS)
    assert [texts(line) for line in lines] == [
        (["001 Ada"], [" 1"]),
        (["001 Bob"], [" ", "2"]),
        ([], ["012 Open"]),
        (["001"], []),
    ]
    left_out = [piece.text for piece in lines[0].pieces if piece.is_left_out]
    assert left_out == ["aabb"]


def test_columns_with_a_mark_in_one_line_are_in_sight_in_all() -> None:
    lines = marked_lines("001 Ada aabb 1\n001 Bob ccdd 2", [LineMark(2, "error", 11, 2)], COLUMNS)
    assert [texts(line) for line in lines] == [(["001 Ada"], ["bb 1"]), (["001 Bob"], ["dd", " 2"])]


def test_marks_of_a_part_that_stays_are_kept() -> None:
    (line,) = marked_lines("001 A", [LineMark(1, "error", 7, 2)], COLUMNS)
    assert texts(line) == (["001 A", "  "], [])
    assert line.head[-1] == TextRun("  ", "error")
