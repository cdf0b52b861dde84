"""What publishing the lists of a month would do, and what to check before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, Value
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import Refusal
from core.html.dates import day_text
from core.pages import Page
from core.sql import ids_subquery
from ratings.adjust import show
from ratings.choices import PUBLISHED_KINDS, ListKind, Status
from ratings.lists import read_lists
from ratings.models import CorrectionLine, LateAdoption, ListAdjustment, ParticipantRating, RatingList
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
    waiting = [act.text for act in acts_on_next(month, open_kinds) if not act.is_confirmed]
    warnings = [*_warnings(month, kinds, lists), *waiting]
    return PublicationPreview(month, kinds, refusals, warnings)


class ActOnNext(NamedTuple):
    """An act on whole lists that the next lists include, or would if it was confirmed: an adoption without a `kind`.

    `players` are those whom an adjustment moves, by the ratings of the list before. It is kept in a cache, as JSON.
    """

    kind: str
    pk: int
    day: str
    is_confirmed: bool
    players: int = 0

    @property
    def page(self) -> Page:
        return Page("desk:adjustment" if self.kind else "desk:late-adoption", self.pk)

    @property
    def text(self) -> str:
        """Say whether the lists include it, in the language of the reader."""
        if not self.kind:
            if self.is_confirmed:
                message = _("The adoption from %(day)s is included.")
            else:
                message = _("The adoption from %(day)s is not confirmed. The lists are published without it.")
            return message % {"day": day_text(date.fromisoformat(self.day))}
        if self.is_confirmed:
            message = ngettext(
                "The adjustment of the %(kind)s list is included: %(number)s player",
                "The adjustment of the %(kind)s list is included: %(number)s players",
                self.players,
            )
        else:
            message = _(
                "The adjustment of the %(kind)s list is not confirmed. The list is published without it."
            )
        number = number_format(self.players, force_grouping=True)
        return message % {"kind": ListKind(self.kind).label, "number": number}


def acts_on_next(month: date, kinds: Iterable[str]) -> list[ActOnNext]:
    """Return the acts on the lists of a month that are not published, of some kinds; one query where there is none."""
    columns = ("act_kind", "pk", "day", "confirmed_at")
    adjustments = ListAdjustment.objects.standing().filter(kind__in=kinds, list_date=month).order_by()
    pending = CorrectionLine.objects.filter(taken_by=None, correction__late_adoption=OuterRef("pk"))
    adoptions = LateAdoption.objects.filter(
        Q(confirmed_at=None, effect__isnull=False) | Exists(pending), cancelled_at=None
    ).order_by()
    of_adoptions = adoptions.annotate(act_kind=Value(""), day=F("first_day"))
    of_adjustments = adjustments.annotate(act_kind=F("kind"), day=F("list_date"))
    rows = of_adjustments.values_list(*columns).union(of_adoptions.values_list(*columns), all=True)
    return [
        ActOnNext(kind, pk, day.isoformat(), at is not None, _adjusted_players(pk) if kind and at else 0)
        for kind, pk, day, at in sorted(rows, key=lambda row: (row[0], row[1]), reverse=True)
    ]


def _adjusted_players(pk: int) -> int:
    one = ListAdjustment.objects.get(pk=pk)
    return show(one.kind, one.list_date, one.formula).players


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
