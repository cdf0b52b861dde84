"""An installation beside the test's own: another database, another folder, and the commands that are run there."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.conf import settings
from django.core.management import execute_from_command_line
from django.db import connection
from django.test import override_settings

from tests.faults.processes import end, start
from tests.servers import postgresql_program
from tests.shared import lists_in
from tests.snapshots import list_folder


@dataclass(frozen=True, slots=True)
class Installation:
    """The name of a database (on SQLite its file), or its address, and the folder that the portal writes to."""

    database: str
    folder: Path
    secret_key: str = settings.SECRET_KEY

    def run(self, *words: str, code: int = 0) -> str:
        """Run a command of manage.py and return what it prints; AssertionError where it ends with another code.

        It runs in a copy of this process: what a process costs that starts is not what is tested.
        """
        output = self.folder.with_name(f"{self.folder.name}.said")

        def there() -> None:
            connection.settings_dict["NAME"] = self.database
            os.environ["PATH"] = f"{postgresql_program('pg_dump').parent}:{os.environ['PATH']}"
            with (
                output.open("w") as said,
                redirect_stdout(said),
                redirect_stderr(said),
                override_settings(VAR_DIR=self.folder, SECRET_KEY=self.secret_key),
                lists_in(self.folder / "lists"),
            ):
                execute_from_command_line(["manage.py", *words])

        status = end(start(there))
        found = output.read_text()
        assert status == code, found
        return found

    def run_anew(self, *words: str) -> str:
        """Run a command in a process that starts, as `run`: nothing of this one is there yet."""
        environment = os.environ | {
            "DATABASE_URL": self.database if "://" in self.database else f"sqlite:///{self.database}",
            "PORTAL_VAR_DIR": str(self.folder),
            "SECRET_KEY": self.secret_key,
        }
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def with_key(self, key: str) -> Installation:
        """Return this installation with another SECRET_KEY."""
        return replace(self, secret_key=key)


def copied_database(folder: Path) -> str:
    """Copy the test's database as docs/operations.md says, while it is open, and return the copy's name."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        copy = folder / "copy.sqlite3"
        with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        return str(copy)
    given = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(urlunsplit(given), autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS restored WITH (FORCE)")
        server.execute("CREATE DATABASE restored")
    dump = folder / "portal.dump"
    source_url, target_url = (urlunsplit(given._replace(path=f"/{path}")) for path in (name, "restored"))
    run = [postgresql_program("pg_dump"), "--format=custom", f"--file={dump}", source_url]
    subprocess.run(run, check=True, capture_output=True)
    restore = [postgresql_program("pg_restore"), "--exit-on-error", f"--dbname={target_url}", dump]
    subprocess.run(restore, check=True, capture_output=True)
    return "restored"


def installed(folder: Path) -> Installation:
    """Return an installation with a copy of the test's database and of its list files."""
    installation = Installation(copied_database(folder), folder / "var")
    shutil.copytree(list_folder(), installation.folder / "lists")
    return installation
