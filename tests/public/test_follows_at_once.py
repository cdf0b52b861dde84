"""Requests to follow at the same time share one limit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from players.models import Notice
from portal.accounts import sign_up
from ratings.queries.followed import subject_of_player
from ratings.services import follows
from tests.factories import PlayerFactory
from tests.players.test_at_once import at_once

pytestmark = pytest.mark.database
FIRST_HOUR = datetime(2026, 1, 20, 12, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ask_for", ["follow", "account"])
def test_concurrent_requests_share_the_hourly_limit(ask_for: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    monkeypatch.setattr(follows, "MAX_AN_HOUR", 3)
    monkeypatch.setattr(sign_up, "MAX_AN_HOUR", 3)
    subject = subject_of_player(PlayerFactory())

    def act_of(number: int) -> Callable[[], Any]:
        address = f"{number}@example.org"
        if ask_for == "account":
            return lambda: sign_up.send_link(address, at=FIRST_HOUR)
        return lambda: follows.ask_to_follow(address, subject, language="en", at=FIRST_HOUR)

    at_once([act_of(number) for number in range(8)])
    assert Notice.objects.count() == 3
