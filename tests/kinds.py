"""What each test depends on, and so in which run it takes part. docs/testing.md has the same as a table.

A folder has a kind; a module or a test that differs says so: `pytestmark = pytest.mark.database`. What asks for no
database, starts nothing and opens no browser is `pure`, wherever it stands.
TEST_RUN names the run; without it everything that is asked for runs.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

KINDS = {
    "pure": "touches no database, starts nothing",
    "page": "a page, the API, the admin or a command, seen through one process",
    "database": "what is read and written, migrations, locks: what can differ between databases",
    "process": "real workers, web servers and beat on the test's database and queue",
    "program": "starts programs, with a database of their own, none, or one that changes nothing in what they do",
    "browser": "drives a real browser",
    "machine": "needs root, systemd, namespaces, a file system of its own or another program",
}
# The longest beginning counts.
FOLDERS = {
    "tests/api": "page",
    "tests/arenas": "database",
    "tests/benchmarks": "program",
    "tests/core": "page",
    "tests/demo": "page",
    "tests/desk": "page",
    "tests/e2e": "page",
    "tests/faults": "process",
    "tests/hostile": "page",
    "tests/operations": "program",
    "tests/players": "database",
    "tests/portal": "page",
    "tests/public": "page",
    "tests/ratings": "database",
    "tests/tools": "page",
    "tests/tournaments": "database",
    "tests/walk": "database",
    "tests": "page",
}


@dataclass(frozen=True, slots=True)
class Run:
    """Which kinds a run takes, and whether tests marked `slow` are among them."""

    kinds: frozenset[str]
    takes_slow: bool = True


RUNS = {
    "check": Run(frozenset({"pure", "page", "database"}), takes_slow=False),
    "sqlite": Run(frozenset(KINDS) - {"machine"}),
    "postgresql": Run(frozenset({"database", "process"})),
    "machine": Run(frozenset({"machine"})),
}
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}


def pytest_configure(config: pytest.Config) -> None:
    """Register a marker for each kind."""
    for kind, what in KINDS.items():
        config.addinivalue_line("markers", f"{kind}: {what}")
    config.addinivalue_line("markers", "slow: takes over a tenth of a second; `make check` leaves it out")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a module that has no test for the run: half of the modules, where PostgreSQL is asked for.

    Its folder has another kind, and no marker in it names one of the run.
    """
    run = RUNS.get(os.environ.get("TEST_RUN", ""))
    if run is None or "pure" in run.kinds or not collection_path.match("test_*.py"):
        return None
    kind = _kind_of_folder(collection_path.relative_to(config.rootpath).as_posix())
    marked = re.search(rf"mark\.({'|'.join(run.kinds)})\b", collection_path.read_text())
    return True if kind not in run.kinds and marked is None else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tell each test its kind, and leave out what the run of TEST_RUN does not take.

    The browser comes first: its tests are the longest, and one process at their end would keep the others waiting.
    """
    items.sort(key=lambda item: kind_of(item) != "browser")
    name = os.environ.get("TEST_RUN", "")
    if not name:
        return
    if name not in RUNS:
        raise pytest.UsageError(f"TEST_RUN is {name!r}; set it to one of {', '.join(RUNS)}.")
    run = RUNS[name]
    taken: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        is_taken = kind_of(item) in run.kinds and (run.takes_slow or item.get_closest_marker("slow") is None)
        (taken if is_taken else left).append(item)
    items[:] = taken
    config.hook.pytest_deselected(items=left)


def kind_of(item: pytest.Item) -> str:
    """Return the kind of a test: from its fixtures, its marker or its folder."""
    fixtures = set(getattr(item, "fixturenames", ()))
    # Other folders have clients of one process under this name.
    if "browser" in fixtures and item.nodeid.startswith("tests/e2e/"):
        return "browser"
    for marker in item.iter_markers():
        if marker.name in KINDS:
            return marker.name
    folder = _kind_of_folder(item.nodeid.partition("::")[0])
    if folder in ("page", "database") and not _asks_for_database(item, fixtures):
        return "pure"
    return folder


def _asks_for_database(item: pytest.Item, fixtures: set[str]) -> bool:
    return item.get_closest_marker("django_db") is not None or bool(DATABASE_FIXTURES & fixtures)


def _kind_of_folder(path: str) -> str:
    while path not in FOLDERS:
        path = path.rpartition("/")[0]
    return FOLDERS[path]
