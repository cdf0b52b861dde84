"""What a publication would do, before it is made: the months that can be published, and what their lists take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.bulk import ids_subquery
from core.errors import Refusal
from ratings.choices import ListKind, Status
from ratings.models import ParticipantRating, RatingList
from ratings.services.publication.due import due_reports
from ratings.services.publication.publish import PUBLISHED_KINDS, publication_refusals
from tournaments.list_calendar import lists_after
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
    warnings: Sequence[str] = ()


def prospect_of(month: date, *, today: date) -> Prospect:
    """Return what publishing the lists of a month would do."""
    published = set(RatingList.objects.filter(date=month).values_list("kind", flat=True))
    kinds = [
        KindProspect(kind, kind in published, [] if kind in published else due_reports(kind, month))
        for kind in PUBLISHED_KINDS
    ]
    return Prospect(month, kinds, publication_refusals(month, today=today), publication_warnings(month))


def publication_warnings(month: date) -> list[str]:
    """Return what to look at before a month's lists are published: a standard list that is missing (7.2.1, D-77)."""
    missing = [
        kind for kind in PUBLISHED_KINDS if not RatingList.objects.filter(kind=kind, date=month).exists()
    ]
    newest = RatingList.objects.in_force_on(ListKind.STANDARD, month)
    if not missing or (newest is not None and newest.date == month):
        return []
    number = sum(_unrated_since(newest, due_reports(kind, month)) for kind in missing)
    names = {
        "month": month.isoformat(),
        "newest": newest.date.isoformat() if newest else _("none"),
        "number": number,
    }
    message = ngettext(
        "The standard list of %(month)s is missing. The latest one is that of %(newest)s. It may "
        "concern %(number)d participant without a rating of the tournament’s type (article 7.2.1).",
        "The standard list of %(month)s is missing. The latest one is that of %(newest)s. It may "
        "concern %(number)d participants without a rating of the tournament’s type (article 7.2.1).",
        number,
    )
    return [message % names]


def _unrated_since(newest: RatingList | None, reports: Iterable[Report]) -> int:
    """Count the participants without a rating of the kind for whom a newer standard list would be in force (D-1)."""
    since = next(lists_after(newest.date)) if newest else date.min
    concerned = [report.pk for report in reports if report.tournament.start >= since]
    rows = ParticipantRating.objects.filter(tournament_rating__report__in=ids_subquery(concerned))
    return rows.filter(player__isnull=False).exclude(start_status=Status.RATED).count()
