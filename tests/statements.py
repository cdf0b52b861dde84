"""What of SQL only SQLite runs: PostgreSQL runs the tests that can fail there, and this holds that choice.

Of each statement the features are noted that a database may see in its own way: each function and clause, the tables
that are written by what others hold, and those whose rows are grouped. Columns and values are none, nor is a row that
is written by its key. A feature of the whole run on
SQLite that no test of both databases has shows that a test of both is missing: the run fails, unless `ONLY_SQLITE`
says why PostgreSQL need not see it. The list is in .pytest_cache/statements.txt.
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
# PostgreSQL wants each column that is asked for among those that are grouped.
GROUPING = {"GROUP BY", "DISTINCT", "HAVING", "OVER", "UNION"}
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
    "TRUNCATE",
)

# What PostgreSQL need not see, and why.
ONLY_SQLITE: dict[str, str] = {
    "SELECT: JSON": "what SQLite writes for ::jsonb",
    "SELECT: REGEXP": "what SQLite writes for ~",
    "SELECT: django_date_extract": "what SQLite writes for EXTRACT",
    "UPDATE: LOWER": "a migration of allauth, which PostgreSQL runs before the tests",
    "groups account_emailaddress": "a migration of allauth, which PostgreSQL runs before the tests",
}

_known: dict[str, frozenset[str]] = {}
_of_both: set[str] = set()
_of_sqlite: set[str] = set()
_current: set[str] = _of_both


def features_of(statement: str) -> frozenset[str]:
    """Return the features of a statement, each as a line; none of what governs transactions and tables."""
    verb = statement.lstrip("( ").split(None, 1)[0].upper() if statement.strip() else ""
    # SQLite makes a table anew to change it.
    if not verb or verb.startswith(LEFT_OUT) or '"new__' in statement:
        return frozenset()
    tables = sorted(set(TABLES.findall(statement)))
    traits = set(FUNCTIONS.findall(statement)) | {name for name in CLAUSES if name in statement}
    features = {f"{verb}: {trait}" for trait in traits}
    if verb != "SELECT":
        if len(tables) > 1:
            features.add(f"{verb} {' '.join(tables)}")
    elif GROUPING & traits:
        features.add(f"groups {' '.join(tables)}")
    return frozenset(features)


def is_whole_run(config: pytest.Config) -> bool:
    """Return whether every test of the run on SQLite takes part."""
    is_part = config.option.keyword or config.option.markexpr or config.args != config.getini("testpaths")
    return os.environ.get("TEST_RUN") == "sqlite" and not is_part


def pytest_configure(config: pytest.Config) -> None:
    """Note the features of each statement from now on."""
    if os.environ.get("TEST_RUN") != "sqlite":
        return
    from django.db.backends.utils import CursorWrapper

    CursorWrapper.execute = _noted(CursorWrapper.execute)  # type: ignore[method-assign]
    CursorWrapper.executemany = _noted(CursorWrapper.executemany)  # type: ignore[method-assign]


def _noted(execute: Callable[..., Any]) -> Callable[..., Any]:
    def execute_noted(cursor: Any, statement: Any, *args: Any) -> Any:
        text = str(statement)
        features = _known.get(text)
        if features is None:
            features = _known[text] = features_of(text)
        _current.update(features)
        return execute(cursor, statement, *args)

    return execute_noted


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note for which databases the test runs."""
    global _current
    _current = _of_both if kind_of(item) in RUNS["postgresql"].kinds else _of_sqlite
    return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep the features of this process; the one that hands out the tests compares those of all."""
    if not is_whole_run(session.config):
        return
    folder = Path(os.environ["PORTAL_VAR_DIR"])
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        noted = json.dumps([sorted(_of_both), sorted(_of_sqlite)])
        (folder.parent / f"statements-{worker}.json").write_text(noted, encoding="utf-8")
        return
    for file in folder.glob("statements-*.json"):
        of_both, of_sqlite = json.loads(file.read_text(encoding="utf-8"))
        _of_both.update(of_both)
        _of_sqlite.update(of_sqlite)
    WRITTEN.write_text("".join(f"{feature}\n" for feature in sorted(_of_sqlite - _of_both)), encoding="utf-8")
    if _not_known() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Name what only SQLite has run without a reason."""
    if not is_whole_run(config):
        return
    for feature in _not_known():
        terminalreporter.line(
            f"FAILED tests/statements.py: only SQLite runs “{feature}”: mark a test `database`"
        )


def _not_known() -> list[str]:
    return sorted(_of_sqlite - _of_both - set(ONLY_SQLITE))
