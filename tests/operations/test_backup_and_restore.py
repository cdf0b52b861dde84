"""`backup` and `restore`: a portal that was killed while it wrote comes back as it was, on both databases."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.db.backends.sqlite3._functions import register  # type: ignore[import-untyped]

from core.errors import RefusedError
from portal.backup import make_backup, make_kept_backup
from portal.presence import show_presence
from tests import make
from tests.faults.processes import end, start
from tests.faults.world import MONTH
from tests.operations.installation import Installation, installed
from tests.servers import postgresql_program
from tests.services import vendor

pytestmark = pytest.mark.process
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


on_sqlite = pytest.mark.skipif(vendor() != "sqlite", reason="SQLite's own files")


@pytest.fixture
def installation(published_month: None, tmp_path: Path) -> Installation:
    """Return an installation with a published month, in a database of its own."""
    return installed(tmp_path)


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


@on_sqlite
def test_a_killed_sqlite_portal_is_restored(installation: Installation, tmp_path: Path) -> None:
    database = Path(installation.database)
    copy = tmp_path / "backup"
    installation.run("backup", str(copy))
    before = notes(database)
    killed_while_writing(database, rows=40)
    # The files are damaged too, and one is gone.
    lost, damaged, *_rest = sorted((installation.folder / "lists").rglob("*.txt"))
    lost.unlink()
    damaged.write_bytes(b"X")

    installation.run("restore", str(copy), "--replace")

    assert notes(database) == before
    assert database.stat().st_mode & 0o777 == 0o600
    assert "verified, identical to the published files" in installation.run(
        "verify_list", "rapid", MONTH.isoformat()
    )
    assert "each as it was written" in installation.run("verify_log")


@on_sqlite
def test_a_database_that_cannot_be_opened_is_set_aside(installation: Installation, tmp_path: Path) -> None:
    database = Path(installation.database)
    copy = tmp_path / "backup"
    installation.run("backup", str(copy))
    before = notes(database)
    killed_while_writing(database, rows=5)
    database.write_bytes(b"no database" * 1000)

    # A process that starts where nothing can be read.
    installation.run_anew("restore", str(copy), "--replace")

    assert notes(database) == before
    assert database.with_name(f"{database.name}.damaged").exists()


def test_a_portal_is_restored_over_another_state(installation: Installation, tmp_path: Path) -> None:
    copy = tmp_path / "backup"
    installation.run("backup", str(copy), "--without-files")
    installation.run("mark_federation", "SUI", "--excluded-from", "2027-01-01")

    said = installation.run("restore", str(copy), "--replace")

    assert " restored, " in said
    assert "verified, identical to the published files" in installation.run(
        "verify_list", "rapid", MONTH.isoformat()
    )
    installation.run("mark_federation", "SUI", "--excluded-from", "2027-01-01")


def test_a_backup_that_was_changed_is_refused(installation: Installation, tmp_path: Path) -> None:
    copy = tmp_path / "backup"
    installation.run("backup", str(copy))
    name = json.loads((copy / "backup.json").read_text())["database"]
    with (copy / name).open("r+b") as file:
        file.seek(100)
        file.write(b"XXXX")

    said = installation.run("restore", str(copy), "--replace", code=1)

    assert f"refused: {name} in the backup was changed or damaged." in said
    installation.run("restore", str(copy), code=2)


SIGNED_IN = """
from datetime import UTC, datetime
from django.contrib.sessions.backends.db import SessionStore
from players.choices import NoticeKind
from players import notices
session = SessionStore()
session["note"] = "signed in"
session.create()
notices.post(
    to=["ada@chess.example"], kind=NoticeKind.INVITATION, key="a", subject="Open", text="https://a.example/SECRETLINK",
    at=datetime(2026, 3, 1, tzinfo=UTC),
)
print(session.session_key)
"""


def readable(copy: Path) -> bytes:
    """Return the database of a backup as bytes in which texts can be found."""
    name = json.loads((copy / "backup.json").read_text())["database"]
    if vendor() == "sqlite":
        return (copy / name).read_bytes()
    return subprocess.run(
        [postgresql_program("pg_restore"), "--file=-", str(copy / name)], capture_output=True, check=True
    ).stdout


def test_a_backup_signs_nobody_in_and_has_no_private_link(installation: Installation, tmp_path: Path) -> None:
    copy = tmp_path / "backup"
    session = installation.run("shell", "--no-imports", "-c", SIGNED_IN).split()[-1]

    installation.run("backup", str(copy))

    content = readable(copy)
    # The same search finds what is there.
    assert [text in content for text in (b"ada@chess.example", session.encode(), b"SECRETLINK")] == [
        True,
        False,
        False,
    ]
    assert len(session) == 32


def test_a_backup_is_for_its_user_alone_and_names_the_keys(
    installation: Installation, tmp_path: Path
) -> None:
    copy = tmp_path / "backup"
    said = installation.run("backup", str(copy))

    assert copy.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in copy.rglob("*") if path.is_file()} == {0o600}
    assert "SECRET_KEY" in said
    other = installation.with_key("another key")
    assert "SECRET_KEY is different from the backup" in other.run("restore", str(copy), "--replace")


def test_the_newest_backups_of_a_folder_are_kept(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "portal.backup._copy_database", lambda draft: (draft / "portal.dump").touch() or "portal.dump"
    )
    (tmp_path / "2026-01-01T000000Z.partial").mkdir()
    (tmp_path / "of the operator").mkdir()
    for day in range(1, 5):
        make_kept_backup(tmp_path, keep=2, at=datetime(2026, 2, day, 5, 30, tzinfo=UTC))

    kept = ["2026-02-03T053000Z", "2026-02-04T053000Z", "of the operator"]
    assert sorted(path.name for path in tmp_path.iterdir()) == kept


def test_nothing_is_restored_while_the_portal_runs(installation: Installation, tmp_path: Path) -> None:
    """A process on the folder, and on PostgreSQL whoever is connected, from any machine."""
    copy = tmp_path / "backup"
    installation.run("backup", str(copy))

    with running(installation) as what:
        assert f"in use by {what}" in installation.run("restore", str(copy), "--replace", code=1)

    installation.run("restore", str(copy), "--replace")


@contextmanager
def running(installation: Installation) -> Iterator[str]:
    """Let something use the installation until the end of the block; yields how it is named."""
    if vendor() == "sqlite":
        read, write = os.pipe()

        def serve() -> None:
            show_presence(installation.folder, "web")
            os.write(write, b"x")
            signal.pause()

        process = start(serve)
        os.read(read, 1)
        yield "web"
        os.kill(process, signal.SIGKILL)
        end(process)
    else:
        url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{installation.database}")
        with closing(psycopg.connect(urlunsplit(url))):
            yield "connection "


def test_an_existing_folder_is_not_written_over(db: None, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="already exists"):
        make_backup(tmp_path, at=make.noon(MONTH))
