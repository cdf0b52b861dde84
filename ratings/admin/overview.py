"""The template library `staff`: calendar of lists, corrections, FIDE lists and health on the first page of the admin.

What FIDE staff have to do is on the dashboard.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django import template
from django.contrib.admin.templatetags.admin_list import result_headers
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, Min, Q, QuerySet, Value
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from core.html.dates import short_day
from core.html.figures import NONE, colon
from core.html.states import shape, state_badge
from players.choices import NoticeState
from players.models import Notice
from players.permissions import is_staff
from players.staff_admin import in_words
from ratings.admin.imports import STAGES
from ratings.choices import CHECKS, PUBLISHED_KINDS, ListKind, Origin, RunState
from ratings.lists import is_published, read_lists
from ratings.models import Correction, FideImport, FideList, RatingList, Run
from ratings.movements import ledger, requested_corrections
from ratings.verifications import NIGHTLY, Verification, verifications_of
from tournaments.list_dates import closing_date, lists_after
from tournaments.lists import Lists

MAX_FAILED = 5
MAX_ROWS = 5
PAST_MONTHS = 5
NEAR_DAYS = 7
# No FIDE ID.
FIGURE = re.compile(r"[-+−]?\d{1,6}([.,]\d+)?")
OPEN_STATES = (RunState.DUE, RunState.RUNNING, RunState.FAILED)
register = template.Library()
# Name: how many, and since when.
Counts = Mapping[str, tuple[int, datetime | None]]


@dataclass(frozen=True, slots=True)
class ListsOfMonth:
    """The lists of a month: its dates, the lists that are there by kind, and what is known of their verification."""

    day: date
    opens: date
    closes: date
    due: date
    lists: Mapping[str, RatingList]
    verification: str

    @property
    def is_published(self) -> bool:
        return all(kind in self.lists for kind in PUBLISHED_KINDS)

    @property
    def published_at(self) -> datetime | None:
        """When the last of its lists was published, None where one is missing."""
        return max(self.lists[kind].published_at for kind in PUBLISHED_KINDS) if self.is_published else None

    @property
    def listed(self) -> list[tuple[ListKind, int | None]]:
        """The rating types of the portal, each with the number of players on its list."""
        return [(kind, self.lists[kind].listed if kind in self.lists else None) for kind in PUBLISHED_KINDS]


@dataclass(frozen=True, slots=True)
class ExpectedList:
    """A FIDE list that comes each month: the one expected next, and when the last one came."""

    kind: ListKind
    expected: date
    last: date | None
    came_at: datetime | None
    is_compared: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of the portal; `month` is prepared, `counts` are jobs by their state, and emails that are not sent."""

    today: date
    month: date
    months: Sequence[ListsOfMonth]
    corrections: Sequence[Correction]
    expected: Sequence[ExpectedList]
    imports: Sequence[FideImport]
    counts: Mapping[str, int]
    since: Mapping[str, datetime | None]
    failed: Sequence[Run]
    checks: Sequence[Verification]


@register.simple_tag(takes_context=True)
def staff_overview(context: Context) -> Overview:
    """Return the state of the portal; an account that enters the admin without the role is refused."""
    if not is_staff(context["user"]):
        raise PermissionDenied
    today = timezone.now().date()
    lists = read_lists()
    month = lists.due(PUBLISHED_KINDS, today) or next(lists_after(today))
    counts = _counts()
    failed, checks = _failed_and_checks()
    corrections: QuerySet[Any] = ledger()
    return Overview(
        today=today,
        month=month,
        months=_months(lists, month),
        corrections=list(corrections.filter(pending__gt=0)[:MAX_ROWS]),
        expected=_expected_lists(lists, counts, today),
        imports=list(FideImport.objects.select_related("by")[:MAX_ROWS]),
        counts={name: number for name, (number, _since) in counts.items()},
        since={name: since for name, (_number, since) in counts.items()},
        failed=failed,
        checks=checks,
    )


@register.inclusion_tag("admin/console/expected.html")
def expected_lists() -> dict[str, Any]:
    """Show which FIDE lists are expected next, and the last ones."""
    today = timezone.now().date()
    return {"expected": _expected_lists(read_lists(), _counts(), today), "today": today}


@register.simple_tag
def console_date(day: date, today: date, *, is_deadline: bool = False) -> SafeString:
    """Return a date of the calendar with its shape: passed, ahead, or a near deadline."""
    is_near = is_deadline and day <= today + timedelta(days=NEAR_DAYS)
    name = "triangle-open" if is_near else "ring"
    text = short_day(day)
    return format_html(
        '<span class="nowrap">{} {}</span>',
        shape("ring-tick" if day < today else name, css_class="icon"),
        text,
    )


@register.simple_tag
def import_state(item: FideImport) -> SafeString:
    """Return the stage of an import as word, shape and colour."""
    name, label = STAGES[item.stage]
    return state_badge(name, label=label)


@register.simple_tag
def result_rows(heads: Sequence[dict[str, Any]], rows: Sequence[Sequence[str]]) -> list[SafeString]:
    """Return the rows of Django's lists, columns of figures at the right; a phone has labels where values need them."""
    texts = [[strip_tags(cell).strip() for cell in row] for row in rows]
    yes_or_no = {in_words(value) for value in (True, False)}
    css, labels = [""] * len(heads), [""] * len(heads)
    columns = [*zip(*texts, strict=True)]
    for place, (head, column) in enumerate(zip(heads, columns, strict=True)):
        values = set(column) - {NONE, ""}
        if values and all(map(FIGURE.fullmatch, values)):
            css[place] = "num "
            head["class_attrib"] = mark_safe(head["class_attrib"].replace('class="', 'class="num ', 1))
        is_time = any("<time" in row[place] for row in rows)
        # A person may stand in two columns.
        is_twice = any(values & set(other) for one, other in enumerate(columns) if one != place)
        if css[place] or is_time or is_twice or (values and values <= yes_or_no):
            labels[place] = format_html(' data-label="{}"', capfirst(head["text"]))
    return [
        mark_safe("".join(map(_cell, row, text, css, labels))) for row, text in zip(rows, texts, strict=True)
    ]


