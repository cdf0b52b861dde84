"""Where a tournament stands, as one word out of registration and stage."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.functional import Promise

from tournaments.choices import OPEN_REGISTRATIONS, Registration, Stage
from tournaments.models import Tournament

LATER_STAGES = (Stage.REPORTED, Stage.RATED, Stage.PUBLISHED)
FILTER_STATES: list[tuple[str, str | Promise]] = [
    *((str(state), state.label) for state in Registration),
    *((str(stage), stage.label) for stage in LATER_STAGES),
]


def state_of(tournament: Tournament) -> str:
    """Return the registration until a report is accepted, then how far the report has come."""
    if tournament.is_open and tournament.stage != Stage.PLANNED:
        return tournament.stage
    return tournament.registration


def in_state(tournaments: QuerySet[Tournament], state: str) -> QuerySet[Tournament]:
    """Return the tournaments of which `state_of` gives this state."""
    if state in LATER_STAGES:
        return tournaments.filter(stage=state, registration__in=OPEN_REGISTRATIONS)
    if state in OPEN_REGISTRATIONS:
        return tournaments.filter(registration=state, stage=Stage.PLANNED)
    return tournaments.filter(registration=state)
