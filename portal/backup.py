"""Backup and restore of the whole portal: the database, the files of the lists, and the names of the keys.

A backup is a folder: the database's copy, `lists/`, and `backup.json` with the SHA-256 of each file and a fingerprint
of each key. Keys themselves are not in it: they are kept elsewhere, or they would protect nothing. Nor are sessions and
limits of sign-in: nobody is signed in by a copy. Private links of emails are encrypted by one of the keys.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.files.storage import storages
from django.core.management import call_command
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3._functions import register  # type: ignore[import-untyped]
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Max

from core.bulk import BATCH, loading, stream_rows
from core.errors import refused
from players.choices import Area, Deed
from players.models import LogEntry
from players.models.log import record_act
from portal.presence import present
from ratings.models import ListArchive, ListFile

CONTENTS = "backup.json"
SQLITE_COPY, POSTGRESQL_DUMP = "portal.sqlite3", "portal.dump"
LEFT_OUT = ("django_session", "usersessions_usersession")
CHUNK = 1 << 20
# A month's reports are too many to lose.
BACKUP_TIME = timedelta(days=7)
KEPT_NAME, KEPT_GLOB = re.compile(r"\d{4}-\d\d-\d\dT\d{6}Z"), "[0-9]*T[0-9]*Z"
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def make_backup(folder: Path, *, at: datetime, with_files: bool = True, by_name: str = "") -> dict[str, Any]:
    """Write a backup into a new folder and return its contents; the folder appears complete or not at all.

    The audit log records who made it. `RefusedError` where the folder exists, the copy fails its check or a
    program is missing.
    """
    if folder.exists():
        raise refused("folder-exists", f"{folder} already exists. Choose a new folder.")
    # Beside the folder: a rename does not cross file systems.
    draft = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=PRIVATE_FOLDER, parents=True)
    # The database first: lists that are published meanwhile only add files that the copy does not name.
    name = _copy_database(draft)
    files = [name, *(_copy_files(draft) if with_files else [])]
    contents = {
        "made_at": at.isoformat(),
        "database": name,
        "keys": keys(),
        "sha256": {path: _digest(draft / path) for path in files},
    }
    (draft / CONTENTS).write_text(json.dumps(contents, indent=1))
    for path in draft.rglob("*"):
        path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)
    draft.rename(folder)
    # Only of a backup that is whole: the warning about missing backups goes by this entry.
    record_act(Area.PORTAL, Deed.BACKUP, folder.name, by=None, by_name=by_name, at=at)
    return contents


def make_kept_backup(folder: Path, *, keep: int, at: datetime, **options: Any) -> tuple[Path, dict[str, Any]]:
    """Write a backup into a folder of folders, named by the instant, and then remove all but the newest there.

    What a killed one has left goes too. Other files and folders stay.
    """
    made = folder / f"{at:%Y-%m-%dT%H%M%SZ}"
    contents = make_backup(made, at=at, **options)
    older = sorted(path for path in folder.iterdir() if KEPT_NAME.fullmatch(path.name))
    for path in [*folder.glob(f"{KEPT_GLOB}.partial"), *older[:-keep]]:
        shutil.rmtree(path)
    return made, contents


def last_backup() -> datetime | None:
    """Return when the last backup was made, None where none is known."""
    made = LogEntry.objects.filter(area=Area.PORTAL, action=Deed.BACKUP)
    last: datetime | None = made.aggregate(last=Max("at"))["last"]
    return last


def backup_problem(at: datetime) -> str | None:
    """Return what is wrong with the last backup at the instant, None where nothing is."""
    last = last_backup()
    if last is None:
        return "No backup was made with rating-portal backup."
    return f"The last backup was made on {last:%Y-%m-%d}." if at - last > BACKUP_TIME else None


def restore_backup(folder: Path) -> list[str]:
    """Put a backup in the place of the database and the files, and return what is still to be done by hand.

    The database changes as a whole: a crash leaves the one before. On SQLite what a killed process left beside the
    file (`-wal`) is taken in and replaced with the rest. A backup of SQLite is restored on PostgreSQL, too.
    `RefusedError` where the backup is not whole, or where anything runs on the database.
    """
    if users := ", ".join(_users_of_the_database()):
        raise refused("in-use", f"The portal is in use by {users}. Stop that first.")
    contents = _read_contents(folder)
    if contents["database"] == SQLITE_COPY and connection.vendor == "postgresql":
        move_to_postgresql(folder / SQLITE_COPY)
    elif contents["database"] != _copy_name():
        raise refused(
            "other-database", "The backup was made from PostgreSQL. Set DATABASE_URL to restore it there."
        )
    elif contents["database"] == SQLITE_COPY:
        _restore_sqlite(folder / SQLITE_COPY)
    else:
        # On another machine the role has another name: objects then belong to whoever restores.
        _run_postgresql("pg_restore", "--clean", "--if-exists", "--exit-on-error", "--single-transaction",
                        "--no-owner", str(folder / POSTGRESQL_DUMP))  # fmt: skip
    storage = storages["lists"]
    for source in (path for path in (folder / "lists").rglob("*") if path.is_file()):
        path = source.relative_to(folder / "lists").as_posix()
        # `save` gives a file another name where one is there already.
        storage.delete(path)
        with source.open("rb") as file:
            storage.save(path, file)
    return [*_other_keys(contents["keys"])]


def _users_of_the_database() -> Iterator[str]:
    """Yield the processes of this machine, and the connections of all that the database server knows."""
    yield from present(settings.VAR_DIR)
    if connection.vendor == "postgresql":
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pid, COALESCE(host(client_addr), 'this machine'), application_name FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            for process, address, name in cursor.fetchall():
                yield f"connection {process} from {address} {name}".strip()


def keys() -> dict[str, str]:
    """Return a fingerprint of each key that is set, by its variable."""
    held = {
        "SECRET_KEY": settings.SECRET_KEY,
        "SECRETS_KEY": ",".join(settings.SECRETS_KEYS),
        "LIST_SIGNING_KEY": settings.LIST_SIGNING_KEY,
    }
    return {name: _fingerprint(name, key) for name, key in held.items() if key}


def _fingerprint(name: str, key: str) -> str:
    # Slow on purpose: a short key is not found from its fingerprint.
    return hashlib.pbkdf2_hmac("sha256", key.encode(), f"backup {name}".encode(), 200_000).hex()[:16]


def _other_keys(known: Mapping[str, str]) -> Iterator[str]:
    now = keys()
    for name, fingerprint in known.items():
        if now.get(name) != fingerprint:
            yield f"{name} is different from the backup. Set the value used for the backup."


def _copy_name() -> str:
    return SQLITE_COPY if connection.vendor == "sqlite" else POSTGRESQL_DUMP


def _copy_database(draft: Path) -> str:
    name = _copy_name()
    if name == SQLITE_COPY:
        _copy_sqlite(Path(connection.settings_dict["NAME"]), draft / name)
    else:
        left_out = [f"--exclude-table-data={table}" for table in LEFT_OUT]
        _run_postgresql("pg_dump", "--format=custom", *left_out, f"--file={draft / name}")
    return name


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database as of one instant, while others write, and check the copy."""
    with closing(sqlite3.connect(source)) as there, closing(sqlite3.connect(target)) as here:
        # In one step: between several a writer would make SQLite begin the copy again.
        there.backup(here)
        # WAL would leave a part of the copy in a second file.
        here.execute("PRAGMA journal_mode=DELETE")
        # The functions that the constraints call.
        register(here)
        for table in LEFT_OUT:
            here.execute(f"DELETE FROM {table}")  # noqa: S608 - a name of our own
        here.commit()
        # What is deleted stays in the file's free pages.
        here.execute("VACUUM")
        _check(here, "The copy of the database")


