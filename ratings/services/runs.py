"""Work that is due: rows say what is left to do, the broker only hurries it (promise 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from core.work import Policy, claim, heartbeat, record_end, send_to_workers
from ratings.choices import CHECKS, RunState, Work
from ratings.models import RatingList, Run, TextTrial
from ratings.services import restore
from ratings.services.adoptions import new_proposal, new_trial, perform_trial
from ratings.services.archives import make_archives
from ratings.services.export import NotAsPublishedFileError
from ratings.services.follows import mail_followers
from ratings.services.health import measure_until, unmeasured
from ratings.services.publication.publish import PUBLISHED_KINDS, publish_lists
from ratings.services.rating import rate_report, rate_reports
from ratings.services.verification.verify import verify_list
from ratings.systems.variants import Parameters
from tournaments.models import Report
from tournaments.queries.lookups import Lookups
from tournaments.signals import Dispatch

TASKS = {
    Work.RATE: "ratings.tasks.rate_report",
    Work.PUBLISH: "ratings.tasks.publish_month",
    Work.VERIFY: "ratings.tasks.verify_list",
    Work.ARCHIVE: "ratings.tasks.archive_list",
    Work.LOG: "ratings.tasks.check_stored",
    Work.TRIAL: "ratings.tasks.try_text",
    Work.FILES: "ratings.tasks.check_stored",
    Work.STORE: "ratings.tasks.check_stored",
    Work.HEALTH: "ratings.tasks.measure_list",
    Work.READ: "ratings.tasks.read_fide_list",
    Work.IMPORT: "ratings.tasks.import_fide_list",
    Work.MAIL: "ratings.tasks.mail_followers",
}
POLICY = Policy(
    claimed_at="started_at",
    max_attempts=5,
    waits=(timedelta(minutes=1),),
    # With a sweep a minute: a killed worker is replaced within two.
    lost_after=timedelta(seconds=60),
    clock_skew=timedelta(minutes=1),
)
BEAT = timedelta(seconds=15)
# Who publishes where nobody asked for it, in the audit log.
SCHEDULE = "schedule"
logger = structlog.get_logger(__name__)


# The checks of a night: the name of each is its subject too.
WATCHED = {
    Work.LOG: restore.check_log,
    Work.FILES: restore.check_files,
    Work.STORE: restore.check_database,
}


class NotAsPublishedError(Exception):
    """A published list differs from what was published; the message names the first thing that does."""


def enqueue(run: Run, at: datetime) -> None:
    """Tell workers of a run that is due."""
    for _ in range(_workers_for(run)):
        send_to_workers(TASKS[Work(run.work)], run.work if run.work in WATCHED else run.subject)


def _workers_for(run: Run) -> int:
    """Two workers share a month, a list each; where the database has one writer they would only wait."""
    shares = run.work == Work.PUBLISH and connection.vendor == "postgresql"
    return len(PUBLISHED_KINDS) if shares else 1


def perform_now(run: Run, at: datetime) -> None:
    """Do a run at once instead of telling workers: for commands, which need no worker and no broker."""
    perform(run.work, run.subject, at=at, dispatch=perform_now)


def leave_due(run: Run, at: datetime) -> None:
    """Leave a run to the caller, who does it later, and otherwise to the sweep."""


def make_due(
    work: Work, subject: str, *, at: datetime, dispatch: Dispatch | None = None, by: Any = None
) -> Run:
    """Note a piece of work as due and hand it over after commit; noting it again makes it due again."""
    return make_all_due(work, [subject], at=at, dispatch=dispatch, by=by)[0]


def make_due_unless_at_it(work: Work, subject: str, *, at: datetime) -> Run | None:
    """Make a piece of work due as `make_due` does, unless it is due or running: the sweep looks after those."""
    if Run.objects.filter(work=work, subject=subject, state__in=[RunState.DUE, RunState.RUNNING]).exists():
        return None
    return make_due(work, subject, at=at)


def make_all_due(
    work: Work, subjects: Iterable[str], *, at: datetime, dispatch: Dispatch | None = None, by: Any = None
) -> list[Run]:
    """Note pieces of work of one kind as `make_due` does, together."""
    runs = Run.objects.bulk_create(
        [Run(work=work, subject=subject, state=RunState.DUE, created_at=at, by=by) for subject in subjects],
        update_conflicts=True,
        unique_fields=["work", "subject"],
        update_fields=["state", "attempts", "error", "finished_at", "by"],
    )
    for run in runs:
        _hand_over_after_commit(run, at, dispatch or enqueue)
    return runs


def _hand_over_after_commit(run: Run, at: datetime, dispatch: Dispatch) -> None:
    # No partial: Django tells of what fails after a commit by a name that a partial does not have.
    transaction.on_commit(lambda: dispatch(run, at), robust=dispatch is enqueue)


def try_text(
    text: str, months: Iterable[date], *, by: Any, at: datetime, dispatch: Dispatch | None = None
) -> TextTrial:
    """Have a text tried on the published lists of months; `RefusedError` where it cannot be."""
    with transaction.atomic():
        trial = new_trial(text, months, by=by, at=at)
        make_due(Work.TRIAL, str(trial.pk), at=at, dispatch=dispatch, by=by)
    return trial


def try_proposal(
    name: str,
    parameters: Parameters,
    months: Iterable[date],
    *,
    by: Any,
    at: datetime,
    dispatch: Dispatch | None = None,
) -> TextTrial:
    """Have a proposal tried on the published lists of months; `RefusedError` where it cannot be."""
    with transaction.atomic():
        trial = new_proposal(name, parameters, months, by=by, at=at)
        make_due(Work.TRIAL, str(trial.pk), at=at, dispatch=dispatch, by=by)
    return trial


def make_measuring_due(*, at: datetime) -> list[Run]:
    """Note the newest list of each kind as due to be measured where one is not: it brings those before it.

    One that failed is left to the sweep, and after the last attempt to staff, who see it among the failed jobs.
    """
    newest = {item.kind: name_of(item) for item in unmeasured()}
    failed = Run.objects.filter(work=Work.HEALTH, state=RunState.FAILED).values_list("subject", flat=True)
    wanted = [name for name in newest.values() if name not in set(failed)]
    runs = [make_due_unless_at_it(Work.HEALTH, name, at=at) for name in wanted]
    return [run for run in runs if run]


def make_checks_due(*, at: datetime) -> list[Run]:
    """Note the checks of a night as due: what is stored is what was written."""
    return [make_due(work, work.value, at=at) for work in WATCHED]


def with_repair(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the parts of a download; one that is not as published ends, and workers check and restore all files."""
    try:
        yield from parts
    except NotAsPublishedFileError as error:
        logger.error("download differs from what was published", path=str(error))
        make_due_unless_at_it(Work.FILES, Work.FILES.value, at=timezone.now())
        raise


