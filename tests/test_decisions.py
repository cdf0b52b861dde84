"""docs/decisions.md leads from each decision to code that names it and to all tests named after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

BASE = Path(settings.BASE_DIR)
DECISIONS = [*range(70, 78), *range(80, 89), *range(90, 93), *range(100, 106), *range(120, 123)]
DOORS = "test_report_doors.py"


def rows() -> dict[int, tuple[list[str], list[str]]]:
    """Return the files with the code and those with the tests, by decision."""
    page = (BASE / "docs" / "decisions.md").read_text("utf-8")
    found = re.findall(r"^\| D-(\d+) \| (.*) \| (.*) \|$", page, re.MULTILINE)
    return {int(number): (_files(code), _files(tests)) for number, code, tests in found}


def _files(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def named_tests(decision: int) -> list[str]:
    """Return the files with tests that have the decision in their names."""
    name = re.compile(rf"^def test_(?:\w*_)?d_?{decision}_", re.MULTILINE)
    files = (BASE / "tests").rglob("test_*.py")
    return sorted(
        str(path.relative_to(BASE / "tests")) for path in files if name.search(path.read_text("utf-8"))
    )


def test_each_decision_has_a_row() -> None:
    assert list(rows()) == DECISIONS


@pytest.mark.parametrize("decision", DECISIONS)
def test_row_names_code_and_tests_that_are_there(decision: int) -> None:
    code, tests = rows()[decision]

    named = [path for path in code if re.search(rf"D-{decision}\b", (BASE / path).read_text("utf-8"))]
    assert (named, bool(code)) == (code, True)
    by_name = named_tests(decision)
    assert [path for path in tests if path != DOORS or path in by_name] == by_name
