"""A migrated database, made once and copied: the migrations take longer than most folders of tests.

It is kept in pytest's cache under the hash of what it follows from: the migrations and the locked libraries. Of
PostgreSQL that is a dump, where the run's server is that of the wheel.
Django migrates the copy as well, which then has nothing to do but the rows that follow each migration.
On the way it is copied as a former release left it, for the test of what moves its rows.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit, urlunsplit

from tests.servers import postgresql_program

ROOT = Path(__file__).parent.parent
FOLDER = "TEST_TEMPLATES"
# The release before log and cases had their tables, with all that `portal` has now.
FORMER = [
    ("players", "0034_state_failures_by_code"),
    ("tournaments", "0042_state_holds_by_code"),
    ("ratings", "0039_state_reasons_jobs_imports_and_comparisons_by_code"),
]


def copy_template(target: Path, state: str = "") -> bool:
    """Copy the migrated SQLite database, or that of the state `former`; False where none has been made yet."""
    if not sqlite_template(state).exists():
        return False
    shutil.copyfile(sqlite_template(state), target)
    return True


def sqlite_template(state: str = "") -> Path:
    """Return where the migrated SQLite database is or will be, or that of the state `former`."""
    return Path(os.environ[FOLDER]) / f"{_sources_hash()}{state}.sqlite3"


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
            _make_sqlite_template(creation)
            return create_sqlite(creation, *args, **kwargs)

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


@contextmanager
def migrating_quickly() -> Iterator[None]:
    """Let an operation make its own model anew, not all that relate to it: that takes three quarters of the time.

    Operations in Python still find all models anew, and so does what follows the last migration.
    """
    from django.db.migrations.state import ProjectState

    def only_itself(state: Any, app_label: str, model_name: str, delay: bool = False) -> set[tuple[str, str]]:
        state.is_delayed = True
        return {(app_label, model_name)}

    with patch.object(ProjectState, "_find_reload_model", only_itself):
        yield


def postgresql_template(state: str = "") -> str:
    """Return the name of the migrated PostgreSQL database, or of that of the state `former`."""
    return f"rating_portal_{_sources_hash()}{state}"


@functools.cache
def _sources_hash() -> str:
    digest = hashlib.sha256((ROOT / "requirements.lock").read_bytes() + repr(FORMER).encode())
    for path in sorted(ROOT.glob("*/migrations/*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let the other test processes wait: they copy what the first one makes."""
    with (Path(os.environ[FOLDER]) / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make_sqlite_template(creation: Any) -> None:
    """Migrate the template, unless a test process or a run before has done so."""
    if sqlite_template().exists():
        return
    unfinished = sqlite_template("unfinished")
    unfinished.unlink(missing_ok=True)
    _migrate(creation, str(unfinished), lambda: shutil.copyfile(unfinished, sqlite_template("former")))
    unfinished.replace(sqlite_template())


def _make_postgresql_template(creation: Any) -> None:
    """Migrate the template of this server, or restore it, unless a test process has done so."""
    name, former = postgresql_template(), postgresql_template("former")
    is_from_wheel = "TEST_DATABASE_URL" not in os.environ
    with creation._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if cursor.fetchone():
            return
        cursor.execute(f"CREATE DATABASE {name}")
        if is_from_wheel and _dump(name).exists():
            cursor.execute(f"CREATE DATABASE {former}")
            for one in (name, former):
                _restore(one, _url(one))
            return

        def keep_former() -> None:
            cursor.execute(f"CREATE DATABASE {former} TEMPLATE {name}")

        _migrate(creation, name, keep_former)
    if is_from_wheel:
        # The one that is looked for comes last.
        for one in (former, name):
            unfinished = _dump(one).with_suffix(".unfinished")
            _run_postgresql("pg_dump", "--format=custom", "--file", unfinished, _url(one))
            unfinished.replace(_dump(one))


def migrate_postgresql(address: str) -> None:
    """Migrate an empty database of a server of the wheel, where a run on PostgreSQL has kept a migrated one."""
    if _dump(postgresql_template()).exists():
        _restore(postgresql_template(), address)


def _restore(name: str, address: str) -> None:
    _run_postgresql("pg_restore", "--exit-on-error", "--dbname", address, _dump(name))


def _dump(name: str) -> Path:
    return Path(os.environ[FOLDER]) / f"{name}.dump"


def _url(name: str) -> str:
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))


def _run_postgresql(program: str, *words: str | Path) -> None:
    subprocess.run([postgresql_program(program), *words], check=True)


def _migrate(creation: Any, name: str, keep_former: Callable[[], object]) -> None:
    """Migrate an empty database, and keep it as the former release left it on the way."""
    from django.core.management import call_command
    from django.db import connections

    connection = connections[creation.connection.alias]
    connection.close()
    own_name = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = name
    try:
        with migrating_quickly():
            for target in (*FORMER, ("portal",)):
                call_command("migrate", *target, verbosity=0, interactive=False, database=connection.alias)
            connection.close()
            keep_former()
            call_command("migrate", verbosity=0, interactive=False, database=connection.alias)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own_name
