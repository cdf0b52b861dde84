"""Doing the work that is due, looking after what was lost, left or failed (promise 4), and the checks of a night."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

import structlog
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import override

from core.stated import Stated, join_stated
from players import log_chain, notices
from players.choices import NoticeKind, Role
from ratings.archives import make_archives, restore_files
from ratings.choices import PUBLISHED_KINDS, SENTENCES, Origin, RunState, Work
from ratings.due_runs import (
    RUNS,
    enqueue,
    list_named,
    make_all_due,
    make_due,
    name_of,
    names_of_month,
)
from ratings.follows import mail_followers
from ratings.imports.browser import perform_import
from ratings.late_adoption import perform_effect
from ratings.models import FideImport, RatingList, RegisterImport, Run
from ratings.publish.announcement import mail_officers
from ratings.publish.publish import publish_list
from ratings.rate import rate_report, rate_reports
from ratings.text_trials import perform_trial
from ratings.verify.verify import verify_list
from tournaments.lookups import Lookups
from tournaments.models import Report
from tournaments.signals import Dispatch

# How often a command asks whether another process has done what it needs.
ASK_AGAIN_SECONDS = 0.2
# The user in the audit log for lists that the schedule publishes.
SCHEDULE = "schedule"
logger = structlog.get_logger(__name__)


# Beat asks for the checks at each of its starts, too. A worker may begin them hours later.
NIGHT = timedelta(hours=20)
# So many lists that nobody has verified yet are verified in one.
VERIFIED_A_NIGHT = 6
# What is checked each night: the audit log, the files of the lists, the database.

# A message names so many: the first ones show where to look.
MAX_NAMED = 20


def check_log() -> list[str]:
    """Link what was left behind, and return what is wrong with the audit log and with the heads that lists name."""
    log_chain.link_log(whole=True)
    return [*islice(log_chain.verify_log(), MAX_NAMED), *_lost_heads()]


def _lost_heads() -> Iterator[str]:
    """Yield the lists whose manifest names a head that is not on the chain."""
    for rating_list in RatingList.objects.order_by("date", "kind"):
        named = rating_list.manifest.get("audit_log")
        if named and not log_chain.is_on_chain(named["entries"], named["sha256"]):
            yield SENTENCES.state("log-differs", list=rating_list.stored_name)


def check_files() -> list[str]:
    """Compare every file of the lists with its hash, and write what differs again from the entries; return what did."""
    return [
        SENTENCES.state("file-restored" if item.is_right else "file-lost", path=item.path)
        for item in restore_files()
    ]


def check_database() -> list[str]:
    """Return the integrity problems that the database reports; PostgreSQL checks its pages when it reads them."""
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA integrity_check({MAX_NAMED})")
        return [str(row[0]) for row in cursor.fetchall() if row[0] != "ok"]


def tell_staff(problem: Stated, *, at: datetime) -> None:
    """Mail staff and auditors what a check found, once a day."""
    readers = get_user_model()._default_manager.filter(appointments__role__in=(Role.STAFF, Role.AUDITOR))
    notices.post(
        to=readers.distinct(),
        kind=NoticeKind.SECURITY,
        key=f"check:{at.date().isoformat()}:{problem}"[:200],
        subject=_l("A check of the rating portal found a difference"),
        text=lambda: (
            _("The stored data differ from what was written: %(problem)s")
            % {"problem": SENTENCES.show(problem.items)}
        ),
        at=at,
    )


# The checks of a night: the name of each is its subject too.
WATCHED = {
    Work.LOG: check_log,
    Work.FILES: check_files,
    Work.STORE: check_database,
}


class NotAsPublishedError(Exception):
    """A published list differs from what was published; the message names the first thing that does."""


def perform_now(run: Run, at: datetime) -> None:
    """Do a run at once instead of telling workers: for commands, which need no worker and no broker.

    Where another process is at it, its end is awaited, or its death.
    """
    while not perform(run.work, run.subject, at=at, dispatch=perform_now):
        # Done by the other, or failed and left to the sweep.
        if not Run.objects.filter(pk=run.pk, state=RunState.RUNNING).exists():
            return
        time.sleep(ASK_AGAIN_SECONDS)


def make_checks_due(*, at: datetime) -> list[Run]:
    """Note the checks of a night as due, once: of what is stored, and of the newest lists that were never verified."""
    begun = Run.objects.filter(work__in=WATCHED, state=RunState.DONE, claimed_at__range=(at - NIGHT, at))
    known = set(begun.values_list("work", flat=True))
    checks = [make_due(work, work.value, at=at) for work in WATCHED if work not in known]
    names = map(name_of, RatingList.objects.filter(origin=Origin.PUBLISHED).order_by("-date", "kind"))
    verified = set(Run.objects.filter(work=Work.VERIFY).values_list("subject", flat=True))
    left = [name for name in names if name not in verified]
    return [*checks, *make_all_due(Work.VERIFY, left[:VERIFIED_A_NIGHT], at=at)]


def rate_due(subjects: Sequence[str], lookups: Lookups, *, at: datetime) -> None:
    """Rate the reports of runs that are not done, in one transaction; where that fails, one by one.

    For many reports, which are rated for less by the dozen. The first error of those done one by one is raised when
    all the others are done.
    """
    named = Run.objects.filter(work=Work.RATE, subject__in=subjects)
    # Somebody asks for them now, whatever failed before.
    RUNS.make_due(named.filter(state__in=[RunState.DUE, RunState.FAILED]))
    try:
        with transaction.atomic():
            claimed = RUNS.claim(named)
            if claimed:
                rate_reports([int(run.subject) for run in claimed], at=at, lookups=lookups)
                RUNS.end(claimed, state=RunState.DONE, finished_at=Now())
    except Exception:
        logger.exception("ratings failed together", reports=len(subjects))
    errors: list[Exception] = []
    for run in named.exclude(state=RunState.DONE):
        try:
            perform_now(run, at)
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]


def perform(work: str, subject: str, *, at: datetime, dispatch: Dispatch | None = None) -> bool:
    """Do a job that is due and record how it ended; return False where it is not, or another worker is at it.

    Jobs that it queues go to `dispatch`, else to a worker.
    """

    def do(run: Run) -> dict[str, Any]:
        # The texts beside what is stated are in English, whoever asked.
        with override("en"):
            PERFORMED[Work(run.work)](run, at=at, dispatch=dispatch)
        return {"finished_at": Now()}

    try:
        return RUNS.perform(Run.objects.filter(work=work, subject=subject), do)
    except Exception as error:
        logger.exception("run failed", work=work, subject=subject)
        if isinstance(error, NotAsPublishedError):
            tell_staff(error.args[0], at=at)
        raise


def _publish(run: Run, *, at: datetime, dispatch: Dispatch | None) -> None:
    kind, _space, day = run.subject.rpartition(" ")
    if not kind:
        # Noted before each list had a job of its own: it published both lists of a month.
        names = names_of_month(date.fromisoformat(day))
        make_all_due(Work.PUBLISH, names, at=at, dispatch=dispatch, by=run.by)
        return
    publish_list(
        kind,
        date.fromisoformat(day),
        by=run.by,
        by_name=SCHEDULE,
        at=at,
        dispatch=dispatch,
        # A month is published as a whole: where one list cannot be, neither is.
        with_kinds=PUBLISHED_KINDS,
    )


def _verify(run: Run, **_given: Any) -> None:
    difference = verify_list(list_named(run.subject))
    if difference is not None:
        raise NotAsPublishedError(join_stated([str(difference)]))


@transaction.atomic
def note_verification(rating_list: RatingList, difference: Any, *, at: datetime) -> None:
    """Note what a check by a command found, where all pages look; one that runs notes its own."""
    if rating_list.origin != Origin.PUBLISHED:
        return
    runs = Run.objects.filter(work=Work.VERIFY, subject=name_of(rating_list))
    if not runs.exists():
        Run.objects.create(work=Work.VERIFY, subject=name_of(rating_list), created_at=at)
    runs.exclude(state=RunState.RUNNING).update(
        state=RunState.FAILED if difference else RunState.DONE,
        error=join_stated([str(difference)]) if difference else "",
        finished_at=at,
    )


def _watch(run: Run, **_given: Any) -> None:
    if problems := WATCHED[Work(run.work)]():
        raise NotAsPublishedError(join_stated(problems, "; "))


def _import(run: Run, *, at: datetime, dispatch: Dispatch | None) -> None:
    kind = RegisterImport if run.work == Work.REGISTER else FideImport
    perform_import(int(run.subject), at=at, dispatch=dispatch, kind=kind)


def _rate(run: Run, *, at: datetime, **_given: Any) -> None:
    # A report may be gone by now: then there is nothing to rate, and nothing wrong.
    report = Report.objects.filter(pk=int(run.subject)).defer("content", "pgn").first()
    if report is not None:
        rate_report(report, at=at)


def _mail(run: Run, *, at: datetime, **_given: Any) -> None:
    rating_list = list_named(run.subject)
    mail_followers(rating_list, at=at)
    mail_officers(rating_list, at=at)


PERFORMED: dict[Work, Callable[..., object]] = {
    Work.RATE: _rate,
    Work.PUBLISH: _publish,
    Work.VERIFY: _verify,
    **dict.fromkeys(WATCHED, _watch),
    Work.TRIAL: lambda run, **_given: perform_trial(int(run.subject)),
    Work.LATE: lambda run, **_given: perform_effect(int(run.subject)),
    Work.ARCHIVE: lambda run, **_given: make_archives(list_named(run.subject)),
    Work.READ: _import,
    Work.IMPORT: _import,
    Work.MAIL: _mail,
    Work.REGISTER: _import,
}


def sweep(*, at: datetime, dispatch: Dispatch = enqueue) -> list[Run]:
    """Enqueue again what is due and was lost, what a killed worker left, and what failed a few times only."""
    return RUNS.sweep(lambda run: dispatch(run, at))
