from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from portal.celery import PULSE


@pytest.fixture(autouse=True)
def working() -> None:
    cache.set(PULSE, "a worker", None)


def test_live_answers_without_the_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, db: None
) -> None:
    with django_assert_num_queries(0):
        answer = client.get("/health/live")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_ready_refuses_while_no_worker_does_its_work(client: Client, db: None) -> None:
    cache.delete(PULSE)
    answer = client.get("/health/ready")

    assert answer.status_code == 503
    assert [name for name, state in answer.json()["checks"].items() if state == "failed"] == ["worker"]


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
            "integrity": "ok",
            "keys": "ok",
        },
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
    assert answer.json()["checks"]["migrations"] == "failed"


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
