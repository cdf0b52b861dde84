"""Webhooks at the desk: the secret is shown once, deliveries are listed, tested and resent."""

from __future__ import annotations

import socket
import time
from html import unescape

import pytest
import time_machine
from django.test import Client
from django.utils.translation import override

from core.secrets import encrypt
from players.failures import FAILURES
from players.models import Delivery, Federation, Webhook
from tests.codes import codes_of_answer
from tests.desk.conftest import NOW
from tests.players.test_webhooks import public

URL = "https://hook.example/in"


@pytest.fixture
def hook(swiss: Federation) -> Webhook:
    return Webhook.objects.create(federation=swiss, url=URL, secret=encrypt("secret"), created_at=NOW)


def failed(hook: Webhook, number: int = 1) -> Delivery:
    return Delivery.objects.create(
        webhook=hook, event="list.published", key=f"list {number}", body="{}", created_at=NOW,
        state="failed", attempts=8, answer=503, **Delivery.columns_of(FAILURES.state("server-answered", status=503)),
    )  # fmt: skip


def test_the_secret_is_shown_once(officer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", public)

    page = officer.post("/desk/webhooks/", {"federation": "SUI", "url": URL})

    secret = page.context["secret"]
    assert secret
    assert secret in page.content.decode()
    again = officer.post("/desk/webhooks/", {"federation": "SUI", "url": URL})
    assert list(again.context["form"].errors) == ["url"]
    assert secret not in officer.get("/desk/webhooks/").content.decode()
    assert Webhook.objects.get().url == URL


def test_an_address_of_this_machine_is_refused_in_its_field(officer: Client) -> None:
    page = officer.post("/desk/webhooks/", {"federation": "SUI", "url": "https://127.0.0.1/"})

    assert codes_of_answer(page) == {"url": ["address"]}


def test_address_lookups_are_limited_per_minute(officer: Client) -> None:
    # Within one minute: the next one would start a new count.
    with time_machine.travel(time.time(), tick=False):
        answers = [
            officer.post("/desk/webhooks/", {"federation": "SUI", "url": "https://127.0.0.1/"}).status_code
            for _ in range(21)
        ]

    assert answers == [*[200] * 20, 429]


def test_a_failed_delivery_shows_why_and_is_sent_again(officer: Client, hook: Webhook) -> None:
    delivery, address = failed(hook), f"/desk/webhooks/{hook.pk}/"
    text = officer.get(address).content.decode()
    assert [word in text for word in ("The server answered 503.", "8 attempts", "Send again")] == [True] * 3

    officer.post(f"{address}deliveries/{delivery.pk}/again")
    officer.post(f"{address}test")
    officer.post(f"{address}test")

    assert sorted(Delivery.objects.values_list("event", "state")) == [
        ("list.published", "due"),
        ("test", "due"),
    ]


def test_a_paused_webhook_is_resumed_and_a_removed_one_is_gone(officer: Client, hook: Webhook) -> None:
    Webhook.objects.update(paused_at=NOW, failures=10)
    address = f"/desk/webhooks/{hook.pk}/"
    assert 'data-state="paused"' in officer.get(address).content.decode()

    officer.post(f"{address}resume")
    hook.refresh_from_db()
    assert (hook.paused_at, hook.failures) == (None, 0)
    officer.post(f"{address}remove")
    assert officer.get(address).status_code == 404


def test_why_a_delivery_failed_is_read_in_each_language(officer: Client, hook: Webhook) -> None:
    failed(hook)
    Delivery.objects.create(
        webhook=hook, event="test", key="test", body="{}", created_at=NOW, state="failed",
        **Delivery.columns_of(FAILURES.state("no-connection", reason="Connection refused")),
    )  # fmt: skip

    text = unescape(officer.get(f"/fr/desk/webhooks/{hook.pk}/").content.decode())
    officer.post(f"/fr/desk/webhooks/{hook.pk}/remove")

    with override("fr"):
        french = [FAILURES.show(items) for items in Delivery.objects.values_list("stated", flat=True)]
    assert [one in text for one in french[:2]] == [True] * 2
    assert Delivery.objects.filter(failure__in=french).count() == 0
