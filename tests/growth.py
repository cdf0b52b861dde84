"""Whether pages make more queries where there are more rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from desk.work import counts_of, keep_counts
from players.permissions import can_use_desk
from ratings.lists import forget_lists
from ratings.search import forget_top_ratings

MOST = 12
Ask = Callable[[Any], Any]


def pages_of(client: Client, *addresses: str) -> Iterator[tuple[str, Ask]]:
    """Yield what opens each page; the dictionary that `fill` returns completes its address, as `/players/{hero}/`."""
    for address in addresses:
        yield address, _page(client, address)


def find_growing(
    fill: Callable[[int], Any],
    asks: Iterator[tuple[str, Ask]] | list[tuple[str, Ask]],
    *,
    sizes: tuple[int, int] = (1, 3),
    most: int = MOST,
) -> dict[str, tuple[int, int]]:
    """Return what makes more queries with more rows, or more than `most`, with the number for each size.

    `fill` makes rows of a size, which are rolled back after all have asked, and returns what each `ask` is given.
    """
    asks = list(asks)
    few, many = (_counted(fill, asks, size) for size in sizes)
    return {
        name: (before, after)
        for (name, _), before, after in zip(asks, few, many, strict=True)
        if after > before or max(before, after) > most
    }


def _page(client: Client, address: str) -> Ask:
    def ask(rows: dict[str, Any] | None) -> None:
        path = address.format(**(rows or {}))
        answer = client.get(path)
        content = b"".join(answer) if answer.streaming else answer.content
        assert (answer.status_code in (200, 302), bool(content) or answer.status_code == 302) == (
            True,
            True,
        ), path

    ask.client = client  # type: ignore[attr-defined]
    return ask


def _counted(fill: Callable[[int], Any], asks: list[tuple[str, Ask]], size: int) -> list[int]:
    counts = []
    with transaction.atomic():
        rows = fill(size)
        for _name, ask in asks:
            _forget()
            _count_work(ask)
            with CaptureQueriesContext(connection) as asked:
                ask(rows)
            counts.append(len(asked))
        transaction.set_rollback(True)
    _forget()
    return counts


def _count_work(ask: Ask) -> None:
    """Let the rail have its counts, which all pages of the desk share for some seconds."""
    client = getattr(ask, "client", None)
    # A client without a session would get one by being asked for it.
    user = get_user(client) if client and settings.SESSION_COOKIE_NAME in client.cookies else None
    if can_use_desk(user):
        counts = counts_of(user)
        _forget()
        keep_counts(user, counts)


def _forget() -> None:
    for name in ("default", "process"):
        caches[name].clear()
    forget_lists()
    forget_top_ratings()
