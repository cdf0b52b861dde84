"""Whom to write to about a weakness: `/.well-known/security.txt` (RFC 9116)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client

from tests.downloads import media_type

ADDRESS = "/.well-known/security.txt"


@pytest.mark.parametrize(
    "contact", ["mailto:security@ratings.example.org", "https://ratings.example.org/report"]
)
def test_contact_is_told_with_a_day_until_which_it_holds(client: Client, settings: Any, contact: str) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, security_contact=contact)
    settings.SITE_URL = "https://ratings.example.org"

    with time_machine.travel(datetime(2026, 3, 4, 9, 30, tzinfo=UTC)):
        answer = client.get(ADDRESS)

    assert (answer.status_code, media_type(answer)) == (200, ("text/plain", "utf-8"))
    assert [line.split(": ", 1) for line in answer.content.decode().splitlines()] == [
        ["Contact", contact],
        ["Expires", "2026-08-31T00:00:00Z"],
        ["Preferred-Languages", "en"],
        ["Canonical", "https://ratings.example.org/.well-known/security.txt"],
    ]


def test_without_a_contact_there_is_nothing(client: Client, db: None) -> None:
    assert client.get(ADDRESS).status_code == 404
