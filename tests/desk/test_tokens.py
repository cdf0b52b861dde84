"""API tokens of officers: created, shown once and revoked at the desk."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests import make
from tournaments.models import OfficerToken

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def officer(db: None, monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return make.person("officer", "SUI")


def test_token_is_shown_once_and_revoked_at_the_desk(client: Client, officer: User) -> None:
    client.force_login(officer)
    page = client.post("/desk/tokens/", {"name": "Tool", "federation": "SUI", "verbs": ["read", "submit"]})
    secret = page.context["made"]
    assert secret in page.content.decode()
    made = OfficerToken.objects.get()
    assert (made.verbs, secret in made.digest) == (["read", "submit"], False)
    assert secret not in client.get("/desk/tokens/").content.decode()
    client.post(f"/desk/tokens/{made.pk}/revoke")
    made.refresh_from_db()
    assert made.revoked_at == NOW


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"name": "x"},
        {"name": "x", "federation": "AUT", "verbs": ["read"]},
        {"name": "x", "verbs": ["all"]},
    ],
)
def test_token_needs_an_own_federation_and_valid_permissions(
    client: Client, officer: User, form: dict[str, Any]
) -> None:
    make.federation(code="AUT")
    client.force_login(officer)
    assert client.post("/desk/tokens/", form).context["made"] == ""
    assert not OfficerToken.objects.exists()


def test_reloaded_page_of_a_new_token_creates_no_second_one(db: None, client: Client) -> None:
    client.force_login(make.person("officer", "SUI"))
    form = {"name": "Tool", "federation": "SUI", "verbs": ["read"]}

    answers = [client.post("/desk/tokens/", form) for _ in range(2)]
    OfficerToken.objects.update(revoked_at=NOW)
    later = client.post("/desk/tokens/", form)

    assert [bool(answer.context["made"]) for answer in (*answers, later)] == [True, False, True]
    assert list(answers[1].context["form"].errors) == ["name"]
