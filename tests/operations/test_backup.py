"""The backup of docs/operations.md, exercised: dump, an empty installation, restore, every list verified."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.core.files.storage import storages
from django.db import connection

from ratings.models import ListFile, RatingList
from ratings.services.publication.publish import publish_lists
from ratings.services.restore import RestoredFile, restore_files
from ratings.services.verification.verify import evidence_path
from tests.factories import noon
from tests.faults.world import MONTH, lists_of_the_month, play_a_month
from tests.ratings.played import NEXT_LIST, play_month
from tests.servers import postgresql_program


def manage(environment: dict[str, str], *words: str) -> str:
    """Run a command of the restored installation and return what it says."""
    done = subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def restored_sqlite(folder: Path) -> str:
    """Copy the database while it is open, and return the address of the copy."""
    copy = folder / "copy.sqlite3"
    name = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return f"sqlite:///{copy}"


def restored_postgresql(folder: Path) -> str:
    """Dump the database, restore it under another name, and return that one's address."""
    given = urlsplit(os.environ["DATABASE_URL"])
    source = urlunsplit(given._replace(path=f"/{connection.settings_dict['NAME']}"))
    target = urlunsplit(given._replace(path="/restored"))
    dump = folder / "portal.dump"
    with psycopg.connect(urlunsplit(given), autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS restored")
        server.execute("CREATE DATABASE restored")
    run = [postgresql_program("pg_dump"), "--format=custom", f"--file={dump}", source]
    subprocess.run(run, check=True, capture_output=True)
    restore = [postgresql_program("pg_restore"), "--exit-on-error", f"--dbname={target}", dump]
    subprocess.run(restore, check=True, capture_output=True)
    return target


@pytest.mark.django_db(transaction=True)
def test_restored_portal_verifies_every_list(tmp_path: Path) -> None:
    play_a_month(tmp_path)
    publish_lists(MONTH, by=None, at=noon(MONTH))
    restored = restored_sqlite if connection.vendor == "sqlite" else restored_postgresql
    empty = tmp_path / "another machine"
    environment = os.environ | {"DATABASE_URL": restored(tmp_path), "PORTAL_VAR_DIR": str(empty)}

    manage(environment, "migrate", "--check")
    written = manage(environment, "restore_files").splitlines()

    files = list(ListFile.objects.order_by("pk").values_list("path", flat=True))
    evidence = [evidence_path(item) for item in RatingList.objects.filter(origin="published").order_by("pk")]
    assert written == [*files, *evidence, f"{len(files) + len(evidence)} files written"]
    assert lists_of_the_month() == ["blitz", "rapid"]
    for rating_list in RatingList.objects.all():
        name = [rating_list.kind, rating_list.date.isoformat()]
        assert (
            manage(environment, "verify_list", *name)
            == f"{' '.join(name)}: verified, identical to the published files\n"
        )


def test_lost_and_damaged_files_are_written_again(db: None, tmp_path: Path) -> None:
    play_month()
    lost, damaged, *_ = ListFile.objects.filter(rating_list__date=NEXT_LIST).order_by("pk")
    storages["lists"].delete(lost.path)
    with storages["lists"].open(damaged.path, "r+b") as file:
        file.write(b"X")

    assert list(restore_files()) == [RestoredFile(lost.path, True), RestoredFile(damaged.path, True)]
    assert list(restore_files()) == []


def test_file_that_the_entries_no_longer_give_is_not_written(db: None) -> None:
    play_month()
    item = ListFile.objects.order_by("pk").first()
    assert item is not None
    ListFile.objects.filter(pk=item.pk).update(sha256="0" * 64)

    assert list(restore_files()) == [RestoredFile(item.path, False)]
