"""A database that only reads, as a second server of PostgreSQL or a disk that went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from core.tokens import record_use
from tests import make
from tournaments.models import OfficerToken
from tournaments.tokens import holder_of, issue_token

pytestmark = pytest.mark.database


@contextmanager
def read_only() -> Iterator[None]:
    """Refuse to write, until the end of the block."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA query_only = 1")
            yield
            cursor.execute("PRAGMA query_only = 0")
        else:
            with transaction.atomic():
                cursor.execute("SET LOCAL transaction_read_only = on")
                yield
                transaction.set_rollback(True)


def test_a_database_that_only_reads_is_not_ready(client: Client, db: None) -> None:
    with read_only():
        answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()["checks"]["database"]) == (503, "failed")
    assert client.get("/health/ready").json()["checks"]["database"] == "ok"


def test_a_token_reads_where_its_use_cannot_be_recorded(db: None) -> None:
    user = make.person("officer", "SUI")
    token = issue_token(user, make.federation(code="SUI"), name="Tool", verbs=["read"], at=timezone.now())
    with read_only():
        assert holder_of(token, at=timezone.now()) is not None

    assert OfficerToken.objects.get().last_used_at is None
    record_use(OfficerToken.objects.get(), at=timezone.now())
    assert OfficerToken.objects.get().last_used_at is not None


def test_a_form_that_cannot_be_stored_is_refused_for_a_while(db: None) -> None:
    user = make.user()
    user.set_password("a long enough word")
    user.save()
    browser = Client(raise_request_exception=False)
    with read_only():
        answer = browser.post("/accounts/login/", {"login": user.email, "password": "a long enough word"})

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
