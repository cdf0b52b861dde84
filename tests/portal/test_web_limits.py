"""A statement of a web request, and its wait for a lock, have an end on PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, transaction

from api.errors import is_temporary
from portal.settings.backends import WEB_LIMITS, limit_statements
from tests.services import vendor

pytestmark = [
    pytest.mark.database,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(vendor() != "postgresql", reason="SQLite has neither"),
]


@pytest.mark.parametrize(
    "statement", ["SELECT pg_sleep(20)", "LOCK TABLE players_player IN ACCESS EXCLUSIVE MODE"]
)
def test_a_web_request_waits_no_longer_than_its_limit(
    statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What connects before has no limits.
    connection.ensure_connection()
    monkeypatch.setitem(WEB_LIMITS, "statement_timeout", "200ms")
    monkeypatch.setitem(WEB_LIMITS, "lock_timeout", "100ms")

    def ask() -> OperationalError:
        try:
            limit_statements(connection)
            with pytest.raises(OperationalError) as waited, transaction.atomic():
                connection.cursor().execute(statement)
            return waited.value
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        connection.cursor().execute("LOCK TABLE players_player IN ACCESS EXCLUSIVE MODE")
        assert is_temporary(pool.submit(ask).result())
