"""Webhooks: events for the systems of federations, stored in the caller's transaction, sent after commit.

A delivery may arrive twice (a worker that died after sending is not distinguished from one that died before), never in
silence not at all: its number, in a header, is the same each time. The receiver checks `X-Portal-Signature`, the
HMAC-SHA256 of timestamp, full stop and body with the webhook's secret.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar

import structlog
from cryptography.fernet import InvalidToken
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import override

from core.errors import refused
from core.outbox import SWEEP_SIZE, Outbox
from core.pages import Page
from core.secrets import decrypt, encrypt
from core.stated import items_of, stated_by
from core.tokens import new_token
from core.web import outbound
from core.workers import send_to_workers
from players import notices
from players.choices import Area, Deed, NoticeKind, NoticeState, Role, WebhookEvent
from players.failures import FAILURES
from players.models import Appointment, Delivery, Federation, Webhook
from players.models.log import record_act
from players.permissions import can_act_for, refuse_strangers

MAX_WEBHOOKS = 5
# So many attempts in a row fail before a webhook is paused.
MAX_FAILURES = 10
OPEN_STATES = (NoticeState.DUE, NoticeState.SENDING)
logger = structlog.get_logger(__name__)


# What sends a body with its headers to a target, and returns the status of the answer: `core.web.outbound.post`.
Post = Callable[..., int]


class NotDeliveredError(Exception):
    """A delivery did not arrive; `answer` is the status code if there is one. The message, in English, is stored."""

    def __init__(self, message: str, answer: int | None = None) -> None:
        super().__init__(message)
        self.answer = answer


class Deliveries(Outbox[Delivery]):
    """The deliveries that are due, to webhooks that are neither paused nor removed."""

    model = Delivery
    running, waiting, failed, done = (
        NoticeState.SENDING,
        NoticeState.DUE,
        NoticeState.FAILED,
        NoticeState.SENT,
    )
    max_attempts = 8
    # The eighth attempt comes 22 hours after the first.
    waits = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720))
    lost_after = timedelta(minutes=5)
    on_loss: ClassVar[Mapping[str, Any]] = Delivery.columns_of(FAILURES.state("sender-stopped"))

    def send(self, row: Delivery) -> None:
        """Tell the workers of a delivery."""
        send_to_workers("players.tasks.send_delivery", row.pk)

    def is_workable(self) -> Q:
        """Match deliveries to webhooks in use; no join, so that a claim compares the row that it sets."""
        return Q(webhook__in=Webhook.objects.filter(paused_at=None, ended_at=None))

    def values_of_failure(self, row: Delivery, error: Exception, *, is_last: bool) -> dict[str, Any]:
        """Return the reason and the answer."""
        answer = getattr(error, "answer", None)
        logger.warning("delivery failed", delivery=row.pk, attempts=row.attempts, answer=answer)
        return {"answer": answer, "failure": str(error)[:500], "stated": stated_by(error)}


DELIVERIES = Deliveries()


@dataclass(frozen=True, slots=True)
class WebhookNews:
    """What happened: the event, what it is about (a webhook hears of a key once), its data, and whose it is.

    Without a federation it concerns all.
    """

    event: WebhookEvent
    key: str
    data: Mapping[str, Any] = field(default_factory=dict)
    federation: str | None = None


def create_webhook(user: Any, federation: Federation, *, url: str, at: datetime) -> tuple[Webhook, str]:
    """Return a new webhook and its secret, which is shown once.

    `RefusedError` for somebody who does not act for the federation, for an address that is not public, or too many.
    """
    refuse_strangers(user, federation.code)
    url = url.strip()
    try:
        # Looked up for the form's sake alone: each delivery looks again, since a name may lead inside later.
        outbound.addresses_of(outbound.target_of(url))
    except outbound.OutboundError as error:
        raise refused("address", str(error), "url") from error
    with transaction.atomic():
        # Of two who create a webhook at once the second counts that of the first.
        Federation.objects.select_for_update().get(pk=federation.pk)
        held = Webhook.objects.filter(federation=federation, ended_at=None)
        if len(held) >= MAX_WEBHOOKS:
            message = _("The federation has %(number)d webhooks, which is the limit. Remove one first.")
            raise refused("too-many", message % {"number": MAX_WEBHOOKS})
        if any(one.url == url for one in held):
            raise refused(
                "address-taken", _("The federation already has a webhook with this address."), "url"
            )
        secret = new_token()
        made = Webhook.objects.create(
            federation=federation, url=url, secret=encrypt(secret), created_by=user, created_at=at
        )
        _record(made, by=user, at=at, before="", after="created")
    return made, secret


def _record(webhook: Webhook, *, by: Any, at: datetime, before: str, after: str) -> None:
    record_act(Area.PORTAL, Deed.WEBHOOK, str(webhook), by=by, at=at, before=before, after=after)


def remove_webhook(webhook: Webhook, *, by: Any, at: datetime) -> None:
    """End a webhook and its pending deliveries; sent ones are kept, its secret is deleted."""
    refuse_strangers(by, webhook.federation_id)
    with transaction.atomic():
        if Webhook.objects.filter(pk=webhook.pk, ended_at=None).update(ended_at=at, secret=""):
            _record(webhook, by=by, at=at, before="used", after="removed")
        waiting = Delivery.objects.filter(webhook=webhook, state__in=OPEN_STATES)
        # A worker that is at one of them finds its claim gone, and writes nothing.
        removed = Delivery.columns_of(FAILURES.state("webhook-removed"))
        waiting.update(state=NoticeState.FAILED, owner="", **removed)


def resume_webhook(webhook: Webhook, *, by: Any, at: datetime) -> None:
    """Resume a paused webhook and send its pending messages."""
    refuse_strangers(by, webhook.federation_id)
    with transaction.atomic():
        paused = Webhook.objects.filter(pk=webhook.pk, ended_at=None).exclude(paused_at=None)
        if not paused.update(paused_at=None, failures=0):
            return
        _record(webhook, by=by, at=at, before="paused", after="used")
        waiting = Delivery.objects.filter(webhook=webhook, state=NoticeState.DUE)
        waiting.update(due_at=Now())
        DELIVERIES.send_after_commit(list(waiting.order_by("pk").only("pk")[:SWEEP_SIZE]))


def send_test(webhook: Webhook, *, by: Any, at: datetime) -> None:
    """Queue a test delivery, at most one a minute; `RefusedError` where the webhook is removed or paused."""
    refuse_strangers(by, webhook.federation_id)
    _refuse_silent(webhook)
    # The key of a minute: a second test within it would be the same row.
    key = f"test:{at.strftime('%Y-%m-%dT%H:%M')}"
    tell([WebhookNews(WebhookEvent.TEST, key, federation=webhook.federation_id)], at=at, webhooks=[webhook])


def send_again(delivery: Delivery, *, by: Any, at: datetime) -> None:
    """Queue a delivery that ended once more, with new attempts; one that is still to be sent stays as it is."""
    webhook = delivery.webhook
    refuse_strangers(by, webhook.federation_id)
    _refuse_silent(webhook)
    ended = Delivery.objects.filter(pk=delivery.pk).exclude(state__in=OPEN_STATES)
    with transaction.atomic():
        if DELIVERIES.make_due(ended, sent_at=None, answer=None, **Delivery.columns_of("")):
            DELIVERIES.send_after_commit([delivery])


def listening() -> list[Webhook]:
    """Return the webhooks that are in use."""
    return list(Webhook.objects.filter(ended_at=None))


def tell(news: Iterable[WebhookNews], *, webhooks: Sequence[Webhook], at: datetime) -> None:
    """Queue events for those of the webhooks that they concern, and send them after commit; each key once a webhook."""
    items = [*news]
    deliveries = [
        Delivery(
            webhook=webhook,
            event=item.event,
            key=item.key[:200],
            body=_body(item, at),
            created_at=at,
        )
        for webhook in webhooks
        for item in items
        if item.federation in (None, webhook.federation_id)
    ]
    if not deliveries:
        return
    # What is told twice is one row, by the constraint on webhook and key.
    Delivery.objects.bulk_create(deliveries, ignore_conflicts=True, batch_size=500)
    # Read again, because `ignore_conflicts` tells nobody's key.
    due = Delivery.objects.filter(
        # A paused webhook collects its messages until it is resumed.
        webhook__in=[one for one in webhooks if one.paused_at is None],
        created_at=at,
        state=NoticeState.DUE,
        attempts=0,
    )
    DELIVERIES.send_after_commit(list(due.order_by("pk").only("pk")[:SWEEP_SIZE]))


def deliver(delivery_id: int, *, at: datetime, post: Post = outbound.post) -> bool:
    """Send a due delivery unless another worker has claimed it; return whether it arrived."""

    def do(delivery: Delivery) -> dict[str, Any]:
        answer = _post(delivery, post, at=at)
        return {"sent_at": at, "answer": answer, **Delivery.columns_of("")}

    rows = Delivery.objects.filter(pk=delivery_id)
    webhook = Webhook.objects.filter(deliveries=delivery_id)
    try:
        if not DELIVERIES.perform(rows, do):
            return False
    except NotDeliveredError as error:
        _count_failure(webhook.get(), error.args[0], at=at)
        return False
    # No write where none has failed, as for most deliveries.
    webhook.exclude(failures=0).update(failures=0)
    return True


def sweep() -> None:
    """Enqueue deliveries that are due; those whose worker died are due again."""
    DELIVERIES.sweep()


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the value of `X-Portal-Signature`: `v1=` and the HMAC in hexadecimal digits."""
    # With the timestamp, so that a receiver can refuse what somebody recorded and sends again later.
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"v1={digest.hexdigest()}"


