"""Due work: rows that say what is to be done, each done by one worker at a time, and at least once (promise 4).

The database stores the work; the broker only starts it sooner, and a sweep finds what it lost. A worker claims a row
by one UPDATE that compares its state, and becomes its owner. It renews its claim while it works; a claim that is not
renewed is lost. Heartbeat and end compare the owner, so that a worker without its claim changes nothing more. Making a
row due while a worker is at it counts its generation up: the worker may have read before, and leaves the row due. All
instants are those of the database: no clock of another machine decides.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from itertools import groupby
from typing import Any, ClassVar, Generic, TypeVar
from uuid import uuid4

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connection, models, transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

DUE = "due"
# A message of a row that nobody tried yet may still wait for a worker.
GRACE = timedelta(minutes=1)
SWEEP_SIZE = 500
BEAT = timedelta(seconds=15)
log = structlog.get_logger(__name__)


class DueWork(models.Model):
    """A row of work. Its table adds the state, which is `due` where it waits for its first attempt."""

    created_at = models.DateTimeField(_("Created at"))
    attempts = models.PositiveSmallIntegerField(_("Attempts"), default=0)
    due_at = models.DateTimeField(_("Not before"), db_default=Now())
    claimed_at = models.DateTimeField(_("Started at"), null=True, blank=True)
    # The claim of the worker that is at it.
    owner = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    # How often the row was made due again.
    generation = models.PositiveIntegerField(default=0, db_default=0, editable=False)

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=DueWork)


def has_passed(field: str, after: timedelta = timedelta(), *, ahead: timedelta) -> Q:
    """Match rows whose instant passed `after` ago, or lies more than `ahead` in the future.

    The latter were written before the clock of the database was set back.
    """
    return Q(**{f"{field}__lte": Now() - after}) | Q(**{f"{field}__gt": Now() + ahead})


class Outbox(ABC, Generic[Row]):
    """A table of due work: its states, how often a row is tried, and when the claim of a worker is lost.

    `waits` are the pauses after the first, second, ... failed attempt; the last one holds for all others. `waiting` is
    the state between two attempts.
    """

    model: type[Row]
    running: ClassVar[str]
    waiting: ClassVar[str]
    failed: ClassVar[str]
    done: ClassVar[str]
    max_attempts: ClassVar[int]
    waits: ClassVar[tuple[timedelta, ...]]
    lost_after: ClassVar[timedelta]
    # What a claim and a worker that died for the last time write besides.
    on_claim: ClassVar[Mapping[str, Any]] = {}
    on_loss: ClassVar[Mapping[str, Any]] = {}
    # Whether a row whose worker died may be done once more.
    retries_lost: ClassVar[bool] = True

    @abstractmethod
    def send(self, row: Row) -> None:
        """Tell the workers of a row."""

    @abstractmethod
    def values_of_failure(self, row: Row, error: Exception, *, is_last: bool) -> Mapping[str, Any]:
        """Return what a failed attempt writes besides the state."""

    def is_workable(self) -> Q:
        """Match rows that are not to be left alone for reasons of their own."""
        return Q()

    def is_tried_again(self, row: Row) -> bool:
        """Return whether a row that failed gets another attempt."""
        return row.attempts < self.max_attempts

    def is_claimable(self) -> Q:
        """Match the rows that a worker may begin: due ones, and those whose worker died."""
        waits = Q(state__in={DUE, self.waiting}, attempts__lt=self.max_attempts)
        found = waits & has_passed("due_at", ahead=max(self.waits))
        if self.retries_lost:
            found |= self._is_lost() & Q(attempts__lt=self.max_attempts)
        return found & self.is_workable()

    def _is_lost(self) -> Q:
        return Q(state=self.running) & has_passed("claimed_at", self.lost_after, ahead=self.lost_after)

    def make_due(self, rows: QuerySet[Row], **values: Any) -> int:
        """Make rows due with new attempts; one that a worker is at is due again when it ends."""
        state = Case(When(state=self.running, then=Value(self.running)), default=Value(DUE))
        return rows.update(generation=F("generation") + 1, attempts=0, due_at=Now(), state=state, **values)

    def claim(self, rows: QuerySet[Row]) -> list[Row]:
        """Claim those of some rows that may be begun, and count the attempt; others have an owner, or nothing to do."""
        owner = uuid4().hex
        claimed = {"state": self.running, "owner": owner, "claimed_at": Now(), **self.on_claim}
        # PostgreSQL compares again after it waited for a row: of two workers the second updates none.
        if not rows.filter(self.is_claimable()).update(attempts=F("attempts") + 1, **claimed):
            return []
        # An UPDATE of Django returns no rows: they are found by their new owner.
        # In the order in which `end` groups them.
        return list(rows.filter(owner=owner).order_by("generation", "pk"))

    def perform(self, rows: QuerySet[Row], do: Callable[[Row], Mapping[str, Any] | None]) -> bool:
        """Claim a row and do it; return False where it is not due or another worker is at it.

        `do` returns what the end writes besides the state. Its error is recorded, and raised.
        """
        claimed = self.claim(rows)
        if not claimed:
            return False
        [row] = claimed
        try:
            with self._heartbeat(row):
                values = do(row)
        except Exception as error:
            is_last = not self.is_tried_again(row)
            wait = self.waits[min(row.attempts, len(self.waits)) - 1]
            self.end(
                [row],
                state=self.failed if is_last else self.waiting,
                due_at=Now() + wait,
                **self.values_of_failure(row, error, is_last=is_last),
            )
            raise
        self.end([row], state=self.done, **(values or {}))
        return True

    def end(self, claimed: Sequence[Row], **values: Any) -> None:
        """Record how claimed work ended; a row that was made due meanwhile is left due, and sent again."""
        for generation, rows in groupby(claimed, key=lambda row: row.generation):
            keys = [row.pk for row in rows]
            own = self.model._default_manager.filter(pk__in=keys, owner=claimed[0].owner, state=self.running)
            if _update(own.filter(generation=generation), owner="", **values) == len(keys):
                continue
            again = list(own)
            if _update(own, state=DUE, owner="", due_at=Now()) < len(keys):
                log.warning("claims_lost", table=self.model._meta.db_table, rows=keys)
            for row in again:
                self.send(row)

    def give_up_lost(self) -> None:
        """Record rows that are not tried once more after their worker died."""
        lost = self._is_lost() & (Q(attempts__gte=self.max_attempts) if self.retries_lost else Q())
        self.model._default_manager.filter(lost).update(state=self.failed, owner="", **self.on_loss)

    def sweep(self, dispatch: Callable[[Row], None] | None = None) -> list[Row]:
        """Send again what is due and was lost, what a dead worker left, and what failed and has waited."""
        self.give_up_lost()
        is_on_its_way = Q(attempts=0, state=DUE) & ~has_passed("due_at", GRACE, ahead=max(self.waits))
        rows = self.model._default_manager.filter(self.is_claimable()).exclude(is_on_its_way)
        found = list(rows.order_by("due_at", "pk")[:SWEEP_SIZE])
        for row in found:
            (dispatch or self.send)(row)
        return found

    def send_after_commit(self, rows: Sequence[Row]) -> None:
        """Tell the workers of rows once they are committed."""
        # Not a partial: Django logs on_commit errors by `__qualname__`.
        # Robust: the work is committed, and the sweep sends what could not be sent here.
        transaction.on_commit(lambda: [self.send(row) for row in rows], robust=True)

    @contextmanager
    def _heartbeat(self, row: Row) -> Iterator[None]:
        """Renew the claim during the block, so that a dead worker is noticed soon.

        SQLite has one writer, which may be the block itself: then no beat is written. Another claim waits for the block
        and finds the row done.
        """
        own = self.model._default_manager.filter(pk=row.pk, owner=row.owner, state=self.running)
        ended = threading.Event()

        def beat() -> None:
            while not ended.wait(BEAT.total_seconds()):
                # The next beat makes up for one that failed.
                with suppress(DatabaseError):
                    # Another worker has the claim: there is nothing left to renew.
                    if not own.update(claimed_at=Now()):
                        break
            # The thread has a connection of its own, which nobody else would close.
            connection.close()

        beats = threading.Thread(target=beat, name="heartbeat", daemon=True)
        beats.start()
        try:
            yield
        finally:
            ended.set()
            beats.join()


def _update(rows: QuerySet[Any], **values: Any) -> int:
    """Update rows, over a new connection where the present one was lost."""
    try:
        return rows.update(**values)
    except (InterfaceError, OperationalError):
        # What the transaction wrote before is lost as well: the caller has to begin again.
        if connection.in_atomic_block:
            raise
        connection.close()
        return rows.update(**values)
