"""Celery workers of a benchmark, and their jobs: `python -m benchmarks.workers WHAT ...`.

`publish MONTH`: queue the month as on the 1st, and wait until both lists are published.
`pack`: wait until the workers have compressed the files of both, which they do after publication.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from tests.processes import celery_worker

TICKS = os.sysconf("SC_CLK_TCK")
POLL_SECONDS = 0.25


@contextlib.contextmanager
def celery_workers(environments: Sequence[Mapping[str, str]], folder: Path) -> Iterator[Workers]:
    """Run a one-process Celery worker in each environment during the block. They share one Redis."""
    with contextlib.ExitStack() as stack:
        started = [
            stack.enter_context(celery_worker(environment, log=folder / f"worker-{number}.log"))
            for number, environment in enumerate(environments)
        ]
        yield Workers([worker.pid for worker in started])


class Workers:
    """Running workers with their processor time and memory."""

    def __init__(self, pids: Sequence[int]) -> None:
        self.pids = pids

    def processor_seconds(self) -> float:
        return sum(_processor(process) for process in self._processes())

    def peak_memory(self) -> int:
        """Return the peak memory of the largest of their processes, in bytes."""
        return max(_peak(process) for process in self._processes())

    def _processes(self) -> Iterator[int]:
        for pid in self.pids:
            yield pid
            yield from map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def _processor(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / TICKS


def _peak(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def publish(month: date) -> None:
    """Queue a month and wait until it is published. Raise SystemExit if that fails."""
    from django.db import transaction
    from django.utils import timezone

    from ratings.choices import Work
    from ratings.services.due_runs import make_all_due, names_of_month

    with transaction.atomic():
        make_all_due(Work.PUBLISH, names_of_month(month), at=timezone.now())
    _wait(Work.PUBLISH)


def pack() -> None:
    """Wait until the published files are compressed. Raise SystemExit if that fails."""
    from ratings.choices import Work

    _wait(Work.ARCHIVE)


def _wait(work: str) -> None:
    from ratings.choices import RunState
    from ratings.models import Run

    while states := dict(
        Run.objects.filter(work=work).exclude(state=RunState.DONE).values_list("state", "error")
    ):
        if RunState.FAILED in states:
            sys.exit(states[RunState.FAILED])
        time.sleep(POLL_SECONDS)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    what, *given = sys.argv[1:]
    if what == "publish":
        publish(date.fromisoformat(given[0]))
    else:
        pack()