def _post(delivery: Delivery, post: Post, *, at: datetime) -> int:
    """Post a delivery and return the status code of the answer; `NotDeliveredError` if it did not arrive."""
    body, timestamp = delivery.body.encode(), str(int(at.timestamp()))
    try:
        secret = decrypt(delivery.webhook.secret)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Rating-Portal-Webhooks",
            "X-Portal-Event": delivery.event,
            "X-Portal-Delivery": str(delivery.pk),
            "X-Portal-Timestamp": timestamp,
            "X-Portal-Signature": signature(secret, timestamp, body),
        }
        # The text of a failure is stored in English beside its code.
        with override("en"):
            answer = post(outbound.target_of(delivery.webhook.url), body, headers=headers)
    except InvalidToken as error:
        raise NotDeliveredError(FAILURES.state("secret-unreadable")) from error
    except outbound.OutboundError as error:
        raise NotDeliveredError(error.args[0]) from error
    if not 200 <= answer < 300:
        raise NotDeliveredError(FAILURES.state("server-answered", status=answer), answer)
    return answer


def _count_failure(webhook: Webhook, failure: str, *, at: datetime) -> None:
    """Pause a webhook after so many failures in a row."""
    with transaction.atomic():
        # Counted by the database: deliveries of one webhook run side by side.
        used = Webhook.objects.filter(pk=webhook.pk, paused_at=None)
        used.update(failures=F("failures") + 1)
        if used.filter(failures__gte=MAX_FAILURES).update(paused_at=at):
            _announce_pause(webhook, failure, at=at)


