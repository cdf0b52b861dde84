"""A migration that is killed: the next one goes on from there."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from tests.faults.processes import end, kill_before, start
from tests.template import migrating_quickly

pytestmark = pytest.mark.django_db(transaction=True)
# In the middle of a migration that makes several tables.
MIGRATION, STATEMENT = ("ratings", "0001_squashed_0031"), 'CREATE TABLE "ratings_listentry"'


def empty_database(folder: Path) -> str:
    """Return the name of a database in which nothing is."""
    if connection.vendor == "sqlite":
        return str(folder / "interrupted.sqlite3")
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS interrupted")
        server.execute("CREATE DATABASE interrupted")
    return "interrupted"


def test_migration_killed_in_the_middle_goes_on(tmp_path: Path) -> None:
    name = empty_database(tmp_path)

    def migrate() -> None:
        connection.settings_dict["NAME"] = name
        with migrating_quickly():
            call_command("migrate", *MIGRATION, verbosity=0)

    def is_there_but_for_what_was_broken_off() -> None:
        connection.settings_dict["NAME"] = name
        tables = connection.introspection.table_names()
        assert "tournaments_report" in tables
        assert [table for table in tables if table.startswith("ratings_")] == []

    def is_there() -> None:
        connection.settings_dict["NAME"] = name
        assert "ratings_listentry" in connection.introspection.table_names()
        call_command("migrate", *MIGRATION, check_unapplied=True, verbosity=0)

    kill_before(STATEMENT, migrate)
    assert end(start(is_there_but_for_what_was_broken_off)) == 0

    assert end(start(migrate)) == 0
    assert end(start(is_there)) == 0
