"""A report as it is shown."""

from __future__ import annotations

import pytest

from tests.trf_files import Event
from tournaments.marked_report import ROWS_SHOWN, FindingGroup, ShownPart, ShownShift, marked_text
from tournaments.trf import check_report, read_report
from tournaments.trf.limits import MAX_LINES


@pytest.mark.slow
def test_no_page_shows_more_lines_than_are_read() -> None:
    read = read_report(b"012 Open\n" + b"### x\n" * MAX_LINES)

    assert len(read.lines) == MAX_LINES + 1
    assert len(marked_text(read, [], ShownPart(whole=True)).lines) == MAX_LINES


def test_each_finding_about_a_game_has_its_game() -> None:
    players = [(0, f"Player, {letter}") for letter in "ABCDEFGH"]
    text = Event(players, [[(1, 2, "1-0"), (3, 4, "1-0"), (5, 6, "1-0"), (7, 8, "1-0")]]).text()
    read = read_report(text.replace("b 0", "b 1"))
    findings = [
        {name: getattr(one, name) for name in ("code", "line", "column", "length", "fix", "params")}
        | {"severity": str(one.severity)}
        for one in check_report(read)
    ]

    (group,) = (one for one in marked_text(read, findings).groups if one.code == "results-contradict")

    pairs = [(one["game"].white.number, one["game"].black.number) for one in group.findings]
    assert pairs == [(1, 2), (3, 4), (5, 6), (7, 8)]


@pytest.mark.parametrize(
    ("name", "new_name", "is_cut"),
    [
        ("Rollingerhof, Än der", "Rollingerhof, Änder", False),
        ("Wickramasinghe-Fernandopulle, Tharindu", "Wickramasinghe-Fernandopulle, Tha", True),
        ("Rollingerhof, Än der", "", False),
    ],
)
def test_name_whose_letters_all_stay_is_not_cut(name: str, new_name: str, is_cut: bool) -> None:
    record = read_report(Event([(0, "Alpha, A")], []).text()).players[0]
    assert ShownShift(14, 1, True, name, record, new_name=new_name).is_cut is is_cut


@pytest.mark.parametrize(
    ("rows", "is_unfolded"),
    [
        # By hand: one of two certain fixes, or one that is not certain. At once: all that are certain.
        ([(True, True), (True, False)], True),
        ([(False, True), (False, False)], True),
        ([(True, True), (False, False)], False),
    ],
)
def test_rows_on_which_somebody_works_are_unfolded(rows: list[tuple[bool, bool]], is_unfolded: bool) -> None:
    first = [{"is_chosen": False}] * ROWS_SHOWN
    folded = [{"certain": certain, "is_chosen": chosen} for certain, chosen in rows]
    group = FindingGroup("warning", "id-missing", "", [*first, *folded])
    assert group.is_unfolded is is_unfolded
