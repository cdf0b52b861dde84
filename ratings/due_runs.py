"""Queue background jobs. The database stores them; the broker only starts them sooner (promise 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.dispatch import receiver

from core.outbox import Outbox
from core.stated import stated_by
from core.workers import send_to_workers
from ratings.choices import CHECKS, PUBLISHED_KINDS, SENTENCES, RunState, Work
from ratings.models import RatingList, Run, TournamentRating
from tournaments.models import Report
from tournaments.signals import Dispatch, reports_accepted

PERFORM = "ratings.tasks.perform"


class Runs(Outbox[Run]):
    """The background jobs. One that failed is shown as such while it waits for the next attempt."""

    model = Run
    running, waiting, failed, done = RunState.RUNNING, RunState.FAILED, RunState.FAILED, RunState.DONE
    max_attempts = 5
    waits = (timedelta(minutes=1),)
    # With a sweep a minute: a killed worker is replaced within two.
    lost_after = timedelta(seconds=60)
    on_claim: ClassVar[Mapping[str, Any]] = {**Run.columns_of(""), "finished_at": None}
    on_loss: ClassVar[Mapping[str, Any]] = {
        **Run.columns_of(SENTENCES.state("worker-died")),
        "finished_at": Now(),
    }

    def send(self, row: Run) -> None:
        """Tell the workers of a job."""
        send_to_workers(PERFORM, row.work, row.subject)

    def is_workable(self) -> Q:
        """A difference is not looked for again: it will be there the next time too."""
        return ~Q(state=RunState.FAILED, work__in=CHECKS)

    def is_tried_again(self, row: Run) -> bool:
        return row.work not in CHECKS and super().is_tried_again(row)

    def goes_on(self, row: Run) -> bool:
        """Return whether the job finishes or is retried without manual action."""
        return row.state != RunState.FAILED or self.is_tried_again(row)

    def values_of_failure(self, row: Run, error: Exception, *, is_last: bool) -> dict[str, Any]:
        """Return the error as text in English, and what the portal states in it.

        What a person has to explain or correct first is not tried again.
        """
        ended = {"attempts": self.max_attempts} if getattr(error, "waits_for_people", False) else {}
        text = f"{type(error).__name__}: {error}"[:2000]
        return {"error": text, "stated": stated_by(error), "finished_at": Now(), **ended}


RUNS = Runs()


def enqueue(run: Run, at: datetime) -> None:
    """Send a job to the workers."""
    RUNS.send(run)


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
    names = list(subjects)
    known = Run.objects.filter(work=work, subject__in=names)
    # The rows of others, too: whoever inserts one at the same moment has it made due again.
    Run.objects.bulk_create(
        [Run(work=work, subject=name, created_at=at, by=by) for name in names], ignore_conflicts=True
    )
    RUNS.make_due(known, **Run.columns_of(""), finished_at=None, by=by)
    runs = sorted(known, key=lambda run: names.index(run.subject))
    hand_over = dispatch or enqueue
    # Not a partial: Django logs on_commit errors by `__qualname__`.
    transaction.on_commit(lambda: [hand_over(run, at) for run in runs], robust=dispatch is None)
    return runs


@receiver(reports_accepted)
def rate_accepted_reports(
    sender: Any, *, reports: Sequence[Report], at: datetime, dispatch: Dispatch | None, **kwargs: Any
) -> None:
    """Queue the rating of accepted reports, and delete unpublished ratings of earlier versions (D-100)."""
    TournamentRating.objects.filter(report__in=reports, included_in=None).delete()
    make_all_due(Work.RATE, [str(report.pk) for report in reports], at=at, dispatch=dispatch)


def names_of_month(month: date) -> list[str]:
    """Return the names by which runs know the lists of a month that the portal publishes."""
    return [f"{kind} {month.isoformat()}" for kind in PUBLISHED_KINDS]


def name_of(rating_list: RatingList) -> str:
    """Return the name by which runs know a list."""
    return f"{rating_list.kind} {rating_list.date.isoformat()}"


def list_named(name: str) -> RatingList:
    """Return the list that a run names as `rapid 2026-02-01`."""
    kind, day = name.split()
    return RatingList.objects.get(kind=kind, date=day)
