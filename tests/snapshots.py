"""The test's database and its list files as they stood, to be put back: a world is made once for many tests.

For tests whose processes must see what is committed; others share rows in a transaction.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from ratings.lists import forget_lists
from tests.clean import clean


class Worlds:
    """Snapshots by the name of what they hold, each taken where it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._taken: dict[str, Snapshot] = {}

    def stand(self, name: str, make: Callable[[], object]) -> None:
        """Let the world of this name stand: put it back, or make it the first time."""
        if name in self._taken:
            self.put_back(name)
            return
        clean()
        shutil.rmtree(list_folder(), ignore_errors=True)
        make()
        (self._folder / name).mkdir()
        self._taken[name] = Snapshot(self._folder / name)

    def put_back(self, name: str) -> None:
        """Put the world of this name back, which has stood before."""
        self._taken[name].restore()

    def remove(self) -> None:
        """Remove all of them."""
        for snapshot in self._taken.values():
            snapshot.remove()


class Snapshot:
    """What the database holds and which list files there are; on PostgreSQL it is a database of its own."""

    def __init__(self, folder: Path) -> None:
        """Take the snapshot, with the files that it needs in a folder that exists."""
        self._files, self._database = folder / "lists", folder / "database"
        self._copy = f"{connection.settings_dict['NAME']}_{folder.name}"
        if list_folder().exists():
            shutil.copytree(list_folder(), self._files)
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(self._database)) as copy:
                _connected().backup(copy)
        else:
            _copy_database(connection.settings_dict["NAME"], self._copy)

    def restore(self) -> None:
        """Put everything back, whatever is there now."""
        shutil.rmtree(list_folder(), ignore_errors=True)
        if self._files.exists():
            shutil.copytree(self._files, list_folder())
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(self._database)) as copy:
                copy.backup(_connected())
        else:
            _copy_database(self._copy, connection.settings_dict["NAME"])
        ContentType.objects.clear_cache()
        # Lists are told apart by keys and instants, which another world may have too.
        forget_lists()

    def remove(self) -> None:
        """Remove the copy."""
        if connection.vendor == "postgresql":
            with _server() as server:
                server.execute(f'DROP DATABASE IF EXISTS "{self._copy}"')


def list_folder() -> Path:
    """Return the folder of list files of the running test."""
    stores: Any = settings.STORAGES
    return Path(stores["lists"]["OPTIONS"]["location"])


def _connected() -> sqlite3.Connection:
    connection.ensure_connection()
    connected: sqlite3.Connection = connection.connection
    return connected


def _copy_database(source: str, target: str) -> None:
    # Nobody may use either; a process that a test killed may still seem to.
    connection.close()
    with _server() as server:
        server.execute(f'DROP DATABASE IF EXISTS "{target}" WITH (FORCE)')
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [source])
        server.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}"')


@contextmanager
def _server() -> Iterator[Any]:
    creation: Any = connection
    with creation._nodb_cursor() as cursor:
        yield cursor
