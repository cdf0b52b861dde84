"""Requests at the same time share the limits of an address."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from players.models import Notice
from portal.accounts import sign_up
from ratings import follows
from ratings.follows import Subject, subject_of
from tests import make
from tests.players.test_at_once import at_once

pytestmark = pytest.mark.database
FIRST_HOUR = datetime(2026, 1, 20, 12, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("ask_for", "emails"), [("follow", 3), ("account", 1)])
def test_concurrent_requests_share_the_limit_of_an_address(ask_for: str, emails: int) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    subjects = [subject_of(player) for player in make.PlayerFactory.create_batch(8)]

    def act_of(subject: Subject) -> Callable[[], Any]:
        if ask_for == "account":
            return lambda: sign_up.send_link("ada@example.org", at=FIRST_HOUR)
        return lambda: follows.ask_to_follow("ada@example.org", subject, language="en", at=FIRST_HOUR)

    at_once([act_of(subject) for subject in subjects])
    assert Notice.objects.count() == emails