def rate_due(subjects: Sequence[str], lookups: Lookups, *, at: datetime) -> None:
    """Rate the reports of runs that are not done, in one transaction; where that fails, one by one.

    For many reports, which are rated for less by the dozen. The first error of those done one by one is raised when
    all the others are done.
    """
    runs = Run.objects.filter(work=Work.RATE, subject__in=subjects).exclude(state=RunState.DONE)
    if not runs.exists():
        return
    try:
        with transaction.atomic():
            reports = [int(subject) for subject in runs.values_list("subject", flat=True)]
            rate_reports(reports, at=at, lookups=lookups)
            claim(runs, POLICY, at=at, state=RunState.DONE, finished_at=at)
        return
    except Exception:
        logger.exception("ratings failed together", reports=len(subjects))
    errors: list[Exception] = []
    for run in runs:
        try:
            perform(run.work, run.subject, at=at)
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]


def perform(work: str, subject: str, *, at: datetime, dispatch: Dispatch | None = None) -> None:
    """Do a piece of work and note how it ended; what is done already is left alone.

    What it makes due goes to `dispatch`, else to a worker.
    """
    unfinished = Run.objects.filter(work=work, subject=subject).exclude(state=RunState.DONE)
    if not claim(unfinished, POLICY, at=at, state=RunState.RUNNING, error="", finished_at=None):
        return
    try:
        with heartbeat(unfinished, POLICY, every=BEAT):
            _perform(Work(work), subject, at=at, dispatch=dispatch)
    except Exception as error:
        logger.exception("run failed", work=work, subject=subject)
        message = f"{type(error).__name__}: {error}"[:2000]
        record_end(unfinished, state=RunState.FAILED, finished_at=at, error=message)
        if isinstance(error, NotAsPublishedError):
            restore.tell_staff(message, at=at)
        raise
    record_end(unfinished, state=RunState.DONE, finished_at=at)