def _announce_pause(webhook: Webhook, failure: str, *, at: datetime) -> None:
    roles = (Role.OFFICER, Role.DEPUTY)
    held = Appointment.objects.filter(federation=webhook.federation_id, role__in=roles).select_related("user")
    text = _l(
        "%(number)d attempts in a row to send to %(url)s failed. The last reason: %(failure)s\n\n"
        "Nothing is lost. Fix the server, then resume the webhook:\n%(link)s"
    )
    facts = {"number": MAX_FAILURES, "url": webhook.url}

    def write_text() -> str:
        link = Page("desk:webhook", webhook.pk).link
        return text % {**facts, "failure": FAILURES.show(items_of(failure)), "link": link}

    notices.post(
        # Staff who made it too, but nobody whose role has ended: the address may be a secret.
        to={row.user for row in held}
        | {user for user in (webhook.created_by,) if can_act_for(user, webhook.federation_id)},
        kind=NoticeKind.WEBHOOK,
        key=f"webhook:{webhook.pk}:{at.isoformat()}",
        subject=lambda: _("Webhook of %(federation)s paused") % {"federation": webhook.federation_id},
        text=write_text,
        at=at,
    )


def _body(news: WebhookNews, at: datetime) -> str:
    facts = {"event": news.event, "id": news.key, "at": at, "data": news.data}
    return json.dumps(facts, cls=DjangoJSONEncoder, ensure_ascii=False)


def _refuse_silent(webhook: Webhook) -> None:
    if webhook.ended_at is not None:
        raise refused("removed", FAILURES.say("webhook-removed"))
    if webhook.paused_at is not None:
        raise refused("paused", _("The webhook is paused. Resume it first."))
