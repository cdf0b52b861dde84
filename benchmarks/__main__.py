"""`make bench`: a month of FIDE's size, or a part of it, from the import to both published lists."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks import reading, results
from benchmarks.reports import TIMES, submission, write_reports
from benchmarks.steps import Measured, measure
from benchmarks.workers import celery_workers
from benchmarks.world import Size, write_list
from tests.servers import postgresql_server, redis_server

ROOT = Path(__file__).resolve().parent.parent
# The steps in the total of the month.
MONTH = "2026-02-01"
THE_MONTH = (results.SUBMITTED, results.PUBLISHED)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--on", choices=["sqlite", "postgresql"], nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument(
        "--sizes", type=float, nargs="*", default=[0.01, 0.1], help="fractions of FIDE's month"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes that read, check and rate")
    options = parser.parse_args()
    print(_machine())  # noqa: T201
    readers = reading.measured()
    print("\n" + "\n".join(reading.rows(readers)))  # noqa: T201
    parts = {}
    for fraction in options.sizes:
        for database in options.on:
            title = f"{database}, {fraction:g} of the month"
            parts[title] = _report(database, Size(fraction), options.workers)
    print(f"kept: {results.keep(_machine(), parts, reading=readers)}")  # noqa: T201


def _machine() -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (1 << 30)
    return f"{os.cpu_count()} cores, {memory} GiB, Python {platform.python_version()}, commit {commit}"


def _report(database: str, size: Size, workers: int) -> list[Measured]:
    """Print the cost of a month while it is measured. Return all steps and floors."""
    title = f"{database}: {size.players:,} players, {size.reports:,} reports, {size.games:,} games"
    print(f"\n### {title}\n\n| step | wall | processor | peak memory | each |\n|---|---|---|---|---|")  # noqa: T201
    steps: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder, _environment(database, Path(folder)) as environment:
        for step in _month(database, size, workers, Path(folder), environment):
            print(step.row(), flush=True)  # noqa: T201
            steps.append(step)
        for row in _corrections(Path(folder), environment):
            print(row, flush=True)  # noqa: T201
        for step in _floors(database, Path(folder) / "reports", environment):
            print(step.for_each(size.games, "game").row(), flush=True)  # noqa: T201
            steps.append(step)
        total = sum(step.seconds for step in steps if step.name in THE_MONTH)
        print(f"| the month: read to published | {total:.1f} s | | | |\n", flush=True)  # noqa: T201
        if database == "postgresql":
            measure("housekeeping, as minutes later", [["-m", "benchmarks.steps"]], environment)
            # A subprocess that prints its lines itself, while the database is running.
            subprocess.run([sys.executable, "-m", "benchmarks.pages"], env=dict(environment), check=True)
    return steps


def _month(
    database: str, size: Size, workers: int, folder: Path, environment: Mapping[str, str]
) -> Iterator[Measured]:
    source, reports = folder / "list.txt", folder / "reports"
    # In another process: the peak memory of this one would count for each process that it starts.
    with ProcessPoolExecutor(1) as generator:
        generator.submit(write_list, source, size).result()
        generator.submit(write_reports, reports, size, year=2026, month=1).result()
    manage = str(ROOT / "manage.py")
    measure("migrate", [[manage, "migrate", "--verbosity=0"]], environment)
    for imported, on in ((results.IMPORTED, "2025-12-01"), ("import the next month's", "2026-01-01")):
        command = [manage, "import_fide_list", str(source), "--date", on]
        yield measure(imported, [command], environment).for_each(size.players, "player")
    if database == "postgresql":
        yield measure("the server's housekeeping after them", [["-m", "benchmarks.steps"]], environment)
    yield measure(THE_MONTH[0], [submission(reports, workers)], environment).for_each(size.games, "game")
    for step in _published(database, workers, folder, environment):
        yield step.for_each(size.players, "player")
    command = [manage, "verify_list", "rapid", MONTH]
    yield measure(results.VERIFIED, [command], environment).for_each(size.players, "player")


def _published(
    database: str, workers: int, folder: Path, environment: Mapping[str, str]
) -> Iterator[Measured]:
    """Publish by Celery and Redis on PostgreSQL, both lists at once, else by the command."""
    if database == "sqlite":
        command = [str(ROOT / "manage.py"), "publish_lists", MONTH]
        yield measure(THE_MONTH[1], [command], environment)
        return
    with celery_workers([environment] * workers, folder) as celery:
        for step, what in ((THE_MONTH[1], "publish"), ("pack their files, afterwards", "pack")):
            command = ["-m", "benchmarks.workers", what, MONTH]
            yield measure(step, [command], environment, workers=celery)


def _corrections(folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Measure corrections of published reports in one process, each previewed first."""
    command = ["-m", "benchmarks.reports", str(folder / "reports")]
    yield measure("correct published reports", [command], environment).row()
    times = json.loads((folder / "reports" / TIMES).read_text())
    for what, seconds in times.items():
        mean, slowest = sum(seconds) / len(seconds), max(seconds)
        yield f"| {what}, mean of {len(seconds)} | {mean:.2f} s, slowest {slowest:.2f} s | | | |"


def _floors(database: str, reports: Path, environment: Mapping[str, str]) -> Iterator[Measured]:
    """Measure the least that this machine needs for the steps of the month, in one process."""
    for what, step in (("read", results.READ), ("rate", results.RATED)):
        yield measure(step, [["-m", "benchmarks.floor", what, str(reports)]], environment)
    if database == "postgresql":
        yield measure(results.COPIED, [["-m", "benchmarks.floor", "copy"]], environment)


@contextlib.contextmanager
def _environment(database: str, folder: Path) -> Iterator[Mapping[str, str]]:
    kept = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL")}
    environment = {**kept, "PORTAL_VAR_DIR": str(folder / "var"), "LOG_LEVEL": "WARNING"}
    if database == "sqlite":
        yield environment
        return
    with postgresql_server(shared_buffers="1GB", max_wal_size="4GB") as url, redis_server() as redis:
        yield {**environment, "DATABASE_URL": url, "REDIS_URL": redis}


if __name__ == "__main__":
    main()