def _cell(cell: str, text: str, css: str, label: str) -> str:
    if cell.startswith("<th"):
        return cell.replace('<th class="', '<th scope="row" class="name ', 1)
    css += "none " if text == NONE else "top " if 'class="state' in cell else ""
    return cell.replace('<td class="', f'<td{label} class="{css}', 1)


@register.simple_tag
def sort_heads(page: Any) -> list[dict[str, Any]]:
    """Return the heads that sort one of Django's lists."""
    return [head for head in result_headers(page) if head["sortable"]]


@register.simple_tag
def chosen_filters(page: Any) -> list[tuple[str, str]]:
    """Return the choices of the filters of one of Django's lists, each with the address without it."""
    chosen = ((spec, [*spec.choices(page)]) for spec in page.filter_specs)
    return [
        (f"{capfirst(spec.title)}{colon()} {choice['display']}", every["query_string"])
        for spec, (every, *choices) in chosen
        for choice in choices
        if choice["selected"]
    ]


def _months(lists: Lists[RatingList], month: date) -> list[ListsOfMonth]:
    """Return the month after the one that is prepared, that one, and those before, the latest first."""
    months = [next(lists_after(month)), month]
    while len(months) < PAST_MONTHS + 2:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    found = verifications_of(row for row in lists.newest_first if row.date in months and is_published(row))
    return [_month(lists, day, {key: one.state for key, one in found.items()}) for day in months]


def _month(lists: Lists[RatingList], day: date, states: Mapping[int, str]) -> ListsOfMonth:
    of_month = {row.kind: row for row in lists.newest_first if row.date == day}
    of_lists = [states[row.pk] for row in of_month.values() if row.pk in states]
    last = day - timedelta(days=1)
    return ListsOfMonth(
        day=day,
        opens=last.replace(day=1),
        closes=closing_date(day),
        due=last,
        lists=of_month,
        # Of lists in several states the worst: different, unverified, verified.
        verification=min(of_lists, default=""),
    )


def _expected_lists(lists: Lists[RatingList], counts: Counts, today: date) -> list[ExpectedList]:
    """Return the lists that FIDE publishes each month; those of kinds that the portal publishes are compared."""
    imported: dict[str, RatingList] = {}
    published = set()
    for row in lists.newest_first:
        if row.origin == Origin.IMPORTED:
            imported.setdefault(row.kind, row)
        else:
            published.add(row.kind)
    return [_expected_list(kind, imported.get(kind), kind in published, counts, today) for kind in ListKind]


def _expected_list(
    kind: ListKind, imported: RatingList | None, is_compared: bool, counts: Counts, today: date
) -> ExpectedList:
    month = today.replace(day=1)
    number, came_at = counts[f"fide-{kind}"]
    last = imported.date if imported else None
    if is_compared:
        is_there = bool(number)
    else:
        is_there = last is not None and last >= month
        came_at = imported.published_at if imported else None
    expected = next(lists_after(today)) if is_there else month
    return ExpectedList(kind, expected, last, came_at, is_compared)


def _failed_and_checks() -> tuple[list[Run], list[Verification]]:
    """Return the jobs that failed last, and what the last checks of the night found, in one query."""
    wanted = Q(state=RunState.FAILED) | Q(work__in=NIGHTLY)
    runs = list(Run.objects.filter(wanted).order_by("-finished_at", "-pk")[: MAX_FAILED + len(CHECKS)])
    failed = [run for run in runs if run.state == RunState.FAILED]
    return failed[:MAX_FAILED], [Verification.by(run) for run in runs if run.work in NIGHTLY]


def _counts() -> Counts:
    """Return how many rows of each sort are open and since when, in one query."""
    month = timezone.now().date().replace(day=1)
    mails = Notice.objects.filter(state__in=[NoticeState.DUE, NoticeState.SENDING, NoticeState.FAILED])
    sorts: dict[str, tuple[QuerySet[Any], Any]] = {
        **{state.value: (Run.objects.filter(state=state), Min("created_at")) for state in OPEN_STATES},
        "emails": (mails, Min("created_at")),
        "requested": (requested_corrections(), Min("asked_at")),
        **{
            f"fide-{kind}": (FideList.objects.filter(kind=kind, date__gte=month), Max("kept_at"))
            for kind in ListKind
        },
    }
    parts = [_count(name, found, since) for name, (found, since) in sorts.items()]
    # A query of each would be half a dozen more on the first page of the admin.
    rows = parts[0].union(*parts[1:], all=True).order_by()
    # SQL has no row for a sort of which there is nothing.
    return dict.fromkeys(sorts, (0, None)) | {name: (number, since) for name, number, since in rows}


def _count(name: str, found: QuerySet[Any], since: Any) -> QuerySet[Any]:
    """Return a query of one row: the name, the number of rows and the instant."""
    named = found.order_by().annotate(sort=Value(name)).values("sort")
    counted: QuerySet[Any] = named.annotate(rows=Count("pk"), since=since)
    return counted.values_list("sort", "rows", "since")
