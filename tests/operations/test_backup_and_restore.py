"""`backup` and `restore`: a portal that was killed while it wrote comes back as it was, on both databases."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.sqlite3._functions import register  # type: ignore[import-untyped]

from core.errors import RefusedError
from portal.backup import make_backup
from ratings.services.publication.publish import publish_lists
from tests.factories import noon
from tests.faults.world import MONTH, play_a_month
from tests.operations.test_backup import restored_postgresql, restored_sqlite
from tests.servers import postgresql_program

WRITER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode=WAL")
database.execute("PRAGMA wal_autocheckpoint=0")
number = 0
while True:
    number += 1
    database.execute("BEGIN")
    database.execute("INSERT INTO django_session VALUES (?, ?, '2030-01-01')", (f"after{number}", "x" * 2000))
    database.execute("UPDATE players_federation SET note = ?", (f"after {number}",))
    database.execute("COMMIT")
    print(number, flush=True)
"""


@pytest.fixture
def installation(transactional_db: None, tmp_path: Path) -> dict[str, str]:
    """Return the environment of an installation with a published month, in a database of its own."""
    play_a_month(tmp_path)
    publish_lists(MONTH, by=None, at=noon(MONTH))
    restored = restored_sqlite if connection.vendor == "sqlite" else restored_postgresql
    var_dir = tmp_path / "var"
    environment = os.environ | {"DATABASE_URL": restored(tmp_path), "PORTAL_VAR_DIR": str(var_dir)}
    if connection.vendor != "sqlite":
        environment["PATH"] = f"{postgresql_program('pg_dump').parent}:{environment['PATH']}"
    ran(environment, "restore_files")
    return environment


def ran(environment: dict[str, str], *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def killed_while_writing(database: Path, *, rows: int) -> None:
    """Let a process write and kill it by -9: what it wrote stands in the `-wal` beside the file."""
    writer = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), str(database)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    for line in writer.stdout:
        if int(line) >= rows:
            break
    writer.send_signal(signal.SIGKILL)
    writer.stdout.close()
    writer.wait()
    assert database.with_name(f"{database.name}-wal").stat().st_size > 0


def notes(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as there:
        register(there)
        assert [row[0] for row in there.execute("PRAGMA integrity_check")] == ["ok"]
        return {row[0] for row in there.execute("SELECT note FROM players_federation")}


@pytest.mark.skipif("postgresql" in os.environ.get("TEST_ON", ""), reason="SQLite's own files")
@pytest.mark.parametrize("rows", [1, 40, 400])
def test_a_killed_sqlite_portal_is_restored(installation: dict[str, str], tmp_path: Path, rows: int) -> None:
    database = Path(installation["DATABASE_URL"].removeprefix("sqlite:///"))
    copy = tmp_path / "backup"
    ran(installation, "backup", str(copy))
    before = notes(database)
    killed_while_writing(database, rows=rows)
    # The files are damaged too, and one is gone.
    lost, damaged, *_rest = sorted((Path(installation["PORTAL_VAR_DIR"]) / "lists").rglob("*.txt"))
    lost.unlink()
    damaged.write_bytes(b"X")

    ran(installation, "restore", str(copy), "--replace")

    assert notes(database) == before
    assert database.stat().st_mode & 0o777 == 0o600
    assert "verified, identical to the published files" in ran(
        installation, "verify_list", "rapid", MONTH.isoformat()
    )
    assert "each as it was written" in ran(installation, "verify_log")


@pytest.mark.skipif("postgresql" in os.environ.get("TEST_ON", ""), reason="SQLite's own files")
def test_a_database_that_cannot_be_opened_is_set_aside(installation: dict[str, str], tmp_path: Path) -> None:
    database = Path(installation["DATABASE_URL"].removeprefix("sqlite:///"))
    copy = tmp_path / "backup"
    ran(installation, "backup", str(copy))
    before = notes(database)
    killed_while_writing(database, rows=5)
    database.write_bytes(b"no database" * 1000)

    ran(installation, "restore", str(copy), "--replace")

    assert notes(database) == before
    assert database.with_name(f"{database.name}.damaged").exists()


def test_a_portal_is_restored_over_another_state(installation: dict[str, str], tmp_path: Path) -> None:
    copy = tmp_path / "backup"
    ran(installation, "backup", str(copy), "--without-files")
    ran(installation, "mark_federation", "SUI", "--excluded-from", "2027-01-01")

    said = ran(installation, "restore", str(copy), "--replace")

    assert " restored, " in said
    assert "verified, identical to the published files" in ran(
        installation, "verify_list", "rapid", MONTH.isoformat()
    )
    ran(installation, "mark_federation", "SUI", "--excluded-from", "2027-01-01")


def test_a_backup_that_was_changed_is_refused(installation: dict[str, str], tmp_path: Path) -> None:
    copy = tmp_path / "backup"
    ran(installation, "backup", str(copy))
    name = json.loads((copy / "backup.json").read_text())["database"]
    with (copy / name).open("r+b") as file:
        file.seek(100)
        file.write(b"XXXX")

    said = ran(installation, "restore", str(copy), "--replace", code=1)

    assert f"refused: {name} in the backup was changed or damaged." in said
    ran(installation, "restore", str(copy), code=2)


def test_a_backup_is_for_its_user_alone_and_names_the_keys(
    installation: dict[str, str], tmp_path: Path
) -> None:
    copy = tmp_path / "backup"
    said = ran(installation, "backup", str(copy))

    assert copy.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in copy.rglob("*") if path.is_file()} == {0o600}
    assert "SECRET_KEY" in said
    other = installation | {"SECRET_KEY": "another key"}
    assert "SECRET_KEY is different from the backup" in ran(other, "restore", str(copy), "--replace")


def test_an_existing_folder_is_not_written_over(db: None, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="already exists"):
        make_backup(tmp_path, at=noon(MONTH))
