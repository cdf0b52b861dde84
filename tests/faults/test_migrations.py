"""A migration that is killed: the next one goes on from there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.conf import settings
from django.db import connection

from tests.faults.processes import CHANCE, ROUNDS


def empty_database(folder: Path) -> str:
    if connection.vendor == "sqlite":
        return f"sqlite:///{folder / 'interrupted.sqlite3'}"
    given = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(urlunsplit(given), autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS interrupted")
        server.execute("CREATE DATABASE interrupted")
    return urlunsplit(given._replace(path="/interrupted"))


def test_migration_killed_at_any_point_goes_on(tmp_path: Path) -> None:
    environment = os.environ | {"DATABASE_URL": empty_database(tmp_path), "PORTAL_VAR_DIR": str(tmp_path)}
    migrate = [sys.executable, str(settings.BASE_DIR / "manage.py"), "migrate", "--verbosity", "0"]
    for _ in range(ROUNDS):
        running = subprocess.Popen(migrate, env=environment, stderr=subprocess.DEVNULL)
        time.sleep(CHANCE.uniform(1, 5))
        running.kill()
        running.wait()

    assert subprocess.run(migrate, env=environment, check=False).returncode == 0
    assert subprocess.run([*migrate, "--check"], env=environment, check=False).returncode == 0
