"""From the embedded portal to PostgreSQL: the database of a SQLite backup, copied in one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from core.bulk import BATCH, stream_rows
from core.empty_tables import loading
from core.errors import refused

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
