"""What the last recalculation of a list found: every page says it by this."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ratings.choices import Origin, RunState, Work
from ratings.models import RatingList, Run
from ratings.services.due_runs import name_of

FOUND = {RunState.DONE: "verified", RunState.FAILED: "different"}


@dataclass(frozen=True, slots=True)
class Verification:
    """What is known of a list by its last recalculation `run`; `state` has its word and shape in `core.html.states`."""

    state: str
    run: Run | None = None


def verifications_of(rating_lists: Iterable[RatingList]) -> dict[int, Verification]:
    """Return what is known of lists by their keys, one query; imported lists are not recalculated."""
    chosen = list(rating_lists)
    names = [name_of(one) for one in chosen if one.origin == Origin.PUBLISHED]
    runs = {run.subject: run for run in Run.objects.filter(work=Work.VERIFY, subject__in=names)}
    return {one.pk: _verification(one, runs.get(name_of(one))) for one in chosen}


def _verification(chosen: RatingList, run: Run | None) -> Verification:
    if chosen.origin == Origin.IMPORTED:
        return Verification("imported")
    return Verification(FOUND.get(RunState(run.state), "unverified") if run else "unverified", run)
