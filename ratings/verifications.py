"""What the last check of a list, of the log, the files and the database found: every page says it by this."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from ratings.choices import Origin, RunState, Work
from ratings.due_runs import name_of
from ratings.models import RatingList, Run

VERIFIED, DIFFERENT = "verified", "different"
FOUND = {RunState.DONE: VERIFIED, RunState.FAILED: DIFFERENT}
NIGHTLY = (Work.LOG, Work.FILES, Work.STORE)


@dataclass(frozen=True, slots=True)
class Verification:
    """What is known by the last check, `run`; `state` has its word and shape in `core.html.states`."""

    state: str
    run: Run | None = None

    @property
    def at(self) -> datetime | None:
        """When the check ended, None where there is none yet."""
        return self.run.finished_at if self.run else None

    def is_overdue(self, now: datetime) -> bool:
        """Return whether a check that was asked for has not ended a day later."""
        return self.run is not None and self.at is None and self.run.created_at < now - timedelta(days=1)

    @classmethod
    def by(cls, run: Run | None) -> Verification:
        """Return what a run found; one that is queued or running has found nothing yet."""
        return cls(FOUND.get(RunState(run.state), "unverified") if run else "unverified", run)


def verifications_of(rating_lists: Iterable[RatingList]) -> dict[int, Verification]:
    """Return what is known of lists by their keys, one query; imported lists are not recalculated."""
    chosen = list(rating_lists)
    names = [name_of(one) for one in chosen if one.origin == Origin.PUBLISHED]
    runs = {run.subject: run for run in Run.objects.filter(work=Work.VERIFY, subject__in=names)}
    return {
        one.pk: Verification("imported")
        if one.origin == Origin.IMPORTED
        else Verification.by(runs.get(name_of(one)))
        for one in chosen
    }


def nightly_verifications() -> list[tuple[Work, Verification]]:
    """Return what each check of the night found last, one query."""
    runs = {run.work: run for run in Run.objects.filter(work__in=NIGHTLY)}
    return [(work, Verification.by(runs.get(work))) for work in NIGHTLY]
