"""Doing the work that is due, and looking after what was lost, left or failed (promise 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils.translation import override

from core.work import claim, heartbeat, record_end
from ratings.choices import CHECKS, RunState, Work
from ratings.models import Run, TextTrial
from ratings.rate import rate_report, rate_reports
from ratings.services import restore
from ratings.services.adoptions import new_proposal, new_trial, perform_trial
from ratings.services.archives import make_archives
from ratings.services.due_runs import POLICY, enqueue, list_named, make_due, make_due_unless_at_it, name_of
from ratings.services.follows import mail_followers
from ratings.services.health import measure_until, unmeasured
from ratings.services.imports.browser import perform_import
from ratings.services.publication.publish import publish_lists
from ratings.services.verification.verify import verify_list
from ratings.systems.variants import Parameters
from tournaments.models import Report
from tournaments.queries.lookups import Lookups
from tournaments.signals import Dispatch

BEAT = timedelta(seconds=15)
# The user in the audit log for lists that the schedule publishes.
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


def perform_now(run: Run, at: datetime) -> None:
    """Do a run at once instead of telling workers: for commands, which need no worker and no broker."""
    perform(run.work, run.subject, at=at, dispatch=perform_now)


def try_text(
    text: str, months: Iterable[date], *, by: Any, at: datetime, dispatch: Dispatch | None = None
) -> TextTrial:
    """Queue the trial of a text on the published lists of months; `RefusedError` if it is not possible."""
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
    """Queue the trial of a proposal on the published lists of months; `RefusedError` if it is not possible."""
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
    """Run a job and record how it ended; a finished job is not repeated.

    Jobs that it queues go to `dispatch`, else to a worker.
    """
    unfinished = Run.objects.filter(work=work, subject=subject).exclude(state=RunState.DONE)
    if not claim(unfinished, POLICY, at=at, state=RunState.RUNNING, error="", finished_at=None):
        return
    try:
        # Errors and results are stored in English, and read in each language (`ratings.choices.JOB_TEXTS`).
        with heartbeat(unfinished, POLICY, every=BEAT), override("en"):
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
    """Return whether the job finishes or is retried without manual action."""
    is_tried = run.work not in CHECKS and POLICY.has_attempts_left(run.attempts)
    return run.state != RunState.FAILED or is_tried
