"""Arenas with a few games, and their tokens, for tests of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from arenas.models import Arena
from arenas.services.tokens import issue_token
from tests.arenas.played import AT

ROOT = "/api/v1/arenas"
Post = Callable[..., Any]


@pytest.fixture(autouse=True)
def _no_counted_requests() -> None:
    cache.clear()


@pytest.fixture
def arena(rated: Callable[..., Arena]) -> Arena:
    """Return `foa-rbb` with the rated ada and ben and the unrated cyd."""
    return rated(ada=1800, ben=1700, cyd=None)


@pytest.fixture
def token(arena: Arena) -> str:
    return issue_token(arena, name="game server", at=AT)[0]


@pytest.fixture
def post(client: Client, arena: Arena, token: str) -> Post:
    """Return a function that posts games to the arena; it asserts the status and returns the answer's JSON."""

    def send(body: Any, *, status: int = 200, bearer: str = token, slug: str = arena.slug) -> Any:
        response = client.post(
            f"{ROOT}/{slug}/games",
            body,
            content_type="application/json",
            headers={"authorization": f"Bearer {bearer}"} if bearer else {},
        )
        assert response.status_code == status, response.content
        return response.json()

    return send
