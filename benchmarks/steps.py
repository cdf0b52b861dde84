"""Running a step as processes of its own, with their seconds and the memory of the largest.

`python -m benchmarks.steps` runs VACUUM ANALYZE, which autovacuum would run within minutes of an import, so that
the next steps do not include it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmarks.workers import Workers

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Measured:
    """A step: its wall-clock and processor seconds, and the peak memory of its largest process in bytes.

    `database` are the processor seconds of the PostgreSQL server in that time, `among` the number of games or
    players.
    """

    name: str
    seconds: float
    processor: float
    memory: int
    database: float = 0.0
    among: tuple[int, str] | None = None

    def for_each(self, count: int, what: str) -> Measured:
        """Return the step with its number of games or players."""
        return replace(self, among=(count, what))

    def row(self) -> str:
        """Return a row of the table. The last cell is the processor time per game or player in microseconds."""
        processor = f"{self.processor:.1f} s" + (f" + {self.database:.1f} s" if self.database else "")
        each = ""
        if self.among:
            count, what = self.among
            each = f"{1e6 * (self.processor + self.database) / count:.0f} µs a {what}"
        return (
            f"| {self.name} | {self.seconds:.1f} s | {processor} | {self.memory // MEBIBYTE} MiB | {each} |"
        )


def measure(
    name: str,
    commands: Sequence[Sequence[str]],
    environment: Mapping[str, str],
    *,
    workers: Workers | None = None,
) -> Measured:
    """Run commands in parallel and return their cost, with that of workers that are running already.

    Raise SystemExit if a command fails.
    """
    began, served = time.monotonic(), processor_seconds(environment)
    worked = workers.processor_seconds() if workers else 0.0
    processes = [
        subprocess.Popen(  # noqa: S603 our own commands
            [sys.executable, *command], env=dict(environment), stdout=subprocess.DEVNULL
        )
        for command in commands
    ]
    ended = [os.wait4(process.pid, 0) for process in processes]
    if any(status for _, status, _ in ended):
        raise SystemExit(f"{name} failed")
    return Measured(
        name,
        time.monotonic() - began,
        sum(usage.ru_utime + usage.ru_stime for _, _, usage in ended)
        + (workers.processor_seconds() - worked if workers else 0.0),
        max(*(usage.ru_maxrss * 1024 for _, _, usage in ended), workers.peak_memory() if workers else 0),
        processor_seconds(environment) - served,
    )


TICKS = os.sysconf("SC_CLK_TCK")
# Fields of /proc/PID/stat after the name: utime and stime, then those of ended children.
OWN, WITH_CHILDREN = slice(11, 13), slice(11, 15)


def processor_seconds(environment: Mapping[str, str]) -> float:
    """Return the processor seconds of the database server in the environment, 0 without one."""
    url = environment.get("DATABASE_URL", "")
    if not url.startswith("postgresql://"):
        return 0.0
    folder = Path(unquote(urlsplit(url).netloc.rpartition("@")[2]))
    postmaster = (folder / "data" / "postmaster.pid").read_text().split()[0]
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return _seconds(postmaster, WITH_CHILDREN) + sum(_seconds(child, OWN) for child in children)


def keep_house() -> None:
    """Vacuum and analyze all tables of the environment's database."""
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")


def _seconds(process: str, fields: slice) -> float:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return 0.0
    return sum(int(value) for value in stat.rpartition(")")[2].split()[fields]) / TICKS


if __name__ == "__main__":
    keep_house()
