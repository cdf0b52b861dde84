"""Lines of a report that differ between two versions, and changes of one line that are made together."""

from __future__ import annotations

import pytest

from tests.tournaments.trf.reports import BASE
from tournaments.line_changes import (
    MAX_COMPARED,
    ChangedLine,
    differences_of,
    line_difference,
    merged_changes,
)

BUCHFINK = BASE.splitlines()[13]
HEAD = ["012 Open", "022 Bern", "032 SUI"]


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (HEAD, []),
        (["012 Open", "022 Biel", "032 SUI"], [(2, 2)]),
        (["012 Open", "022 Bern", "032 SUI", "042 2026/02/28"], [(None, 4)]),
        (["022 Bern", "032 SUI"], [(1, None)]),
        (["012 Rapid", "022 Bern"], [(1, 1), (3, None)]),
    ],
)
def test_lines_that_differ_are_paired_in_order(
    later: list[str], expected: list[tuple[int | None, int | None]]
) -> None:
    found = differences_of(HEAD, later)

    assert [(one.former, one.later) for one in found.lines] == expected
    assert (found.count, found.left_out) == (len(expected), 0)


def test_reports_too_long_to_align_are_compared_line_by_line() -> None:
    former = [f"line {number}" for number in range(MAX_COMPARED)]

    found = differences_of(former, former[1:])

    assert found.count == MAX_COMPARED
    assert found.left_out > 0
    assert (found.lines[0].former, found.lines[0].later) == (1, 1)


def test_changes_of_different_columns_of_a_line_are_made_together() -> None:
    chosen = merged_changes(
        [
            ChangedLine(3, "001 m SUI 1800", "001 w SUI 1800", "The sex."),
            ChangedLine(3, "001 m SUI 1800", "001 m FRA 1800", "The federation."),
            ChangedLine(2, "022 Bern", "022 Bern", "Nothing."),
        ]
    )

    assert [(one.line, one.new, one.why) for one in chosen.lines] == [
        (3, "001 w FRA 1800", "The sex. The federation.")
    ]
    assert chosen.left == 0


def test_a_change_of_a_column_that_another_has_changed_is_left_out() -> None:
    texts = ("001 w SUI", "001 f SUI", "001 w SUI 1800")
    chosen = merged_changes([ChangedLine(1, "001 m SUI", text, "") for text in texts])

    assert ([one.new for one in chosen.lines], chosen.left) == (["001 w SUI 1800"], 1)


def test_a_change_of_a_players_line_is_named_by_its_fields() -> None:
    old, moved = BUCHFINK, f"{BUCHFINK[:48]} {BUCHFINK[48:]}"
    new = old.replace("1800", "1750").replace("1 b 0", "1 w 0")

    assert line_difference(old, new).fields == [("Rating", "1800", "1750"), ("Round 1, Colour", "b", "w")]
    assert line_difference("013 A", "013 B").fields == []
    shifted = line_difference(old, moved).fields
    assert (shifted[0], shifted[-1][0]) == (("Rating", "1800", "180"), "Round 3")
    named = f"{old[:14]}Wickramasinghe-Fernandopulle, Tharindu {old[48:]}"
    cut = f"{old[:14]}Wickramasinghe-Fernandopulle, Tha{old[47:]}"
    whole, *_rest = line_difference(named, cut).fields
    assert whole == ("Name", "Wickramasinghe-Fernandopulle, Tharindu", "Wickramasinghe-Fernandopulle, Tha")
    assert line_difference("122 90+30", "122 15+10").fields == [("Time control", "90+30", "15+10")]
    names = [one.name for one in differences_of([old, "013 A"], [new, "013 B"]).lines]
    assert names == [old[14:47].strip(), ""]
