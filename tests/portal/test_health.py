from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from portal import health
from portal.celery import PULSE, show_pulse
from portal.health import CHECKS, closed_folders
from portal.static_storage import MANIFEST
from tests.faults.processes import end, start


@pytest.fixture(autouse=True)
def working() -> None:
    cache.set(PULSE, "a worker", None)


def test_live_answers_without_the_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, db: None, settings: Any
) -> None:
    settings.KEPT_PAGES_SECONDS = 60
    with django_assert_num_queries(0):
        answer = client.get("/health/live")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_ready_refuses_while_no_worker_does_its_work(client: Client, db: None) -> None:
    cache.delete(PULSE)
    answer = client.get("/health/ready")

    assert answer.status_code == 503
    assert [name for name, state in answer.json()["checks"].items() if state == "failed"] == ["worker"]


def test_pulse_that_cannot_be_written_fails_no_worker(tmp_path: Path, settings: Any) -> None:
    settings.VAR_DIR = tmp_path
    (tmp_path / "workers").write_text("no folder")

    show_pulse("another worker")

    assert cache.get(PULSE) == "another worker"


def test_ready_names_each_part(client: Client, db: None) -> None:
    answer = client.get("/health/ready")

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "checks": {
            "database": "ok",
            "migrations": "ok",
            "cache": "ok",
            "broker": "ok",
            "worker": "ok",
            "var": "ok",
            "static": "ok",
            "integrity": "ok",
            "keys": "ok",
        },
        "warnings": {"backup": "No backup was made with rating-portal backup."},
    }
    assert "no-store" in answer["Cache-Control"]


def test_ready_while_somebody_else_writes(client: Client, transactional_db: None) -> None:
    """Writing that waits for its turn is no failure of the database."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has one writer at a time")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()["checks"]["database"]) == (200, "ok")


def test_ready_refuses_while_a_migration_waits(client: Client, db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")

    answer = client.get("/health/ready")

    assert answer.status_code == 503
    assert answer.json()["checks"]["migrations"].startswith("failed: 1 migrations ")


def test_a_failed_check_is_one_line_of_the_log(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise OperationalError("connection refused\nIs the server running?")

    for name in ("database", "migrations", "integrity", "keys"):
        monkeypatch.setitem(CHECKS, name, away)
    lines: list[dict[str, Any]] = []
    monkeypatch.setattr(health.log, "error", lambda event, **parts: lines.append({"event": event, **parts}))
    answer = client.get("/health/ready")

    assert [line.keys() for line in lines] == [{"event", "database", "migrations", "integrity", "keys"}]
    assert lines[0]["keys"] == "OperationalError: connection refused"
    assert answer.json()["checks"]["keys"] == "failed"


def test_static_files_of_another_release_are_named(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Pages of this machine would name files that the others do not have, and the other way round."""
    monkeypatch.setattr(settings, "STATIC_ROOT", tmp_path)
    storage = SimpleNamespace(hashed_files={})
    monkeypatch.setattr("portal.static_storage.staticfiles_storage", storage)
    (tmp_path / f"{MANIFEST}of-another.json").touch()
    assert client.get("/health/ready").json()["checks"]["static"].startswith("failed: not collected")

    storage.hashed_files = {"css/portal.css": "css/portal.0123.css"}
    assert client.get("/health/ready").json()["checks"]["static"] == "ok"


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone becomes another user")
def test_folders_that_the_portal_cannot_write_are_named() -> None:
    """As after root ran a command: the next list could not be written."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lists" / "rapid").mkdir(parents=True)
        (folder / "spool").mkdir()
        for path in (folder, folder / "lists", folder / "lists" / "rapid"):
            path.chmod(0o755)

        def look() -> None:
            os.setuid(2998)
            assert closed_folders(folder) == ["lists", "spool", "lists/rapid"]

        assert end(start(look)) == 0


@pytest.mark.parametrize("given", ["a-proxy-sent-this", "9f8b7c6d"])
def test_request_id_of_the_proxy_is_kept(client: Client, given: str) -> None:
    assert client.get("/health/live", headers={"X-Request-ID": given})["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "short", "two words here", "x" * 65, "line\nbreak-12345"])
def test_request_id_that_is_not_plain_is_replaced(client: Client, given: str) -> None:
    answer = client.get("/health/live", headers={"X-Request-ID": given})

    assert len(answer["X-Request-ID"]) == 32
    assert answer["X-Request-ID"] != given


def test_answers_forbid_whatever_is_inline(client: Client) -> None:
    policy = client.get("/health/live")["Content-Security-Policy"]

    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert json.dumps(policy).count("*") == 0
