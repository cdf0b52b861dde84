"""One cause is one finding; a fix is offered where the report has fewer errors with it and no other is as good."""

from __future__ import annotations

from datetime import date

import pytest

from tests.tournaments.trf.reports import BASE, changed, corrected, player_changed
from tournaments.trf import check_report, read_report
from tournaments.trf.checks.days import with_right_days
from tournaments.trf.findings import DECIDED


def _errors(text: str) -> list[tuple[str, int | None, str | None]]:
    found = check_report(read_report(text))
    return [(item.code, item.line, item.fix) for item in found if item.severity == "error"]


# One slip of the finger in one line, the finding that it is, and the line that has to be written otherwise.
SLIPS = {
    "a starting number given twice": (player_changed(4, ("001    4", "001    3")), "player-number-wrong", 16),
    "a starting number of nobody": (player_changed(4, ("001    4", "001   44")), "player-number-wrong", 16),
    "the number of the first of two": (
        player_changed(3, ("001    3", "001    4")),
        "player-number-wrong",
        15,
    ),
    "another opponent": (player_changed(4, ("3 b =", "2 b =")), "pairing-asymmetric", 16),
    "an unknown opponent": (player_changed(4, ("3 b =", "9 b =")), "opponent-unknown", 16),
    "no opponent": (player_changed(4, ("   3 b =", "0000 b =")), "opponent-missing", 16),
    "the player as opponent": (player_changed(4, ("3 b =", "4 b =")), "opponent-self", 16),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_one_slip_is_one_error_whose_fix_is_the_report_as_it_was(slip: str) -> None:
    text, code, line = SLIPS[slip]
    assert [(found, at) for found, at, _fix in _errors(text)] == [(code, line)]
    report = read_report(text)
    assert read_report(corrected(report, check_report(report))) == read_report(BASE)


def test_two_exchanged_numbers_are_two_errors_of_one_code() -> None:
    text = changed(("001    2", "001    x"), ("001    3", "001    2"), ("001    x", "001    3"))
    assert [(found, at) for found, at, _fix in _errors(text)] == [
        ("player-number-wrong", 14),
        ("player-number-wrong", 15),
    ]
    report = read_report(text)
    assert read_report(corrected(report, check_report(report))) == read_report(BASE)


@pytest.mark.parametrize(("code", "found"), [("0", "result-penalty"), (" ", "results-contradict")])
def test_points_that_fit_the_fix_of_a_result_are_no_problem_of_their_own(code: str, found: str) -> None:
    # 1 won in round 1, as the points say.
    report = read_report(changed(("     2 w 1", f"     2 w {code}")))
    about = [item.code for item in check_report(report) if item.line == 13 and item.severity != "notice"]
    assert about == [found]


# What one cause would be said by twice, and the codes that say it.
CAUSES = {
    "an unknown result": (player_changed(1, ("     2 w 1", "     2 w x")), ["results-contradict"]),
    "an unknown result on both lines": (
        changed(("     2 w 1", "     2 w ?"), ("     1 b 0", "     1 b ?"), ("2.5    1", "1.5    1")),
        ["result-missing"],
    ),
    "rounds after the last day": (
        changed(("042 2026/01/10", "042 2026/01/09"), ("052 2026/01/11", "052 2026/01/10")),
        ["round-date-outside"],
    ),
    "points that are too many": (player_changed(2, ("1.5    2", "9.5    2")), ["points-mismatch"]),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_one_cause_has_one_code(cause: str) -> None:
    text, codes = CAUSES[cause]
    assert sorted({item.code for item in check_report(read_report(text))}) == codes


@pytest.mark.parametrize(
    "text",
    [
        player_changed(2, ("1.5    2", "9.5    2")),
        changed(("062 4", "062 5")),
        changed(("072 4", "072 9")),
        changed(("082 0", "082 3")),
    ],
)
def test_a_sum_of_the_report_is_offered_and_never_certain(text: str) -> None:
    (found,) = check_report(read_report(text))
    assert read_report(corrected(read_report(text), [found])) == read_report(BASE)
    assert found.code in DECIDED


def test_a_fix_that_is_as_good_as_another_is_not_certain() -> None:
    # 1 names 3 and 3 names 9, while 2 names 1: either 1 or 3 is wrong.
    text = changed(("     2 w 1", "     3 w 1"), ("     4 w =", "     9 b 0"))
    assert [fix for code, line, fix in _errors(text) if line == 13] == [None]


@pytest.mark.parametrize(("end", "is_fixed"), [("2026/01/10", True), ("2026/01/11", False)])
def test_rounds_outside_the_days_are_one_finding_with_a_fix_where_there_is_one_day(
    end: str, is_fixed: bool
) -> None:
    text = changed(
        ("052 2026/01/11", f"052 {end}"), ("26/01/10  26/01/10  26/01/11", "26/01/12  26/01/10  26/01/09")
    )
    (found,) = (one for one in check_report(read_report(text)) if one.code.startswith("round-date"))

    assert (found.code, found.line, found.params["rounds"]) == ("round-date-outside", 12, "1, 3")
    assert (found.fix or "").count("26/01/10") == (3 if is_fixed else 0)


@pytest.mark.parametrize(("unread", "is_moved"), [("        ", True), ("26/13/45", False)])
def test_days_are_not_moved_where_a_date_cannot_be_read(unread: str, is_moved: bool) -> None:
    text = changed(("26/01/10  26/01/10  26/01/11", f"26/01/10  {unread}  26/01/11"))
    read = read_report(text)

    righted = with_right_days(read, date(2026, 1, 11), date(2026, 1, 12))

    assert (righted.start == date(2026, 1, 11), righted is read) == (is_moved, not is_moved)
