"""The states of tournaments in lists, filters and counts: the registration, then how far the report has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils.functional import Promise

from tournaments.choices import OPEN_REGISTRATIONS, Registration, Stage
from tournaments.models import Tournament
from tournaments.progress import state_of

LATER_STAGES = (Stage.REPORTED, Stage.RATED, Stage.PUBLISHED)
FILTER_STATES: list[tuple[str, str | Promise]] = [
    *((str(state), state.label) for state in Registration),
    *((str(stage), stage.label) for stage in LATER_STAGES),
]
STATE_ORDER: list[str] = [
    Registration.WAITING,
    Registration.REGISTERED,
    Registration.APPROVED,
    *LATER_STAGES,
    Registration.REFUSED,
    Registration.NOT_RATED,
    Registration.WITHDRAWN,
]


def in_state(tournaments: QuerySet[Tournament], state: str) -> QuerySet[Tournament]:
    """Return the tournaments of which `state_of` gives this state."""
    if state in LATER_STAGES:
        return tournaments.filter(stage=state, registration__in=OPEN_REGISTRATIONS)
    if state in OPEN_REGISTRATIONS:
        return tournaments.filter(registration=state, stage=Stage.PLANNED)
    return tournaments.filter(registration=state)


def by_state(rows: Iterable[tuple[str, str, int]]) -> list[tuple[str, int]]:
    """Return the numbers of rows of registration, stage and number by state, in the order of the states."""
    counts: Counter[str] = Counter()
    for registration, stage, number in rows:
        counts[state_of(Tournament(registration=registration, stage=stage))] += number
    return sorted(counts.items(), key=lambda item: STATE_ORDER.index(item[0]))
