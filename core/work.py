"""Work that is done once: background jobs, locks, and clicks that come twice.

Rows store the jobs, the broker only starts them sooner (promise 4). A worker claims a row by one UPDATE. A sweep
enqueues rows whose message was lost, and finds those whose worker died.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from celery import current_app
from django.contrib.auth import get_user_model
from django.db import DatabaseError, InterfaceError, OperationalError, connection, models
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from kombu.exceptions import OperationalError as NotSentError
from redis.exceptions import RedisError
from structlog.contextvars import get_contextvars

# The same thing by the same person so soon is the second click of one, or a form sent again by the back button.
SAME_CLICK = timedelta(seconds=30)


class DueWork(models.Model):
    """A row of work. Its table adds the states, and the instants at which a worker claimed and ended it."""

    created_at = models.DateTimeField(_("created at"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)

    class Meta:
        abstract = True


@dataclass(frozen=True, slots=True)
class Policy:
    """How often a kind of job is tried, and when a claim is lost.

    `waits` are the pauses after the first, second, ... failed attempt; the last one holds for all others. A claim is
    lost after `lost_after`, or where it lies further ahead than clocks differ (`clock_skew`).
    """

    claimed_at: str
    max_attempts: int
    waits: tuple[timedelta, ...]
    lost_after: timedelta
    clock_skew: timedelta
    sweep_size: int = 500

    def has_attempts_left(self, attempts: int) -> bool:
        return attempts < self.max_attempts

    def wait_after(self, attempts: int) -> timedelta:
        """Return the pause before the next attempt."""
        return self.waits[min(attempts, len(self.waits)) - 1]

    def has_lost_claim(self, *, at: datetime) -> Q:
        """Match claimed rows whose worker died."""
        return has_passed(self.claimed_at, self.lost_after, at=at, ahead=self.clock_skew)

    def is_due(self, field: str, after: timedelta = timedelta(), *, at: datetime) -> Q:
        """Match rows whose instant passed `after` ago. No row waits longer than the longest of `waits`."""
        return has_passed(field, after, at=at, ahead=max(self.waits))


def has_passed(field: str, after: timedelta, *, at: datetime, ahead: timedelta) -> Q:
    """Match rows whose instant passed `after` ago, or lies more than `ahead` in the future.

    The latter were written before the clock was set back.
    """
    return Q(**{f"{field}__lte": at - after}) | Q(**{f"{field}__gt": at + ahead})


def claim(rows: QuerySet[Any], policy: Policy, *, at: datetime, **values: Any) -> bool:
    """Claim rows by compare-and-set and count the attempt; False where another worker was faster."""
    return bool(rows.update(attempts=F("attempts") + 1, **{policy.claimed_at: at}, **values))


def lock_until_commit(number: int) -> None:
    """Wait for other transactions that hold the lock of this number; SQLite has one writer in any case."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def lock_person(person: Any) -> None:
    """Wait for other transactions in which the same person acts."""
    get_user_model()._default_manager.select_for_update().get(pk=person.pk)


def just_now(at: datetime) -> tuple[datetime, datetime]:
    """Return the instants between which a person's second click falls, for `at__range`."""
    return at - SAME_CLICK, at + SAME_CLICK


@contextmanager
def heartbeat(rows: QuerySet[Any], policy: Policy, *, every: timedelta) -> Iterator[None]:
    """Renew the claim on rows during the block, so that a dead worker is noticed soon.

    SQLite has one writer, which may be the block itself: then no beat is written. Another claim waits for the block
    and finds the rows done.
    """
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(every.total_seconds()):
            with suppress(DatabaseError):
                rows.update(**{policy.claimed_at: timezone.now()})
        connection.close()

    beats = threading.Thread(target=beat, name="heartbeat", daemon=True)
    beats.start()
    try:
        yield
    finally:
        ended.set()
        beats.join()


def record_end(rows: QuerySet[Any], **values: Any) -> None:
    """Record how claimed work ended, over a new connection where the present one was lost."""
    try:
        rows.update(**values)
    except (InterfaceError, OperationalError):
        if connection.in_atomic_block:
            raise
        connection.close()
        rows.update(**values)


# Whoever commits does not wait for each message to a broker that does not answer.
BROKER_AWAY_SECONDS = 5.0
_asked_again_at = 0.0
log = structlog.get_logger(__name__)


def send_to_workers(task: str, argument: Any) -> None:
    """Send a task to the workers, whose log names the request. A sweep finds what the broker loses."""
    global _asked_again_at
    if time.monotonic() < _asked_again_at:
        return
    request = {key: value for key, value in get_contextvars().items() if key == "request_id"}
    try:
        current_app.send_task(task, args=[argument], headers=request, retry=False)
    except (NotSentError, RedisError, OSError):
        log.warning("broker_away", task=task, exc_info=True)
        _asked_again_at = time.monotonic() + BROKER_AWAY_SECONDS
