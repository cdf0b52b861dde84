"""A month of FIDE's size, or a part of it, from the import to both published lists, and the pages afterwards."""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks import reading
from benchmarks.reports import TIMES, submission
from benchmarks.steps import MANAGE, ROOT, Measured, machine, measure, portal, write_month
from benchmarks.world import Size

MONTH = "2026-02-01"
# The steps in the total of the month, and the floors by which it is divided.
SUBMITTED, PUBLISHED = "read, check and rate the reports", "publish both lists"
RATED, COPIED = "floor: read and rated, not stored", "floor: the month's rows copied, no index"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--on", choices=["sqlite", "postgresql"], nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument(
        "--sizes", type=float, nargs="*", default=[0.01, 0.1], help="fractions of FIDE's month"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes that read, check and rate")
    parser.add_argument(
        "--durable", action="store_true", help="PostgreSQL writes to disk, as in an installation"
    )
    options = parser.parse_args()
    _print(machine(is_durable=options.durable), "", *reading.rows(reading.measured()))
    for fraction in options.sizes:
        for database in options.on:
            _report(database, Size(fraction), options.workers, is_durable=options.durable)


def _print(*lines: str) -> None:
    print("\n".join(lines), flush=True)  # noqa: T201


def _report(database: str, size: Size, workers: int, *, is_durable: bool) -> None:
    """Print the cost of a month while it is measured, then that of the pages."""
    title = f"{database}: {size.players:,} players, {size.reports:,} reports, {size.games:,} games"
    _print(f"\n### {title}\n", "| step | wall | processor | peak memory | each |", "|---|---|---|---|---|")
    seconds: dict[str, float] = {}
    with portal(on=database, is_durable=is_durable) as (folder, environment):
        # In another process: the peak memory of this one would count for each process that it starts.
        with ProcessPoolExecutor(1) as generator:
            source, reports = generator.submit(write_month, folder, size).result()
        for step, what in _month(database, source, reports, workers, folder, environment):
            _print(step.row({"player": size.players, "game": size.games}.get(what, 0), what))
            seconds[step.name] = step.seconds
        for what, times in json.loads((reports / TIMES).read_text()).items():
            if times:
                mean = sum(times) / len(times)
                _print(f"| {what}, mean of {len(times)} | {mean:.2f} s, slowest {max(times):.2f} s | | | |")
        total = seconds[SUBMITTED] + seconds[PUBLISHED]
        floors = seconds[RATED] + seconds.get(COPIED, 0)
        _print(
            f"| the month: read to published | {total:.1f} s, {total / floors:.2f} times its floors | | | |\n"
        )
        if database == "postgresql":
            measure("housekeeping, as minutes later", [["-m", "benchmarks.steps", "house"]], environment)
            # A subprocess that prints its lines itself, while the database is running.
            subprocess.run([sys.executable, "-m", "benchmarks.pages"], env=environment, cwd=ROOT, check=True)


def _month(
    database: str, source: Path, reports: Path, workers: int, folder: Path, environment: Mapping[str, str]
) -> Iterator[tuple[Measured, str]]:
    """Yield each step with what its cost is divided by."""
    for name, on in (("import a first list", "2025-12-01"), ("import the next month's", "2026-01-01")):
        command = [MANAGE, "import_fide_list", str(source), "--date", on]
        yield measure(name, [command], environment), "player"
    if database == "postgresql":
        house = ["-m", "benchmarks.steps", "house"]
        yield measure("the server's housekeeping after them", [house], environment), ""
    yield measure(SUBMITTED, [submission(reports, workers)], environment), "game"
    for step in _published(database, workers, folder, environment):
        yield step, "player"
    command = [MANAGE, "verify_list", "rapid", MONTH]
    yield measure("verify the rapid list", [command], environment), "player"
    # In one process, each previewed first.
    command = ["-m", "benchmarks.reports", str(reports)]
    yield measure("correct published reports", [command], environment), ""
    for what, name in (("read", "floor: the reports read"), ("rate", RATED)):
        yield measure(name, [["-m", "benchmarks.floor", what, str(reports)]], environment), "game"
    if database == "postgresql":
        yield measure(COPIED, [["-m", "benchmarks.floor", "copy"]], environment), "game"


def _published(
    database: str, workers: int, folder: Path, environment: Mapping[str, str]
) -> Iterator[Measured]:
    """Publish by Celery and Redis on PostgreSQL, both lists at once, else by the command."""
    from tests.processes import celery_worker

    if database == "sqlite":
        yield measure(PUBLISHED, [[MANAGE, "publish_lists", MONTH]], environment)
        return
    with contextlib.ExitStack() as stack:
        pids = [
            stack.enter_context(celery_worker(environment, log=folder / f"worker-{number}.log")).pid
            for number in range(workers)
        ]
        for name, what in ((PUBLISHED, "publish"), ("pack their files, afterwards", "archive")):
            command = ["-m", "benchmarks.steps", what, MONTH]
            yield measure(name, [command], environment, workers=pids)


if __name__ == "__main__":
    main()
