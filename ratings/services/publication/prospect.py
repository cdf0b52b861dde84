"""What a publication would do, before it is made: the months that can be published, and what their lists take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.errors import Refusal
from ratings.choices import ListKind
from ratings.models import RatingList
from ratings.services.publication.due import due_reports
from ratings.services.publication.publish import PUBLISHED_KINDS, publication_refusals
from tournaments.models import Report


@dataclass(frozen=True, slots=True)
class KindProspect:
    """One list of a month: whether it is there already, and else the reports that it would take."""

    kind: ListKind
    is_published: bool
    reports: Sequence[Report]


@dataclass(frozen=True, slots=True)
class Prospect:
    """What publishing a month's lists would do, or why it cannot be done."""

    month: date
    kinds: Sequence[KindProspect]
    refusals: Sequence[Refusal]


def prospect_of(month: date, *, today: date) -> Prospect:
    """Return what publishing the lists of a month would do."""
    published = set(RatingList.objects.filter(date=month).values_list("kind", flat=True))
    kinds = [
        KindProspect(kind, kind in published, [] if kind in published else due_reports(kind, month))
        for kind in PUBLISHED_KINDS
    ]
    return Prospect(month, kinds, publication_refusals(month, today=today))
