"""What publishing the lists of a month would do, and what to check before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import Refusal
from core.sql import ids_subquery
from ratings.choices import PUBLISHED_KINDS, ListKind, Status
from ratings.lists import read_lists
from ratings.models import ListAdjustment, ParticipantRating, RatingList
from ratings.publish.due_reports import due_reports
from ratings.publish.publish import publication_refusals
from tournaments.list_dates import lists_after
from tournaments.lists import Lists
from tournaments.models import Report


@dataclass(frozen=True, slots=True)
class KindProspect:
    """One list of a month: whether it is there already, and else the reports that it would take."""

    kind: ListKind
    is_published: bool
    reports: Sequence[Report]


@dataclass(frozen=True, slots=True)
class PublicationPreview:
    """What publishing a month's lists would do, or why it cannot be done."""

    month: date
    kinds: Sequence[KindProspect]
    refusals: Sequence[Refusal]
    warnings: Sequence[str]


def prospect_of(month: date, *, today: date) -> PublicationPreview:
    """Return what publishing the lists of a month would do."""
    kinds, lists = [], read_lists()
    for kind in PUBLISHED_KINDS:
        is_published = lists.on(kind, month) is not None
        kinds.append(KindProspect(kind, is_published, [] if is_published else due_reports(kind, month)))
    refusals = publication_refusals(lists, month, today=today)
    warnings = [*_warnings(month, kinds, lists), *_waiting(month, kinds)]
    return PublicationPreview(month, kinds, refusals, warnings)


def _waiting(month: date, kinds: Iterable[KindProspect]) -> Iterator[str]:
    """Yield a sentence for each list whose adjustment nobody has confirmed: the list is published without it."""
    open_kinds = [item.kind for item in kinds if not item.is_published]
    waiting = ListAdjustment.objects.standing().filter(
        confirmed_at=None, kind__in=open_kinds, list_date=month
    )
    for one in waiting.order_by("kind"):
        message = _("The adjustment of the %(kind)s list waits for its confirmation.")
        yield message % {"kind": one.get_kind_display()}


def _warnings(month: date, kinds: Iterable[KindProspect], lists: Lists[RatingList]) -> list[str]:
    """Return what to check before the lists of a month are published: a missing standard list (7.2.1, D-77)."""
    standard = lists.in_force(ListKind.STANDARD, month)
    newest = standard.date if standard else None
    if newest == month or all(item.is_published for item in kinds):
        return []
    number = _unrated_since(newest, [report for item in kinds for report in item.reports])
    parts = [
        _("The standard list of %(month)s is missing.") % {"month": date_format(month, "YEAR_MONTH_FORMAT")}
    ]
    if newest:
        parts.append(
            _("The latest one is that of %(month)s.") % {"month": date_format(newest, "YEAR_MONTH_FORMAT")}
        )
    if number:
        message = ngettext(
            "%(number)d participant has no rating of the tournament's type and may be affected (article 7.2.1).",
            "%(number)d participants have no rating of the tournament's type and may be affected (article 7.2.1).",
            number,
        )
        parts.append(message % {"number": number})
    return [" ".join(parts)]


def _unrated_since(newest: date | None, reports: Iterable[Report]) -> int:
    """Count the participants without a rating of the kind for whom a newer standard list would be in force (D-1)."""
    # Before its date a newer list would not have been in force.
    since = next(lists_after(newest)) if newest else date.min
    concerned = [report.pk for report in reports if report.tournament.start >= since]
    rows = ParticipantRating.objects.filter(tournament_rating__report__in=ids_subquery(concerned))
    return rows.filter(player__isnull=False).exclude(start_status=Status.RATED).count()
