"""The checks of the portal on a report: what they are given, and their one ordered list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum
from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from players.minors import NOBODY, Minors
from tournaments.lookups import Lookups
from tournaments.models import Tournament
from tournaments.report_people import ReportPeople, without_years
from tournaments.trf import Finding, Report


class Audience(IntEnum):
    """Who reads the findings: a check of `ARBITER` is not for everybody, one of `FEDERATION` not for an arbiter."""

    EVERYBODY = 0
    ARBITER = 1
    FEDERATION = 2


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a check is given: a report of a tournament, its people, and the day on which it is checked.

    Of `minors` no finding tells the year of birth: `shown` are the people without it. `pgn` are the games of a hybrid
    tournament (FIDE R&B 2024, 8.4).
    """

    report: Report
    tournament: Tournament
    people: ReportPeople
    lookups: Lookups
    on: date | None = None
    minors: Minors = NOBODY
    pgn: bytes | None = None
    audience: Audience = Audience.FEDERATION
    shown: ReportPeople = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", without_years(self.people, self.minors))


Check = Callable[[Inspection], Iterable[Finding]]


@cache
def _checks() -> tuple[tuple[Audience, Check], ...]:
    """Return the checks of `settings.REPORT_CHECKS` in their order; apps above this one have theirs among them."""
    return tuple((Audience[audience], import_string(path)) for path, audience in settings.REPORT_CHECKS)


def findings_of(inspection: Inspection) -> Iterator[Finding]:
    """Yield what each check for the audience finds, in the order of the list."""
    for audience, check in _checks():
        if audience <= inspection.audience:
            yield from check(inspection)