def _perform(work: Work, subject: str, *, at: datetime, dispatch: Dispatch | None) -> None:
    if work == Work.PUBLISH:
        asked = Run.objects.select_related("by").get(work=work, subject=subject)
        publish_lists(date.fromisoformat(subject), by=asked.by, by_name=SCHEDULE, at=at, dispatch=dispatch)
        return
    if work == Work.VERIFY:
        _verify(subject)
        return
    if work in WATCHED:
        if problems := WATCHED[work]():
            raise NotAsPublishedError("; ".join(problems))
        return
    if work == Work.TRIAL:
        perform_trial(int(subject))
        return
    if work == Work.HEALTH:
        measure_until(list_named(subject), at=at)
        return
    if work == Work.ARCHIVE:
        make_archives(list_named(subject))
        return
    if work in (Work.READ, Work.IMPORT):
        # An import makes reports due for rating by the services here.
        from ratings.services.imports.browser import perform_import

        perform_import(int(subject), at=at, dispatch=dispatch)
        return
    if work == Work.MAIL:
        mail_followers(list_named(subject), at=at)
        return
    report = Report.objects.filter(pk=int(subject)).defer("content", "pgn").first()
    if report is not None:
        rate_report(report, at=at)


def _verify(subject: str) -> None:
    difference = verify_list(list_named(subject))
    if difference is not None:
        raise NotAsPublishedError(str(difference))


def list_named(name: str) -> RatingList:
    """Return the list that a run names as `rapid 2026-02-01`."""
    kind, day = name.split()
    return RatingList.objects.get(kind=kind, date=day)


def name_of(rating_list: RatingList) -> str:
    """Return the name by which runs know a list."""
    return f"{rating_list.kind} {rating_list.date.isoformat()}"


def sweep(*, at: datetime, dispatch: Dispatch = enqueue) -> list[Run]:
    """Enqueue again what is due and was lost, what a killed worker left, and what failed a few times only."""
    wait = POLICY.wait_after(1)
    lost = Q(state=RunState.DUE) & POLICY.is_due("created_at", wait, at=at)
    stuck = Q(state=RunState.RUNNING) & POLICY.has_lost_claim(at=at)
    failed = Q(state=RunState.FAILED, attempts__lt=POLICY.max_attempts)
    # A list that differs from what was published will differ the next time too.
    failed &= ~Q(work__in=CHECKS) & POLICY.is_due("finished_at", wait, at=at)
    runs = list(Run.objects.filter(lost | stuck | failed).order_by("created_at")[: POLICY.sweep_size])
    for run in runs:
        dispatch(run, at)
    return runs


def is_tried_again(run: Run) -> bool:
    """Whether the run comes to its end, or is tried again, without anybody's doing."""
    is_tried = run.work not in CHECKS and POLICY.has_attempts_left(run.attempts)
    return run.state != RunState.FAILED or is_tried
