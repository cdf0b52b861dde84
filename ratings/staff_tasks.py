"""What FIDE staff have to do for the rating lists, as tasks of the dashboard."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from core.html.dates import day_text, list_month
from core.pages import Page
from players.own_matters import own_matter
from ratings.choices import PUBLISHED_KINDS, ListKind, RunState
from ratings.judgements import figure_label, stopped_lists
from ratings.models import LateAdoption, ListAdjustment, RatingList, Run
from ratings.models.adjustment import ActOnLists
from tournaments.inbox import DeskTask
from tournaments.lists import Lists


def staff_tasks(user: Any, lists: Lists[Any], today: date) -> list[DeskTask]:
    """Return what to publish, import or confirm on a day, and background jobs that failed."""
    return [
        *_publication(lists, today),
        *_standard_list(lists, today),
        *_acts_to_confirm(user, lists),
        *_failed_jobs(),
    ]


def _acts_to_confirm(user: Any, lists: Lists[Any]) -> Iterator[DeskTask]:
    """Yield the acts on whole lists that were prepared, and that the user may confirm (D-131)."""
    waiting = Q(confirmed_at=None, cancelled_at=None)
    for item in ListAdjustment.objects.filter(waiting):
        what, about = _("Confirm adjustment"), str(RatingList(kind=item.kind, date=item.list_date))
        page, day = Page("desk:adjustment", item.pk), item.list_date
        if not lists.on(item.kind, day):
            yield from _act_to_confirm(user, item, what, about, page, day)
    for late in LateAdoption.objects.filter(waiting, effect__isnull=False).defer("effect", "concerned"):
        about = f"{late.rules.title}, {day_text(late.first_day)}"
        yield from _act_to_confirm(
            user, late, _("Confirm adoption"), about, Page("desk:late-adoption", late.pk)
        )


def _act_to_confirm(
    user: Any, item: ActOnLists, what: str, about: str, page: Page, list_date: date | None = None
) -> Iterator[DeskTask]:
    if own_matter(user, frozenset(), asked_by=item.prepared_by_id) is None:
        yield DeskTask(
            what=what,
            action=pgettext("lists", "Review"),
            about=about,
            page=page,
            why=item.reason,
            since=item.prepared_at,
            sort="lists",
            code=page.name,
            deadline=list_date,
            list_date=list_date,
        )


def stopped_tasks() -> Iterator[DeskTask]:
    """Yield the lists that are stopped before publication (D-134), one a month: for staff and the QC."""
    months: dict[date, list[Any]] = {}
    for row in stopped_lists():
        months.setdefault(row.date, []).append(row)
    for month, rows in months.items():
        codes = dict.fromkeys(figure_label(stop.code) for row in rows for stop in row.stops)
        kinds = ", ".join(str(ListKind(row.kind).label) for row in rows)
        yield DeskTask(
            what=_("Explain what stopped the lists of %(month)s") % {"month": list_month(month)},
            action=pgettext("lists", "Review"),
            about=_("Rating lists"),
            page=Page("desk:before-publication", month),
            why=_("The publication is stopped until each figure is explained or corrected."),
            since=max(row.judged_at for row in rows),
            deadline=month,
            list_date=month,
            sort="lists",
            code="stopped",
            facts=[(_("Stopped"), kinds), (_("Figures"), ", ".join(codes) or _("second calculation"))],
        )


def _publication(lists: Lists[Any], today: date) -> Iterator[DeskTask]:
    """Yield the lists of the month while one of them is missing after its day."""
    month = lists.due(PUBLISHED_KINDS, today)
    if month is not None:
        yield DeskTask(
            what=_("Publish the lists of %(month)s") % {"month": list_month(month)},
            action=pgettext("lists", "Review"),
            about=_("Rating lists"),
            page=Page("admin:ratings_ratinglist_publish"),
            why=_("Published automatically from 00:10 UTC of the first day if nothing is missing."),
            deadline=month,
            list_date=month,
            sort="lists",
            code="publish",
        )


def _standard_list(lists: Lists[Any], today: date) -> Iterator[DeskTask]:
    """Yield the standard list of the month while it is missing, where standard lists are imported at all."""
    newest, month = lists.newest(ListKind.STANDARD), today.replace(day=1)
    if newest is not None and newest.date < month:
        yield DeskTask(
            what=_("Import the standard list of %(month)s") % {"month": list_month(month)},
            action=pgettext("list", "Upload file"),
            about=_("FIDE standard list"),
            page=Page("admin:ratings_fideimport_start"),
            why=_("Without it, initial ratings use the list of %(month)s.")
            % {"month": list_month(newest.date)},
            deadline=month,
            list_date=month,
            sort="lists",
            code="import-standard",
            facts=[(_("Last import"), list_month(newest.date))],
        )


def _failed_jobs() -> Iterator[DeskTask]:
    failed = Run.objects.filter(state=RunState.FAILED).aggregate(number=Count("pk"), last=Max("finished_at"))
    number = failed["number"]
    if number:
        title = ngettext("Retry %(number)d failed job", "Retry %(number)d failed jobs", number)
        last = failed["last"]
        yield DeskTask(
            what=title % {"number": number},
            action=_("Show"),
            about=_("Background jobs"),
            page=Page("admin:ratings_run_changelist", rest=f"?state__exact={RunState.FAILED}"),
            since=last,
            sort="lists",
            code="failed-jobs",
            facts=[(_("Last failure"), day_text(last.date()))] if last else (),
        )
