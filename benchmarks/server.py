"""What the PostgreSQL server of a benchmark has worked so far, all its processes together; and its housekeeping.

`python -m benchmarks.server` does at once what autovacuum does within minutes of an import, so that it is not counted
among what comes after.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

TICKS = os.sysconf("SC_CLK_TCK")
# Fields of /proc/PID/stat after the name: utime and stime, and the same of children that have ended.
OWN, WITH_CHILDREN = slice(11, 13), slice(11, 15)


def processor_seconds(environment: Mapping[str, str]) -> float:
    """Return the processor seconds of the server that the environment names; 0 where it names none."""
    url = environment.get("DATABASE_URL", "")
    if not url.startswith("postgresql://"):
        return 0.0
    folder = Path(unquote(urlsplit(url).netloc.rpartition("@")[2]))
    postmaster = (folder / "data" / "postmaster.pid").read_text().split()[0]
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return _seconds(postmaster, WITH_CHILDREN) + sum(_seconds(child, OWN) for child in children)


def keep_house() -> None:
    """Vacuum and analyze all tables of the database of the environment."""
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
