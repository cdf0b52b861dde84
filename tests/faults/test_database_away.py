"""The database does not answer: every page says so (503), with when to try again; the process itself stays alive."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from tests.faults.processes import end, start

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = ["/", "/lists/", "/fr/", "/players/1300001/", "/tournaments/SUI-1/", "/sitemap.xml"]


def without_database(folder: Path, work: Callable[[Client], Any]) -> None:
    """Do the work in a process whose database is nowhere."""

    def there() -> None:
        away = (
            {"HOST": str(folder)}
            if connection.vendor == "postgresql"
            else {"NAME": str(folder / "no" / "database")}
        )
        connection.settings_dict.update(away)
        cache.clear()
        work(Client(raise_request_exception=False))

    assert end(start(there)) == 0


def test_pages_say_that_the_portal_cannot_work_now(tmp_path: Path) -> None:
    def read(browser: Client) -> None:
        found = [browser.get(page) for page in PAGES]
        assert {(answer.status_code, answer["Retry-After"]) for answer in found} == {(503, "60")}
        assert "<h1>The portal is temporarily unavailable</h1>" in found[0].content.decode()

    without_database(tmp_path, read)


def test_programs_get_a_problem(tmp_path: Path) -> None:
    def read(caller: Client) -> None:
        answer = caller.get("/api/v1/lists")
        assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
        assert json.loads(answer.content)["title"] == "Service Unavailable"

    without_database(tmp_path, read)


def test_process_is_alive_and_not_ready(tmp_path: Path) -> None:
    def read(caller: Client) -> None:
        assert caller.get("/health/live").status_code == 200
        ready = caller.get("/health/ready")
        checks = ready.json()["checks"]
        assert (ready.status_code, checks["database"], checks["migrations"]) == (503, "failed", "failed")

    without_database(tmp_path, read)
