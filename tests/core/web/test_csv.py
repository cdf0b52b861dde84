"""No cell of a CSV is a formula for the spreadsheet that opens it."""

from __future__ import annotations

import pytest

from core.web.csv import FORMULA_STARTS, csv_text, guarded_cell

# Spreadsheets take full-width signs for the usual ones; a tab or a new line before a sign is skipped.
SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def test_text_that_begins_like_a_formula_is_guarded() -> None:
    texts = [f"{before}{sign}1" for sign in SIGNS for before in ("", " ", "\t", "\r", "\n", "\u3000")]

    assert [text for text in texts if guarded_cell(text) != f"'{text}" and guarded_cell(text)[0] != "'"] == []
    assert set(SIGNS) <= set(FORMULA_STARTS)


def test_what_begins_a_cell_after_another_separator_is_guarded() -> None:
    texts = [f"a{separator}{sign}1" for sign in SIGNS for separator in (";", "|", "\t", "\n", '; "')]

    assert [text for text in texts if f"'{text[-2:]}" not in guarded_cell(text)] == []


def test_figures_and_names_stay_as_they_are() -> None:
    assert csv_text([["O'Brien, Ann", -5, True, "1-0", "1/2"]]) == '"O\'Brien, Ann",-5,true,1-0,1/2\r\n'


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("=1", "'=1"),
        ("@x", "'@x"),
        ("-2", "'-2"),
        ("+2", "'+2"),
        ("＝1", "'＝1"),
        (" =1", "' =1"),
        ("x;=1", "x;'=1"),
        ('x;"@y', "x;\"'@y"),
        ("x\t＋1", "x\t'＋1"),
        ("a; b", "a; b"),
        ("a=b", "a=b"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(value: str, shown: str) -> None:
    assert guarded_cell(value) == shown
