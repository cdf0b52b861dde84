"""`python -m benchmarks.machines`: a month on several machines that share PostgreSQL, Redis and an object store.

Each web process and each worker has a folder of its own (`PORTAL_VAR_DIR`), as on a machine of its own. One worker
rates all reports, then four, then four of which one is killed after a third of the reports: the rated games must be
the same. Four workers publish both lists; both web processes must send the same bytes, and another machine verifies
them. All machines share the cores of this one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from itertools import chain
from pathlib import Path
from urllib.request import urlopen

from benchmarks.readers import play
from benchmarks.steps import Measured, measure
from benchmarks.workers import Workers, celery_workers
from benchmarks.world import Size
from tests.processes import web_server
from tests.servers import object_store, postgresql_server, redis_server

MONTH = "2026-02-01"
WORKERS = 4
Machine = Callable[[str], dict[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.machines", description=__doc__)
    parser.add_argument("--size", type=float, default=0.1, help="fraction of FIDE's month")
    options = parser.parse_args()
    size = Size(options.size, late=0)
    print(  # noqa: T201
        f"{os.cpu_count()} cores, Python {platform.python_version()}; PostgreSQL, {size.players:,} players, "
        f"{size.reports:,} reports\n\n| step | wall | processor | peak memory | each |\n|---|---|---|---|---|"
    )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        machine = _machines(stack, folder)
        play(folder, size, machine("first"))
        for row in chain(_rated(size, folder, machine), _published(stack, size, folder, machine)):
            print(row, flush=True)  # noqa: T201


def _machines(stack: ExitStack, folder: Path) -> Machine:
    """Start what machines share; return the function that gives the environment of a machine by its name."""
    shared = {
        **os.environ,
        "DATABASE_URL": stack.enter_context(postgresql_server(shared_buffers="1GB", max_wal_size="4GB")),
        "REDIS_URL": stack.enter_context(redis_server()),
        **stack.enter_context(object_store("lists")),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "LOG_LEVEL": "WARNING",
    }
    return lambda name: {**shared, "PORTAL_VAR_DIR": str(folder / name)}


def _rated(size: Size, folder: Path, machine: Machine) -> Iterator[str]:
    """Yield a row for each round of rating. Raise SystemExit if two rounds give different figures."""
    told = folder / "rated.json"
    digests = set()
    for count, is_killed in ((1, False), (WORKERS, False), (WORKERS, True)):
        with _workers(count, folder, machine) as workers:
            command = ["-m", "benchmarks.workers", "rate", str(told)]
            title = f"rate {size.reports:,} reports, workers: {count}"
            if is_killed:
                # Its processor time is gone with it.
                command, title = [*command, str(workers.pids[0])], f"{title}, one killed"
            found = measure(title, [command], machine("first"), workers=None if is_killed else workers)
        seen = json.loads(told.read_text())
        digests.add(seen["digest"])
        yield found.for_each(size.games, "game").row()
        if is_killed:
            yield f"| jobs of {seen['reports']:,} that were started twice | {seen['again']} | | | |"
    if len(digests) != 1:
        raise SystemExit("the rounds give different figures")


def _published(stack: ExitStack, size: Size, folder: Path, machine: Machine) -> Iterator[str]:
    """Yield the rows of the publication. Raise SystemExit if two machines send different bytes."""
    with _workers(WORKERS, folder, machine) as workers:
        yield _by(workers, f"publish both lists, workers: {WORKERS}", "publish", MONTH, machine=machine).row()
        yield _by(workers, "pack their files, afterwards", "pack", machine=machine).row()
    bases = [
        stack.enter_context(web_server(machine(name), log=folder / f"{name}.log", workers=1))[0]
        for name in ("web-1", "web-2")
    ]
    names = [f"{kind}-{MONTH}.{ending}" for kind in ("rapid", "blitz") for ending in ("txt", "csv", "json")]
    for name in names:
        address = f"/lists/{name.partition('-')[0]}/{MONTH}/files/{name}"
        if len({_digest(f"{base}{address}") for base in bases}) != 1:
            raise SystemExit(f"{address}: two machines send different bytes")
    yield f"| the same bytes from both web processes | {len(names)} files | | | |"
    command = ["manage.py", "verify_list", "rapid", MONTH]
    yield measure("verify the rapid list on another machine", [command], machine("another")).row()


def _workers(count: int, folder: Path, machine: Machine) -> AbstractContextManager[Workers]:
    return celery_workers([machine(f"worker-{number}") for number in range(count)], folder)


def _by(workers: Workers, title: str, *what: str, machine: Machine) -> Measured:
    return measure(title, [["-m", "benchmarks.workers", *what]], machine("first"), workers=workers)


def _digest(address: str) -> str:
    with urlopen(address) as answer:  # noqa: S310 our own server
        return hashlib.file_digest(answer, "sha256").hexdigest()


if __name__ == "__main__":
    main()
