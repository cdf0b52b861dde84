"""A migrated database, made once and copied: the migrations take longer than most folders of tests.

It is kept in pytest's cache under the hash of what it follows from: the migrations and the locked libraries.
Django migrates the copy as well, which then has nothing to do but the rows that follow each migration.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).parent.parent
FOLDER = "TEST_TEMPLATES"


def copy_template(target: Path) -> bool:
    """Copy the migrated SQLite database to a path; False where none has been made yet."""
    if not sqlite_template().exists():
        return False
    shutil.copyfile(sqlite_template(), target)
    return True


def sqlite_template() -> Path:
    """Return where the migrated SQLite database is, or will be."""
    return Path(os.environ[FOLDER]) / f"{_sources_hash()}.sqlite3"


@contextmanager
def databases_from_template() -> Iterator[None]:
    """Let Django create its test databases as copies of a migrated one, which the first test process makes."""
    from django.db.backends.postgresql.creation import DatabaseCreation as PostgreSQL
    from django.db.backends.sqlite3.creation import DatabaseCreation as SQLite

    create_sqlite, create_postgresql = SQLite.create_test_db, PostgreSQL.create_test_db
    empty_sqlite = SQLite._create_test_db  # type: ignore[attr-defined]

    def copied_sqlite(creation: Any, verbosity: int, autoclobber: bool, keepdb: bool = False) -> Any:
        name = empty_sqlite(creation, verbosity, autoclobber, keepdb)
        copy_template(Path(name))
        return name

    def migrated_sqlite(creation: Any, *args: Any, **kwargs: Any) -> Any:
        with _one_at_a_time():
            name = create_sqlite(creation, *args, **kwargs)
            if not sqlite_template().exists():
                _keep_sqlite(creation.connection)
        return name

    def migrated_postgresql(creation: Any, *args: Any, **kwargs: Any) -> Any:
        with _one_at_a_time():
            _make_postgresql_template(creation)
            creation.connection.settings_dict["TEST"]["TEMPLATE"] = postgresql_template()
            return create_postgresql(creation, *args, **kwargs)

    with (
        patch.object(SQLite, "_create_test_db", copied_sqlite),
        patch.object(SQLite, "create_test_db", migrated_sqlite),
        patch.object(PostgreSQL, "create_test_db", migrated_postgresql),
    ):
        yield


def postgresql_template() -> str:
    """Return the name of the migrated PostgreSQL database."""
    return f"rating_portal_{_sources_hash()}"


@functools.cache
def _sources_hash() -> str:
    digest = hashlib.sha256((ROOT / "requirements.lock").read_bytes())
    for path in sorted(ROOT.glob("*/migrations/*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let the other test processes wait: they copy what the first one makes."""
    with (Path(os.environ[FOLDER]) / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _keep_sqlite(connection: Any) -> None:
    target = sqlite_template()
    unfinished = target.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(unfinished)])
    unfinished.replace(target)


def _make_postgresql_template(creation: Any) -> None:
    """Migrate the template of this server, unless a test process has done so."""
    from django.core.management import call_command
    from django.db import connections

    with creation._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [postgresql_template()])
        if cursor.fetchone():
            return
        cursor.execute(f"CREATE DATABASE {postgresql_template()}")
    connection = connections[creation.connection.alias]
    connection.close()
    name = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = postgresql_template()
    try:
        call_command("migrate", verbosity=0, interactive=False, database=connection.alias)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name
