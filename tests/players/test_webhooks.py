"""Webhooks: each event once to each webhook that it concerns, signed, tried again, and paused after failures."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command

from core.errors import RefusedError
from core.secrets import decrypt, encrypt
from core.web.outbound import OutboundError, Target
from players import webhooks
from players.choices import Deed, NoticeKind, NoticeState, WebhookEvent
from players.models import Delivery, Notice, Webhook
from tests import make
from tests.codes import refusal
from tests.log import acts
from tests.outbox import let_pass

AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
SECRET = "a secret of the tests"
pytestmark = [pytest.mark.django_db, pytest.mark.page]


class Server:
    """A server that notes what came, and answers the same each time: a status code, or why there is none."""

    def __init__(self, answer: int | str = 204) -> None:
        self.answer = answer
        self.requests: list[tuple[Target, bytes, dict[str, str]]] = []

    def __call__(self, target: Target, body: bytes, *, headers: Mapping[str, str]) -> int:
        self.requests.append((target, body, dict(headers)))
        if isinstance(self.answer, str):
            raise OutboundError(self.answer)
        return self.answer


def webhook(code: str = "SUI", **values: Any) -> Webhook:
    values = {"url": "https://hook.example/in", "secret": encrypt(SECRET), "created_at": AT} | values
    return Webhook.objects.create(federation=make.federation(code=code), **values)


def tell(key: str = "list.published:rapid:2026-03-01", federation: str | None = None) -> None:
    news = webhooks.WebhookNews(WebhookEvent.LIST, key, {"kind": "rapid"}, federation)
    webhooks.tell([news], webhooks=webhooks.listening(), at=AT)


def officer(code: str = "SUI") -> Any:
    return make.person("officer", code)


def public(*_args: Any, **_options: Any) -> list[Any]:
    """Answer a look-up of any name with a public address."""
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443))]


@pytest.mark.database
def test_a_webhook_hears_of_a_key_once_and_of_its_federation() -> None:
    webhook("SUI"), webhook("AUT"), webhook("GER", ended_at=AT)

    tell(), tell(), tell("tournament", "AUT")

    rows = Delivery.objects.order_by("pk").values_list("webhook__federation", "key")
    assert sorted(rows) == [
        ("AUT", "list.published:rapid:2026-03-01"),
        ("AUT", "tournament"),
        ("SUI", "list.published:rapid:2026-03-01"),
    ]


def test_a_delivery_is_signed_over_timestamp_and_body() -> None:
    webhook()
    tell()
    server, delivery = Server(), Delivery.objects.get()

    assert webhooks.deliver(delivery.pk, at=AT, post=server)

    [(target, body, headers)] = server.requests
    expected = hmac.new(SECRET.encode(), headers["X-Portal-Timestamp"].encode() + b"." + body, hashlib.sha256)
    assert headers == {
        "Content-Type": "application/json",
        "User-Agent": "Rating-Portal-Webhooks",
        "X-Portal-Event": "list.published",
        "X-Portal-Delivery": str(delivery.pk),
        "X-Portal-Timestamp": str(int(AT.timestamp())),
        "X-Portal-Signature": f"v1={expected.hexdigest()}",
    }
    assert (target.host, target.path) == ("hook.example", "/in")
    assert json.loads(body) == {
        "event": "list.published",
        "id": "list.published:rapid:2026-03-01",
        "at": "2026-03-04T09:30:00Z",
        "data": {"kind": "rapid"},
    }
    delivery.refresh_from_db()
    assert (delivery.state, delivery.answer, delivery.sent_at) == (NoticeState.SENT, 204, AT)


def test_a_delivery_that_the_broker_brings_twice_goes_out_once() -> None:
    webhook()
    tell()
    server, number = Server(), Delivery.objects.get().pk

    assert [webhooks.deliver(number, at=AT, post=server) for _ in range(2)] == [True, False]
    assert len(server.requests) == 1


@pytest.mark.parametrize("answer", [302, 404, 500, "The server did not answer in time."])
def test_a_failed_delivery_waits_longer_each_time_and_ends_failed(answer: int | str) -> None:
    webhook()
    tell()
    number, tried = Delivery.objects.get().pk, Server(answer)
    for wait in (*webhooks.DELIVERIES.waits, timedelta(days=2)):
        assert not webhooks.deliver(number, at=AT, post=tried)
        let_pass(Delivery.objects.all(), wait - MINUTE / 2)
        Webhook.objects.update(paused_at=None)
        assert not webhooks.deliver(number, at=AT, post=Server())
        let_pass(Delivery.objects.all(), MINUTE / 2)

    assert len(tried.requests) == webhooks.DELIVERIES.max_attempts
    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.answer) == ("failed", 8, answer if isinstance(answer, int) else None)


def test_a_webhook_is_paused_after_failures_with_one_email_and_resumed() -> None:
    # Whoever created it has no role any more.
    person, paused = officer(), webhook(created_by=make.user())
    for number in range(12):
        tell(f"event {number}")
    for number in Delivery.objects.values_list("pk", flat=True):
        webhooks.deliver(number, at=AT, post=Server(500))

    paused.refresh_from_db()
    assert (paused.failures, paused.paused_at) == (webhooks.MAX_FAILURES, AT)
    mail = Notice.objects.get()
    assert (mail.recipient, mail.kind) == (person.email, NoticeKind.WEBHOOK)
    assert f"/desk/webhooks/{paused.pk}/" in mail.text
    assert Delivery.objects.filter(attempts=0, state="due").count() == 2
    with pytest.raises(RefusedError):
        webhooks.send_test(paused, by=person, at=AT)

    webhooks.resume_webhook(paused, by=person, at=AT + MINUTE)
    numbers = list(Delivery.objects.filter(state="due").values_list("pk", flat=True))
    assert [webhooks.deliver(number, at=AT + MINUTE, post=Server()) for number in numbers] == [True] * 12
    paused.refresh_from_db()
    assert (paused.failures, paused.paused_at) == (0, None)


@pytest.mark.database
def test_a_delivery_of_a_worker_that_died_is_due_again() -> None:
    webhook()
    tell()
    [died] = webhooks.DELIVERIES.claim(Delivery.objects.all())

    let_pass(Delivery.objects.all(), MINUTE)
    webhooks.sweep()
    assert not webhooks.deliver(died.pk, at=AT, post=Server())
    let_pass(Delivery.objects.all(), 5 * MINUTE)
    assert webhooks.deliver(died.pk, at=AT, post=Server())


def test_a_removed_webhook_hears_nothing_more_and_keeps_no_secret() -> None:
    person, removed = officer(), webhook()
    tell()

    webhooks.remove_webhook(removed, by=person, at=AT)
    tell("another")

    removed.refresh_from_db()
    assert (removed.secret, removed.ended_at) == ("", AT)
    assert list(Delivery.objects.values_list("key", "state")) == [
        ("list.published:rapid:2026-03-01", "failed")
    ]
    assert not webhooks.deliver(Delivery.objects.get().pk, at=AT, post=Server())


def test_a_delivery_is_sent_again_on_request_once_it_ended() -> None:
    person = officer()
    webhook()
    tell()
    delivery = Delivery.objects.select_related("webhook").get()
    due_at = Delivery.objects.get().due_at
    webhooks.send_again(delivery, by=person, at=AT + MINUTE)
    assert Delivery.objects.get().due_at == due_at
    webhooks.deliver(delivery.pk, at=AT, post=Server(200))

    webhooks.send_again(delivery, by=person, at=AT + MINUTE)

    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.answer, row.sent_at) == ("due", 0, None, None)
    assert webhooks.deliver(delivery.pk, at=AT + MINUTE, post=Server(200))


def test_others_than_the_federation_change_nothing() -> None:
    stranger, theirs = officer("AUT"), webhook("SUI")
    tell()
    delivery = Delivery.objects.select_related("webhook").get()
    attempts = [
        lambda: webhooks.create_webhook(stranger, theirs.federation, url="https://a.example/", at=AT),
        lambda: webhooks.remove_webhook(theirs, by=stranger, at=AT),
        lambda: webhooks.resume_webhook(theirs, by=stranger, at=AT),
        lambda: webhooks.send_test(theirs, by=stranger, at=AT),
        lambda: webhooks.send_again(delivery, by=stranger, at=AT),
    ]
    for attempt in attempts:
        with refusal() as refused:
            attempt()
        assert refused.found == ["not-your-federation"]
    assert (Webhook.objects.count(), Delivery.objects.count(), acts().count()) == (1, 1, 0)


def test_a_secret_is_encrypted_and_encrypted_anew(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", public)
    person = officer()
    made, secret = webhooks.create_webhook(
        person, make.federation(code="SUI"), url=" https://hook.example/ ", at=AT
    )

    assert (decrypt(made.secret), secret in made.secret, made.url) == (secret, False, "https://hook.example/")
    assert list(acts().values_list("action", "subject")) == [(Deed.WEBHOOK, f"SUI: {made.url}")]
    settings.SECRETS_KEYS = ("a newer key of the installation", *settings.SECRETS_KEYS)
    call_command("rotate_secrets")
    settings.SECRETS_KEYS = settings.SECRETS_KEYS[:1]
    made.refresh_from_db()
    assert decrypt(made.secret) == secret


@pytest.mark.parametrize(
    "url", ["https://localhost/", "https://10.0.0.1/", "https://[::ffff:10.0.0.1]/", "http://a.example/"]
)
def test_addresses_that_are_not_public_make_no_webhook(url: str) -> None:
    with pytest.raises(RefusedError) as refused:
        webhooks.create_webhook(officer(), make.federation(code="SUI"), url=url, at=AT)
    assert [refusal.field for refusal in refused.value.refusals] == ["url"]
    assert not Webhook.objects.exists()


def test_an_address_that_turned_private_later_gets_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    webhook(url="https://127.0.0.1/")
    tell()

    assert not webhooks.deliver(Delivery.objects.get().pk, at=AT)
    assert Delivery.objects.get().failure != ""


def test_webhooks_are_limited_and_an_address_is_used_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", public)
    person, swiss = officer(), make.federation(code="SUI")
    for number in range(webhooks.MAX_WEBHOOKS - 1):
        webhook(url=f"https://hook.example/{number}")
    with refusal() as taken:
        webhooks.create_webhook(person, swiss, url="https://hook.example/0", at=AT)
    assert taken.found == ["address-taken"]
    webhooks.create_webhook(person, swiss, url="https://hook.example/last", at=AT)
    with refusal() as refused:
        webhooks.create_webhook(person, swiss, url="https://hook.example/more", at=AT)
    assert refused.found == ["too-many"]


def test_a_tournament_is_told_of_when_rated_published_and_corrected() -> None:
    webhook("SUI"), webhook("AUT")
    swiss = make.federation(code="SUI")
    players = [make.entry(rating=1900 + 10 * place, player__federation=swiss).player for place in range(3)]
    event = make.tournament(event_id="SUI-1", federation=swiss, name="Open")
    make.play_and_rate(event, players, make.round_robin(3))
    make.publish("rapid", date(2026, 2, 1))
    event.refresh_from_db()
    make.correct_report(event, None, reason="Not played.", on=AT.date(), at=AT)

    told = Delivery.objects.filter(webhook__federation="SUI").order_by("pk").values_list("event", flat=True)
    assert list(told) == [
        "tournament.rated",
        "list.published",
        "tournament.published",
        "tournament.corrected",
    ]
    others = Delivery.objects.filter(webhook__federation="AUT").values_list("event", flat=True)
    assert list(others) == ["list.published"]
    data = json.loads(Delivery.objects.filter(event="tournament.published").get().body)["data"]
    assert data | {"url": "", "start": "", "end": ""} == {
        "event_id": "SUI-1",
        "name": "Open",
        "federation": "SUI",
        "kind": "rapid",
        "start": "",
        "end": "",
        "version": "2026-02-01",
        "url": "",
    }
