"""Work that is due: rows say what is left to do, the broker only hurries it (promise 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, timedelta

import structlog
from celery import current_app
from django.db import transaction
from django.db.models import F, Q

from ratings.choices import ListKind, RunState, Work
from ratings.models import RatingList, Run
from ratings.services.publication.publish import PUBLISHED_KINDS, publish_lists
from ratings.services.rating import rate_report
from ratings.services.verification.verify import verify_list
from tournaments.models import Report

TASKS = {
    Work.RATE: "ratings.tasks.rate_report",
    Work.PUBLISH: "ratings.tasks.publish_month",
    Work.VERIFY: "ratings.tasks.verify_list",
}
MOST_ATTEMPTS = 5
WAITING = timedelta(minutes=1)
STUCK = timedelta(minutes=15)
logger = structlog.get_logger(__name__)


class NotAsPublishedError(Exception):
    """A published list differs from what was published; the message names the first thing that does."""


def _enqueue(run: Run, at: datetime) -> None:
    current_app.send_task(TASKS[Work(run.work)], args=[run.subject], retry=False)


def _work_now(run: Run, at: datetime) -> None:
    perform(run.work, run.subject, at=at)


_dispatch: ContextVar[Callable[[Run, datetime], None]] = ContextVar("dispatch", default=_enqueue)


@contextmanager
def working_inline() -> Iterator[None]:
    """Do due work at once instead of enqueueing it: for commands, which need no worker and no broker."""
    token = _dispatch.set(_work_now)
    try:
        yield
    finally:
        _dispatch.reset(token)


def make_due(work: Work, subject: str, *, at: datetime) -> Run:
    """Note a piece of work as due and hand it over after commit; noting it again makes it due again."""
    run, _ = Run.objects.update_or_create(
        work=work,
        subject=subject,
        defaults={"state": RunState.DUE, "attempts": 0, "error": "", "finished_at": None},
        create_defaults={"state": RunState.DUE, "created_at": at},
    )
    dispatch = _dispatch.get()
    transaction.on_commit(lambda: dispatch(run, at), robust=dispatch is _enqueue)
    return run


def perform(work: str, subject: str, *, at: datetime) -> None:
    """Do a piece of work and note how it ended; what is done already is left alone."""
    claimed = Run.objects.filter(work=work, subject=subject).exclude(state=RunState.DONE)
    if not claimed.update(
        state=RunState.RUNNING, started_at=at, attempts=F("attempts") + 1, error="", finished_at=None
    ):
        return
    try:
        _perform(Work(work), subject, at=at)
    except Exception as error:
        claimed.update(state=RunState.FAILED, finished_at=at, error=f"{type(error).__name__}: {error}"[:2000])
        logger.exception("run failed", work=work, subject=subject)
        raise
    claimed.update(state=RunState.DONE, finished_at=at)


def _perform(work: Work, subject: str, *, at: datetime) -> None:
    if work == Work.PUBLISH:
        publish_lists(date.fromisoformat(subject), by=None, at=at)
        return
    if work == Work.VERIFY:
        _verify(subject)
        return
    report = Report.objects.filter(pk=int(subject)).defer("content", "pgn").first()
    if report is not None:
        rate_report(report, at=at)


def _verify(subject: str) -> None:
    kind, day = subject.split()
    difference = verify_list(RatingList.objects.get(kind=kind, date=day))
    if difference is not None:
        raise NotAsPublishedError(str(difference))


def sweep(*, at: datetime) -> list[Run]:
    """Enqueue again what is due and was lost, what a killed worker left, and what failed a few times only."""
    lost = Q(state=RunState.DUE, created_at__lte=at - WAITING)
    stuck = Q(state=RunState.RUNNING, started_at__lte=at - STUCK)
    failed = Q(state=RunState.FAILED, attempts__lt=MOST_ATTEMPTS, finished_at__lte=at - WAITING)
    # A list that is not as it was published will not be so the next time either.
    failed &= ~Q(work=Work.VERIFY)
    runs = list(Run.objects.filter(lost | stuck | failed).order_by("created_at")[:500])
    for run in runs:
        _dispatch.get()(run, at)
    return runs


def due_month(today: date) -> date | None:
    """Return the list of the month if it is missing, None before the portal holds a first list of any kind."""
    month = today.replace(day=1)
    kinds = set(RatingList.objects.filter(date=month).values_list("kind", flat=True))
    has_begun = RatingList.objects.filter(kind__in=[ListKind.RAPID, ListKind.BLITZ]).exists()
    return month if has_begun and not kinds.issuperset(PUBLISHED_KINDS) else None
