"""Queue background jobs. The database stores them; the broker only starts them sooner (promise 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.dispatch import receiver

from core.work import Policy, send_to_workers
from ratings.choices import PUBLISHED_KINDS, RunState, Work
from ratings.models import RatingList, Run, TournamentRating
from tournaments.models import Report
from tournaments.signals import Dispatch, reports_accepted

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


def enqueue(run: Run, at: datetime) -> None:
    """Send a job to the workers."""
    for _ in range(_workers_for(run)):
        send_to_workers(TASKS[Work(run.work)], run.subject)


def _workers_for(run: Run) -> int:
    """Return how many workers a job gets: one per list for a month, one if the database has a single writer."""
    shares = run.work == Work.PUBLISH and connection.vendor == "postgresql"
    return len(PUBLISHED_KINDS) if shares else 1


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


@receiver(reports_accepted)
def rate_accepted_reports(
    sender: Any, *, reports: Sequence[Report], at: datetime, dispatch: Dispatch | None, **kwargs: Any
) -> None:
    """Queue the rating of accepted reports, and delete unpublished ratings of earlier versions (D-100)."""
    TournamentRating.objects.filter(report__in=reports, included_in=None).delete()
    make_all_due(Work.RATE, [str(report.pk) for report in reports], at=at, dispatch=dispatch)


def _hand_over_after_commit(run: Run, at: datetime, dispatch: Dispatch) -> None:
    # Not a partial: Django logs on_commit errors by `__qualname__`.
    transaction.on_commit(lambda: dispatch(run, at), robust=dispatch is enqueue)


def name_of(rating_list: RatingList) -> str:
    """Return the name by which runs know a list."""
    return f"{rating_list.kind} {rating_list.date.isoformat()}"


def list_named(name: str) -> RatingList:
    """Return the list that a run names as `rapid 2026-02-01`."""
    kind, day = name.split()
    return RatingList.objects.get(kind=kind, date=day)
