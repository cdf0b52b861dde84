"""Which shapes of SQL only SQLite runs: PostgreSQL runs the tests that can fail there, and this holds that choice.

A shape is what a database may see in its own way: the verb, the tables, the functions and clauses; not the columns
that are asked for, nor the values. During the whole run on SQLite each shape is noted with whether a test ran it that
PostgreSQL runs too. The others are written to .pytest_cache/statements.txt, and their number is said at the end.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kinds import RUNS, kind_of

WRITTEN = Path(__file__).parents[1] / ".pytest_cache" / "statements.txt"
TABLES = re.compile(r'\b(?:FROM|JOIN|INTO|UPDATE)\s+"(\w+)"')
FUNCTIONS = re.compile(r"\b([A-Z][A-Z_]{2,}|django_\w+)\(")
CLAUSES = (
    "DISTINCT",
    "GROUP BY",
    "HAVING",
    "LIMIT",
    "UNION",
    "EXISTS",
    "CASE WHEN",
    "LIKE",
    "REGEXP",
    "RETURNING",
    "ON CONFLICT",
    "OVER",
    "IS NULL",
)
LEFT_OUT = (
    "SAVEPOINT",
    "RELEASE",
    "ROLLBACK",
    "BEGIN",
    "COMMIT",
    "PRAGMA",
    "VACUUM",
    "CREATE",
    "DROP",
    "ALTER",
)

_known: dict[str, str] = {}
_of_both: set[str] = set()
_of_sqlite: set[str] = set()
_current: set[str] = _of_both


def shape_of(statement: str) -> str:
    """Return the shape of a statement, as one line; empty for what governs transactions and tables."""
    verb = statement.lstrip("( ").split(None, 1)[0].upper() if statement.strip() else ""
    if not verb or verb.startswith(LEFT_OUT):
        return ""
    tables = sorted(set(TABLES.findall(statement)))
    traits = sorted(set(FUNCTIONS.findall(statement)) | {name for name in CLAUSES if name in statement})
    return f"{verb} {' '.join(tables)}: {', '.join(traits)}"


def is_whole_run(config: pytest.Config) -> bool:
    """Return whether every test of the run on SQLite takes part."""
    is_part = config.option.keyword or config.option.markexpr or config.args != config.getini("testpaths")
    return os.environ.get("TEST_RUN") == "sqlite" and not is_part


def pytest_configure(config: pytest.Config) -> None:
    """Note the shape of each statement from now on."""
    if os.environ.get("TEST_RUN") != "sqlite":
        return
    from django.db.backends.utils import CursorWrapper

    CursorWrapper.execute = _noted(CursorWrapper.execute)  # type: ignore[method-assign]
    CursorWrapper.executemany = _noted(CursorWrapper.executemany)  # type: ignore[method-assign]


def _noted(execute: Callable[..., Any]) -> Callable[..., Any]:
    def execute_noted(cursor: Any, statement: Any, *args: Any) -> Any:
        text = str(statement)
        shape = _known.get(text)
        if shape is None:
            shape = _known[text] = shape_of(text)
        _current.add(shape)
        return execute(cursor, statement, *args)

    return execute_noted


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note for which databases the test runs."""
    global _current
    _current = _of_both if kind_of(item) in RUNS["postgresql"].kinds else _of_sqlite
    return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep the shapes of this process; the one that hands out the tests compares those of all."""
    if not is_whole_run(session.config):
        return
    folder = Path(os.environ["PORTAL_VAR_DIR"])
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        shapes = json.dumps([sorted(_of_both), sorted(_of_sqlite)])
        (folder.parent / f"statements-{worker}.json").write_text(shapes, encoding="utf-8")
        return
    for file in folder.glob("statements-*.json"):
        of_both, of_sqlite = json.loads(file.read_text(encoding="utf-8"))
        _of_both.update(of_both)
        _of_sqlite.update(of_sqlite)
    WRITTEN.write_text("".join(f"{shape}\n" for shape in _of_sqlite_alone()), encoding="utf-8")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how many shapes only SQLite has run."""
    if is_whole_run(config):
        count = len(_of_sqlite_alone())
        terminalreporter.line(f"{count} shapes of SQL ran on SQLite alone: .pytest_cache/statements.txt")


def _of_sqlite_alone() -> list[str]:
    return sorted(_of_sqlite - _of_both - {""})
