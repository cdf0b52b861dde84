from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis
from django.conf import settings

from tests.processes import kill_at_once, wait_until

pytestmark = pytest.mark.program

PRINTED = re.compile(r"^export DATABASE_URL=(\S+) REDIS_URL=(\S+)$", re.MULTILINE)


def postgresql_of(database_url: str) -> tuple[int, Path]:
    """Return the process id of the server and its folder."""
    with psycopg.connect(database_url) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row is not None
    data = Path(row[0])
    return int((data / "postmaster.pid").read_text().split()[0]), data.parent


def redis_of(redis_url: str) -> tuple[int, Path]:
    """Return the process id of the server and its folder."""
    with redis.Redis.from_url(redis_url) as store:
        return int(store.info("server")["process_id"]), Path(store.config_get("dir")["dir"])


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells a child that its parent is gone")
def test_servers_of_a_killed_run_do_not_live_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("w") as output:
        run = subprocess.Popen(
            [sys.executable, "-m", "tests.servers"],
            cwd=settings.BASE_DIR,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_until(lambda: PRINTED.search(log.read_text()) is not None, what="the servers' start")
        [(database_url, redis_url)] = PRINTED.findall(log.read_text())
        servers = [postgresql_of(database_url), redis_of(redis_url)]
        processes = [Path(f"/proc/{pid}") for pid, _ in servers]
        assert [process.exists() for process in processes] == [True, True]

        run.kill()
        run.wait()

        wait_until(lambda: not any(process.exists() for process in processes), what="the servers' end")
        for _, folder in servers:
            shutil.rmtree(folder)
    finally:
        kill_at_once(run)
