"""What the benchmarks share: a portal on servers of its own, and steps as processes with their seconds and memory.

`python -m benchmarks.steps WHAT ...` runs a step that no command of the portal is:
`house`: VACUUM ANALYZE, which autovacuum would run within minutes of an import, so that later steps do not.
`publish MONTH`: queue the month as on the 1st, and wait until both lists are published.
`archive`: wait until the workers have compressed the files of both, which they do after publication.
"""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmarks.reports import submission, write_reports
from benchmarks.world import Size, write_list

ROOT = Path(__file__).resolve().parent.parent
MANAGE = str(ROOT / "manage.py")
MEBIBYTE = 1 << 20
TICKS = os.sysconf("SC_CLK_TCK")
POLL_SECONDS = 0.25
MEMORY = {"shared_buffers": "1GB", "max_wal_size": "4GB"}
# The servers of the tests would lose what was committed in a crash of the machine; an installation would not.
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}


@contextlib.contextmanager
def portal(*, on: str = "postgresql", is_durable: bool = False) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield a temporary folder, and the environment of an empty portal in it with servers of its own."""
    from tests.servers import postgresql_server, redis_server

    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        environment = {
            key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL")
        }
        environment |= {"PORTAL_VAR_DIR": str(folder / "var"), "LOG_LEVEL": "WARNING"}
        if on == "postgresql":
            options = MEMORY | (DURABLE if is_durable else {})
            environment["DATABASE_URL"] = stack.enter_context(postgresql_server(**options))
            environment["REDIS_URL"] = stack.enter_context(redis_server())
        measure("migrate", [[MANAGE, "migrate", "--verbosity=0"]], environment)
        yield folder, environment


def machine(*, is_durable: bool = False) -> str:
    """Return what figures depend on: the machine, the code and the settings of PostgreSQL."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (1 << 30)
    options = MEMORY | (DURABLE if is_durable else dict.fromkeys(DURABLE, "off"))
    server = ", ".join(f"{name}={value}" for name, value in options.items())
    python = platform.python_version()
    return f"{os.cpu_count()} cores, {memory} GiB, Python {python}, commit {commit}; PostgreSQL: {server}"


def write_month(folder: Path, size: Size) -> tuple[Path, Path]:
    """Write a list and the reports of January 2026; return the file and the folder."""
    source, reports = folder / "list.txt", folder / "reports"
    write_list(source, size)
    write_reports(reports, size, year=2026, month=1)
    return source, reports


def play(folder: Path, size: Size, environment: Mapping[str, str]) -> None:
    """Fill the database with a list and the rated reports of its month."""
    source, reports = write_month(folder, size)
    measure("import", [[MANAGE, "import_fide_list", str(source), "--date", "2026-01-01"]], environment)
    measure("reports", [submission(reports, 2)], environment)


@dataclass(frozen=True, slots=True)
class Measured:
    """A step: its wall-clock and processor seconds, and the peak memory of its largest process in bytes.

    `database` are the processor seconds of the PostgreSQL server in that time.
    """

    name: str
    seconds: float
    processor: float
    memory: int
    database: float = 0.0

    def row(self, count: int = 0, what: str = "") -> str:
        """Return a row of the table. The last cell is the processor time per game or player in microseconds."""
        processor = f"{self.processor:.1f} s" + (f" + {self.database:.1f} s" if self.database else "")
        each = f"{1e6 * (self.processor + self.database) / count:.0f} µs a {what}" if count else ""
        return (
            f"| {self.name} | {self.seconds:.1f} s | {processor} | {self.memory // MEBIBYTE} MiB | {each} |"
        )


def measure(
    name: str,
    commands: Sequence[Sequence[str]],
    environment: Mapping[str, str],
    *,
    workers: Sequence[int] = (),
) -> Measured:
    """Run commands in parallel and return their cost, with that of running workers (their process ids).

    Raise SystemExit if a command fails.
    """
    began, served = time.monotonic(), _server_seconds(environment)
    worked = sum(map(_seconds, _with_children(workers)))
    processes = [
        subprocess.Popen(  # noqa: S603 our own commands
            [sys.executable, *command], env=dict(environment), cwd=ROOT, stdout=subprocess.DEVNULL
        )
        for command in commands
    ]
    ended = [os.wait4(process.pid, 0) for process in processes]
    if any(status for _, status, _ in ended):
        raise SystemExit(f"{name} failed")
    family = _with_children(workers)
    return Measured(
        name,
        time.monotonic() - began,
        sum(usage.ru_utime + usage.ru_stime for _, _, usage in ended) + sum(map(_seconds, family)) - worked,
        max([usage.ru_maxrss * 1024 for _, _, usage in ended] + [_peak(process) for process in family]),
        _server_seconds(environment) - served,
    )


def _server_seconds(environment: Mapping[str, str]) -> float:
    """Return the processor seconds of the database server in the environment, 0 without one."""
    url = environment.get("DATABASE_URL", "")
    if not url:
        return 0.0
    folder = Path(unquote(urlsplit(url).netloc.rpartition("@")[2]))
    postmaster = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    return sum(map(_seconds, _with_children([postmaster]))) + _seconds(postmaster, of_ended_children=True)


def _with_children(processes: Sequence[int]) -> list[int]:
    children = (Path(f"/proc/{one}/task/{one}/children").read_text().split() for one in processes)
    return [*processes, *(int(child) for found in children for child in found)]


def _seconds(process: int, *, of_ended_children: bool = False) -> float:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return 0.0
    # After the name: utime and stime, then those of ended children.
    first = 13 if of_ended_children else 11
    return sum(map(int, stat.rpartition(")")[2].split()[first : first + 2])) / TICKS


def _peak(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def _keep_house() -> None:
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")


def _publish(month: date) -> None:
    from django.db import transaction
    from django.utils import timezone

    from ratings.choices import Work
    from ratings.due_runs import make_all_due, names_of_month

    with transaction.atomic():
        make_all_due(Work.PUBLISH, names_of_month(month), at=timezone.now())


def _wait(work: str) -> None:
    """Wait until all work of a kind is done. Raise SystemExit if some fails."""
    from ratings.choices import RunState
    from ratings.models import Run

    while states := dict(
        Run.objects.filter(work=work).exclude(state=RunState.DONE).values_list("state", "error")
    ):
        if RunState.FAILED in states:
            sys.exit(states[RunState.FAILED])
        time.sleep(POLL_SECONDS)


def main(what: str, *given: str) -> None:
    if what == "house":
        _keep_house()
        return
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    if what == "publish":
        _publish(date.fromisoformat(given[0]))
    _wait(what)


if __name__ == "__main__":
    main(*sys.argv[1:])
