"""What publishing the lists of a month would do, and what to check before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import Refusal
from core.html.dates import day_text
from core.pages import Page
from core.sql import ids_subquery
from ratings.choices import PUBLISHED_KINDS, ListKind, Status
from ratings.lists import read_lists
from ratings.models import LateAdoption, ListAdjustment, ParticipantRating, RatingList
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
    open_kinds = [item.kind for item in kinds if not item.is_published]
    waiting = [text for text, _page in unconfirmed_acts(month, open_kinds)]
    warnings = [*_warnings(month, kinds, lists), *waiting]
    return PublicationPreview(month, kinds, refusals, warnings)


def unconfirmed_acts(month: date, kinds: Iterable[str]) -> Iterator[tuple[str, Page]]:
    """Yield the acts that nobody has confirmed, so that the lists of a month are published without them."""
    adjustments = ListAdjustment.objects.standing().filter(confirmed_at=None, kind__in=kinds, list_date=month)
    for one in adjustments.order_by("kind"):
        message = _("The adjustment of the %(kind)s list is not confirmed. The list is published without it.")
        yield message % {"kind": one.get_kind_display()}, Page("desk:adjustment", one.pk)
    adoptions = LateAdoption.objects.filter(confirmed_at=None, cancelled_at=None, effect__isnull=False)
    for late in adoptions.defer("effect", "concerned"):
        message = _("The adoption from %(day)s is not confirmed. The lists are published without it.")
        yield message % {"day": day_text(late.first_day)}, Page("desk:late-adoption", late.pk)


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
