"""One request and what is to be known of it: answer, tables written to, number of queries. Nothing of it stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction
from django.test import Client

# What a page may write while it is read: sessions, the last use of a token, and work that is due.
WRITTEN_ANYWAY = {
    "django_session",
    # How often somebody tried a private link.
    "tournaments_officertoken",
    "tournaments_deadlinefeed",
    "arenas_arenatoken",
    "ratings_run",
    # The check of readiness: a row as it is.
    "django_migrations",
    # allauth: the first look at one's addresses.
    "account_emailaddress",
}
WRITES = re.compile(r'^\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
READS = re.compile(r"^\s*(?:\(?SELECT|WITH)\b", re.IGNORECASE)


@dataclass
class Statements:
    """The tables that statements wrote to, and how many read."""

    tables: set[str] = field(default_factory=set)
    reads: int = 0

    def __call__(self, execute: Any, sql: str, *rest: Any) -> Any:
        if READS.match(sql):
            self.reads += 1
        elif (found := WRITES.match(sql)) and found[1] not in WRITTEN_ANYWAY:
            self.tables.add(found[1])
        return execute(sql, *rest)


@dataclass(frozen=True)
class Look:
    """What came of a request."""

    status: int
    tables: set[str]
    reads: int
    kept: str
    leads: str
    html: str

    @property
    def is_open(self) -> bool:
        return self.status == 200


@contextmanager
def unchanged(client: Client) -> Iterator[None]:
    """Take back what is written, and who is signed in: one of the routes ends the session."""
    cookies = client.cookies.copy()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(cookies)


def look(client: Client, method: str, place: str) -> Look:
    """Return what a request brings that sends nothing, or an empty object to the API."""
    is_api = place.startswith("/api/")
    with unchanged(client), connection.execute_wrapper(statements := Statements()):
        if method == "GET":
            answer = client.get(place)
        elif method == "POST" and not is_api:
            answer = client.post(place)
        else:
            answer = client.generic(method, place, "{}" if is_api else "", content_type="application/json")
        if answer.streaming:
            answer.getvalue()
    is_page = answer.status_code == 200 and not answer.streaming
    is_page = is_page and answer.headers.get("Content-Type", "").startswith("text/html")
    html = answer.content.decode() if is_page else ""
    return Look(
        status=answer.status_code,
        tables=statements.tables,
        reads=statements.reads,
        kept=answer.headers.get("Cache-Control", ""),
        leads=answer.headers.get("Location", ""),
        html=html,
    )