def _restore_sqlite(copy: Path) -> None:
    """Write the copy over the database by SQLite itself: what lies beside the file is its own to replace."""
    target = Path(connection.settings_dict["NAME"])
    connection.close()
    target.parent.mkdir(parents=True, exist_ok=True)
    if not _is_readable(target):
        _set_aside(target)
    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(target, timeout=30)) as here:
        _check(source, "The database of the backup")
        source.backup(here)
        # The header of the copy says DELETE, with which a reader waits for whoever writes.
        here.execute("PRAGMA journal_mode=WAL")
        here.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _check(here, "The restored database")
    target.chmod(PRIVATE_FILE)


def _is_readable(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path)) as database:
            # To connect reads nothing: only a query shows whether the file is a database.
            database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.DatabaseError:
        return False
    return True


def _set_aside(path: Path) -> None:
    """Move a database that cannot be opened away, with all that belongs to it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(part.with_name(f"{path.name}.damaged{ending}"))


def _check(database: sqlite3.Connection, what: str) -> None:
    # The functions that the constraints call.
    register(database)
    found = [row[0] for row in database.execute("PRAGMA integrity_check(5)")]
    if found != ["ok"]:
        raise refused("damaged", f"{what} is damaged: {'; '.join(found)}")


def _run_postgresql(program: str, *words: str) -> None:
    if shutil.which(program) is None:
        raise refused("no-program", f"{program} is not installed. Install the PostgreSQL client programs.")
    given = connection.settings_dict
    # Not as arguments, which every user of the machine can see.
    environment = {
        "PGHOST": given["HOST"],
        "PGPORT": given["PORT"],
        "PGUSER": given["USER"],
        "PGPASSWORD": given["PASSWORD"],
        "PGSSLMODE": given["OPTIONS"].get("sslmode"),
    }
    set_ones = {name: str(value) for name, value in environment.items() if value}
    connection.close()
    done = subprocess.run(  # noqa: S603 - the programs are PostgreSQL's, the words ours
        [program, f"--dbname={given['NAME']}", *words],
        env=os.environ | set_ones,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise refused("failed", f"{program} failed: {done.stderr.strip()[-500:]}")


def _copy_files(draft: Path) -> Iterator[str]:
    """Copy the files of the lists; one that is missing is written again after a restore."""
    storage = storages["lists"]
    paths = [
        *ListFile.objects.values_list("path", flat=True),
        *ListArchive.objects.values_list("path", flat=True),
    ]
    for path in sorted(paths):
        if storage.exists(path):
            target = draft / "lists" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with storage.open(path) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file, CHUNK)
            yield f"lists/{path}"


def _read_contents(folder: Path) -> dict[str, Any]:
    """Return the contents of a backup; `RefusedError` if a file was changed."""
    try:
        contents: dict[str, Any] = json.loads((folder / CONTENTS).read_text())
        wrong = [path for path, digest in contents["sha256"].items() if _digest(folder / path) != digest]
    except (OSError, ValueError, KeyError) as error:
        raise refused("no-backup", f"{folder} is not a complete backup: {error}") from error
    if wrong:
        raise refused("changed", f"{wrong[0]} in the backup was changed or damaged.")
    return contents


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# From the embedded portal to PostgreSQL: the database of a SQLite backup, copied in one transaction.
EMBEDDED = "embedded"


def move_to_postgresql(copy: Path) -> None:
    """Put the rows of a SQLite database in the place of those in PostgreSQL, a table after the other, with their keys.

    `RefusedError`, and all as before, where the copy is of another release or PostgreSQL does not take a row.
    """
    call_command("migrate", verbosity=0, interactive=False)
    with opened_beside(copy) as embedded:
        executor = MigrationExecutor(embedded)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            message = (
                "The backup was made by another release. Upgrade the portal on SQLite, and back it up again."
            )
            raise refused("other-release", message)
        tables = [model for model in apps.get_models(include_auto_created=True) if not model._meta.proxy]
        try:
            with transaction.atomic():
                _empty(tables)
                with loading(*tables):
                    for table in tables:
                        _copy_rows(table)
                _continue_keys(tables, embedded)
        except DatabaseError as error:
            raise refused("failed", f"PostgreSQL does not take the backup: {error}") from error
    ContentType.objects.clear_cache()


@contextmanager
def opened_beside(copy: Path) -> Iterator[BaseDatabaseWrapper]:
    """Open a SQLite database beside the portal's own, for reading alone."""
    sqlite = {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{copy.absolute().as_uri()}?mode=ro"}
    given = {**connection.settings_dict, **sqlite, "OPTIONS": {"uri": True}}
    connections.databases[EMBEDDED] = given
    try:
        yield connections[EMBEDDED]
    finally:
        connections[EMBEDDED].close()
        del connections[EMBEDDED], connections.databases[EMBEDDED]


def _empty(tables: list[type[models.Model]]) -> None:
    names = ", ".join(connection.ops.quote_name(table._meta.db_table) for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {names}")


def _copy_rows(table: type[models.Model]) -> None:
    fields = [field.attname for field in table._meta.local_concrete_fields]
    # By the key, as they were written: an index of blocks goes by the place of rows.
    rows = table._base_manager.using(EMBEDDED).order_by("pk").values_list(*fields)
    # Django's is a generator, which must end before its connection does.
    stored: Any = rows.iterator(chunk_size=BATCH)
    with closing(stored):
        stream_rows(table, fields, stored)


def _continue_keys(tables: list[type[models.Model]], embedded: BaseDatabaseWrapper) -> None:
    """Let keys go on where SQLite would: one of a deleted row stands in links, and is given to no other."""
    keys = {table._meta.db_table: table._meta.pk.column for table in tables}
    with embedded.cursor() as source, connection.cursor() as cursor:
        source.execute("SELECT name, seq FROM sqlite_sequence WHERE seq > 0")
        for name, last in source.fetchall():
            if name in keys:
                values: list[Any] = [connection.ops.quote_name(name), keys[name], last]
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", values)
