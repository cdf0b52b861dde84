"""docs/decisions.md leads from each decision to code that names it and to all tests named after it."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from django.conf import settings

BASE = Path(settings.BASE_DIR)
DECISIONS = [
    *range(70, 78),
    *range(80, 89),
    *range(90, 93),
    *range(100, 106),
    *range(110, 117),
    *range(120, 123),
    125,
    126,
]
DOORS = "test_report_doors.py"
NAMED = re.compile(r"^def (test_\w+)", re.MULTILINE)


def rows() -> dict[int, tuple[list[str], list[str]]]:
    """Return the files with the code and those with the tests, by decision."""
    page = (BASE / "docs" / "decisions.md").read_text("utf-8")
    found = re.findall(r"^\| D-(\d+) \| (.*) \| (.*) \|$", page, re.MULTILINE)
    return {int(number): (_files(code), _files(tests)) for number, code, tests in found}


def _files(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def named_tests() -> dict[int, list[str]]:
    """Return the files with tests that have a decision in their names, by the decision."""
    found: dict[int, set[str]] = defaultdict(set)
    for path in (BASE / "tests").rglob("test_*.py"):
        for name in NAMED.findall(path.read_text("utf-8")):
            for decision in re.findall(r"(?<![a-z])d_?(\d+)(?=_)", name):
                found[int(decision)].add(str(path.relative_to(BASE / "tests")))
    return {decision: sorted(paths) for decision, paths in found.items()}


def test_each_decision_has_a_row() -> None:
    assert list(rows()) == DECISIONS


def test_rows_name_code_and_tests_that_are_there() -> None:
    by_name, wrong = named_tests(), {}
    for decision, (code, tests) in rows().items():
        silent = [
            path for path in code if not re.search(rf"D-{decision}\b", (BASE / path).read_text("utf-8"))
        ]
        named = by_name.get(decision, [])
        others = [path for path in tests if path != DOORS or path in named]
        if silent or not code or others != named:
            wrong[decision] = {"code without it": silent, "tests in the row": others, "tests": named}

    assert wrong == {}
