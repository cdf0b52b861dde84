"""What a calendar program reads of tournaments and deadlines. All days are UTC days."""

from __future__ import annotations

from calendar import Calendar, monthrange
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from core.html.figures import colon
from core.pages import Page
from players.choices import CaseKind
from players.models.cases import waits
from tournaments.choices import OPEN_REGISTRATIONS
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.permissions import reported_by
from tournaments.states import load_progress, may_be_decided, may_be_played, may_be_reported
from tournaments.steps import REPORT_STEPS, Progress, StepState

MAX_A_DAY = 5
FIRST_YEAR, LAST_YEAR = 1900, 2200


@dataclass(frozen=True, slots=True)
class Day:
    """A day with the tournaments that are played on it; `more` are those beyond the ones shown."""

    day: date
    in_month: bool
    tournaments: Sequence[Tournament]
    more: int

    @property
    def played(self) -> list[tuple[Tournament, int, int]]:
        """The tournaments, each with which of how many days this is."""
        return [
            (one, (self.day - one.start).days + 1, (one.end - one.start).days + 1) for one in self.tournaments
        ]


@dataclass(frozen=True, slots=True)
class Month:
    """A month, or the weeks from `first` on, in weeks from Monday to Sunday, and the months beside it."""

    first: date
    weeks: Sequence[Sequence[Day]]
    previous: date
    following: date

    @property
    def days(self) -> list[Day]:
        """The days of the month on which a tournament is played."""
        return [day for day in chain.from_iterable(self.weeks) if day.in_month and day.tournaments]

    @property
    def tournaments(self) -> list[Tournament]:
        """The tournaments that are shown."""
        shown = {row.pk: row for day in chain.from_iterable(self.weeks) for row in day.tournaments}
        return list(shown.values())


def month_named(text: str, *, today: date) -> date | None:
    """Return the first day of a month written 2026-03; the present one for an empty text, None for nonsense."""
    if not text:
        return today.replace(day=1)
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    # The weeks of the first and the last month of all have days that `date` does not know.
    return month if FIRST_YEAR <= month.year <= LAST_YEAR else None


def month_of(tournaments: QuerySet[Tournament], first: date, *, weeks: int = 0) -> Month:
    """Return a month with the tournaments on each of their days, so many a day at most, by two queries.

    With `weeks` it is so many from that of the day on.
    """
    monday = first - timedelta(days=first.weekday())
    days = [monday + timedelta(days=number) for number in range(7 * weeks)]
    days = days or list(Calendar().itermonthdates(first.year, first.month))
    within = tournaments.filter(start__lte=days[-1], end__gte=days[0]).order_by("start", "name", "event_id")
    on_days: dict[date, list[int]] = defaultdict(list)
    counts: Counter[date] = Counter()
    for key, start, end in within.values_list("pk", "start", "end"):
        for place in range(max((start - days[0]).days, 0), min((end - days[0]).days + 1, len(days))):
            day = days[place]
            counts[day] += 1
            if counts[day] <= MAX_A_DAY:
                on_days[day].append(key)
    # Of the tournaments of a busy day only those shown are read.
    shown = tournaments.filter(pk__in=set(chain.from_iterable(on_days.values()))).order_by()
    rows = {row.pk: row for row in shown.select_related("federation").defer("schedule")}
    cells = [
        Day(
            day,
            bool(weeks) or day.month == first.month,
            [rows[key] for key in on_days[day]],
            counts[day] - len(on_days[day]),
        )
        for day in days
    ]
    last = first.replace(day=monthrange(first.year, first.month)[1])
    return Month(
        first=first,
        weeks=[cells[start : start + 7] for start in range(0, len(cells), 7)],
        # Of weeks the month of their first day comes before them, and the one after it next.
        previous=first.replace(day=1) if weeks else (first - timedelta(days=1)).replace(day=1),
        following=last + timedelta(days=1),
    )


MAX_EVENTS = 2_000
MAX_DEADLINES = 500
DAYS_BACK, DAYS_AHEAD = 60, 400


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """One all-day entry of a calendar; it links to a tournament, or to `page`."""

    uid: str
    title: str
    first: date
    last: date
    made_on: date
    event_id: str = ""
    place: str = ""
    page: Page | None = None


def public_entries(federation: str, *, today: date) -> list[CalendarEntry]:
    """Return the registered tournaments around a day, of one federation or, for an empty code, of all."""
    since, until = today - timedelta(days=DAYS_BACK), today + timedelta(days=DAYS_AHEAD)
    found = Tournament.objects.filter(
        registration__in=OPEN_REGISTRATIONS, start__lte=until, start__gte=since
    ).defer("schedule")
    if federation:
        found = found.filter(federation=federation)
    return [
        CalendarEntry(
            uid=row.event_id,
            title=f"{row.name} ({row.get_kind_display()} {row.time_control})",
            first=row.start,
            last=row.end,
            made_on=row.registered_on,
            event_id=row.event_id,
            place=", ".join(part for part in (row.city, row.federation_id) if part),
        )
        for row in found.order_by("start", "event_id")[:MAX_EVENTS]
    ]


def deadline_entries(user: Any, lists: Lists[Any], *, today: date) -> list[CalendarEntry]:
    """Return a person's deadlines: reports (8.1), decisions (0.2), answers to the QC, appeals (0.4), by their days."""
    own = reported_by(user).defer("schedule")
    coming = may_be_played(today) & Q(end__lte=today + timedelta(days=DAYS_AHEAD))
    # Each kind has its own share, so that a year of coming events leaves no deadline of the QC out.
    wanted = [coming | may_be_reported(lists, today), may_be_decided(today) | Q(waits(CaseKind.INFORMATION))]
    rows = chain.from_iterable(own.filter(one).order_by("end", "event_id")[:MAX_DEADLINES] for one in wanted)
    about = {row.pk: row for row in rows}
    progress = load_progress(about.values(), lists, today=today)
    entries = [entry for key, row in about.items() for entry in _entries(row, progress[key])]
    return sorted(entries, key=lambda entry: (entry.first, entry.uid))


def _entries(row: Tournament, progress: Progress) -> Iterator[CalendarEntry]:
    """Yield the deadlines of a tournament: of its report, and of the steps that are now with somebody else."""
    if progress.step.code in ("play", *REPORT_STEPS) and progress.step.deadline:
        month = f"{progress.expected_list:%Y-%m}"
        what = _("Deadline for the %(month)s list") % {"month": month}
        yield _entry(row, "due", what, progress.report_deadline)
        if progress.decide_by:
            yield _entry(row, "decision", _("Decision deadline of the report"), progress.decide_by)
        yield _entry(row, "last", _("Final deadline for the report"), progress.days.last_day)
    titles = {
        "decide": ("qc", _("The QC decides before the first day")),
        "answer": ("answer", _("Reply to the QC")),
        "question": ("question", _("The QC reviews the report")),
        "request": ("request", _("The QC decides on the request")),
        "appeal": ("appeal", _("Decide whether to appeal")),
    }
    for step in progress.steps:
        if step.state == StepState.NOW and step.code in titles and step.deadline:
            yield _entry(row, *titles[step.code], step.deadline)


def _entry(row: Tournament, sort: str, what: str, day: date) -> CalendarEntry:
    return CalendarEntry(
        f"{row.event_id}-{sort}", f"{what}{colon()} {row.name}", day, day, row.registered_on, row.event_id
    )
