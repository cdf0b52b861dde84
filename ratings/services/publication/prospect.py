"""What a publication would do, before it is made: the months that can be published, and what their lists take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from ratings.choices import ListKind
from ratings.models import RatingList
from ratings.services.publication.due import due_reports
from ratings.services.publication.publish import PUBLISHED_KINDS, publication_refusals
from tournaments.errors import Refusal
from tournaments.models import Report

MOST_MONTHS = 24


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


def months_to_publish(today: date) -> list[date]:
    """Return the months up to today's for which a list is missing after the newest one, the oldest first."""
    newest = [RatingList.objects.latest_of(kind) for kind in PUBLISHED_KINDS]
    oldest = min((rating_list.date for rating_list in newest if rating_list), default=None)
    month = today.replace(day=1)
    months = [month] if None in newest else []
    while oldest and oldest < month and len(months) < MOST_MONTHS:
        months.append(month)
        month = (month - timedelta(days=1)).replace(day=1)
    return sorted(set(months))


def prospect_of(month: date) -> Prospect:
    """Return what publishing the lists of a month would do."""
    published = set(RatingList.objects.filter(date=month).values_list("kind", flat=True))
    kinds = [
        KindProspect(kind, kind in published, [] if kind in published else due_reports(kind, month))
        for kind in PUBLISHED_KINDS
    ]
    return Prospect(month, kinds, publication_refusals(month))
