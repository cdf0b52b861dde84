"""The first page of somebody's desk."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber

from players.choices import CaseKind, Role
from players.models import LogEntry
from players.permissions import federations_of, has_role
from tournaments.choices import OPEN_REGISTRATIONS, Kind, Registration, Stage
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.permissions import for_user, reported_by, sees_all
from tournaments.queries.decisions import DECISIONS, decisions_received, decisions_since, is_appealable
from tournaments.queries.desk_tasks import DeskTask
from tournaments.queries.due_reports import DueReport, due_tasks, load_due_reports
from tournaments.queries.handed_reports import tournaments_of_arbiter
from tournaments.queries.newest_steps import with_newest_step
from tournaments.queries.other_tasks import other_tasks_of
from tournaments.queries.progress import load_progress
from tournaments.queries.progress_filters import may_be_missed, may_be_played, may_be_reported
from tournaments.queries.states import LATER_STAGES, by_state
from tournaments.regulations import REGISTRATION_DAYS
from tournaments.steps import REPORT_STEPS, Progress

# The desk shows the most urgent; the list of tournaments has them all.
MAX_ROWS = 25
COUNTED_SECONDS = 60
REFUSALS_SHOWN_DAYS = 120
MISSED_SHOWN_DAYS = 455
NEWEST_FIRST = ("refused", "missed")


@dataclass(frozen=True, slots=True)
class YearFigures:
    """The tournaments of a year by their first day: registered, on time among them, reported, rated."""

    year: int
    registered: int
    on_time: int
    reported: int
    rated: int


@dataclass(frozen=True, slots=True)
class MonthEntry:
    """A tournament of the month before the coming list: `state` is rated, due (a report), waiting or planned."""

    tournament: Tournament
    state: str


@dataclass(frozen=True, slots=True)
class Desk:
    """The first page of somebody's desk, each part with its most urgent entries first.

    `tasks` are all that the person has to do: the reports that are due, and the `other_tasks`.
    """

    tasks: Sequence[DeskTask]
    other_tasks: Sequence[DeskTask]
    decisions: Sequence[LogEntry]
    reports_due: Sequence[DueReport]
    refused: Sequence[Tournament]
    waiting: Sequence[Tournament]
    coming: Sequence[Tournament]
    arbitrates: Sequence[Tournament]
    missed: Sequence[Tournament]
    counts: Sequence[tuple[str, int]]
    figures: YearFigures
    month: Sequence[MonthEntry]


def desk_of(
    user: Any, lists: Lists[Any], cases: Sequence[Any], *, today: date, month: date | None = None
) -> Desk:
    """Return what a person has to do and what they wait for on a day.

    `cases` are those that wait for the person (`open_cases`). The tournaments of a month are those of the one that
    begins on the day `month`, else before the coming list.
    """
    own = reported_by(user).select_related("federation")
    parts = _sections(own, _conditions(lists, today), month_of_chart(lists, today, month))
    ended = [*parts["ended"], *parts["missed"]]
    tasks = _tasks(user, own, ended, lists, cases, today=today)
    counts, figures = _counts_and_figures(user, today)
    return Desk(
        tasks=tasks.all,
        other_tasks=tasks.other_tasks,
        # What can be appealed stands above, among what is to be decided.
        decisions=[entry for entry in tasks.decisions if not is_appealable(entry, user, tasks.progress)],
        reports_due=tasks.reports_due,
        refused=parts["refused"],
        waiting=parts["waiting"],
        coming=parts["coming"],
        arbitrates=tasks.arbitrates,
        missed=[row for row in ended if tasks.progress[row.pk].step.code == "missed"],
        counts=counts,
        figures=figures,
        month=[_month_entry(row, [due.tournament for due in tasks.reports_due]) for row in parts["month"]],
    )


def desk_tasks(user: Any, lists: Lists[Any], cases: Sequence[Any], *, today: date) -> Sequence[DeskTask]:
    """Return the tasks of a person alone, as `Desk.tasks`: what every page counts, with a lighter query."""
    own = reported_by(user)
    # Every page counts the tasks for its rail: the windows of `_sections` would be too costly for that.
    ended = own.filter(may_be_reported(lists, today)).order_by("end", "event_id")[:MAX_ROWS]
    return _tasks(user, own, list(ended), lists, cases, today=today).all


@dataclass(frozen=True, slots=True)
class _Tasks:
    """What a person has to do, and the tournaments and decisions that it follows from."""

    other_tasks: Sequence[DeskTask]
    reports_due: Sequence[DueReport]
    decisions: Sequence[LogEntry]
    arbitrates: Sequence[Tournament]
    progress: Mapping[int, Progress]

    @property
    def all(self) -> Sequence[DeskTask]:
        """All tasks, the fewest days left first."""
        return sorted([*self.other_tasks, *due_tasks(self.reports_due)], key=lambda task: task.order)


def _tasks(
    user: Any,
    own: QuerySet[Tournament],
    ended: Sequence[Tournament],
    lists: Lists[Any],
    cases: Sequence[Any],
    *,
    today: date,
) -> _Tasks:
    """Return the tasks of a person who reports `own` tournaments, of which some have `ended`."""
    # Official events are rated whatever the QC says (0.3): staff see what it decided beside the tasks.
    decisions = decisions_received(own, today=today) if federations_of(user) else []
    arbitrates = tournaments_of_arbiter(user) if has_role(user, Role.ARBITER) else []
    received = [entry.tournament for entry in decisions]
    # The deadline of a report that an arbiter sent is that of its tournament.
    sent = [case.tournament for case in cases if case.kind == CaseKind.HANDED]
    progress = load_progress([*ended, *arbitrates, *received, *sent], lists, today=today)
    ended_here = [row for row in ended if progress[row.pk].step.code in REPORT_STEPS]
    return _Tasks(
        other_tasks=other_tasks_of(user, own, cases, decisions, arbitrates, progress, today=today),
        reports_due=load_due_reports(ended_here, progress),
        decisions=decisions,
        arbitrates=arbitrates,
        progress=progress,
    )


def _month_entry(row: Tournament, over: Sequence[Tournament]) -> MonthEntry:
    if row.stage in (Stage.RATED, Stage.PUBLISHED):
        return MonthEntry(row, "rated")
    if row.registration == Registration.WAITING:
        return MonthEntry(row, "waiting")
    return MonthEntry(row, "due" if row in over else "planned")


def _counts_and_figures(user: Any, today: date) -> tuple[list[tuple[str, int]], YearFigures]:
    """Return how many tournaments are in each state, and the figures of the year; of all, counted once a minute."""
    if sees_all(user):
        rows = (
            cache.get_or_set(f"counts-of-all:{today}", lambda: _counted(user, today), COUNTED_SECONDS) or []
        )
    else:
        rows = _counted(user, today)
    reported = sum(row[3] for row in rows if row[1] in LATER_STAGES)
    rated = sum(row[3] for row in rows if row[1] in (Stage.RATED, Stage.PUBLISHED))
    registered, registered_on_time = sum(row[3] for row in rows), sum(row[4] for row in rows)
    figures = YearFigures(today.year, registered, registered_on_time, reported, rated)
    return by_state((registration, stage, number) for registration, stage, number, *_rest in rows), figures


def _counted(user: Any, today: date) -> list[Any]:
    """Return registration, stage, and how many tournaments: all, of the year, and of these on time."""
    of_year = Q(start__year=today.year)
    on_time = of_year & Q(registered_on__lte=F("start") - timedelta(days=REGISTRATION_DAYS))
    found = for_user(user).order_by().values_list("registration", "stage")
    counted = found.annotate(
        number=Count("pk"),
        of_year=Count("pk", filter=of_year),
        on_time=Count("pk", filter=on_time),
    )
    return [[*row] for row in counted]


def _sections(
    own: QuerySet[Tournament], conditions: Mapping[str, Q], month: tuple[date, date]
) -> dict[str, list[Tournament]]:
    """Return the tournaments of each part of the desk, at most so many each, in one query.

    `ended` await a report, `waiting` the QC, `coming` are to be played, `refused` were decided against before the
    decisions that the desk shows as received, `missed` had no report in time. The last two begin with the newest.
    `month` are those of a month, whatever other part they are of.
    """
    section = Case(
        *(When(condition, then=Value(name)) for name, condition in conditions.items()),
        default=Value("month"),
        output_field=CharField(),
    )
    first_day, last_day = month
    may_be_rated = Q(registration__in=[*OPEN_REGISTRATIONS, Registration.WAITING])
    in_month = may_be_rated & Q(start__lte=last_day, end__gte=first_day)
    wanted = in_month
    for condition in conditions.values():
        wanted |= condition
    # Numbered from both ends: sections that begin with the newest are cut at the oldest.
    first = Window(RowNumber(), partition_by=[F("section")], order_by=["end", "event_id"])
    last = Window(RowNumber(), partition_by=[F("section")], order_by=["-end", "event_id"])
    of_month = Window(RowNumber(), partition_by=[F("in_month")], order_by=["start", "event_id"])
    steps = LogEntry.objects.filter(tournament=OuterRef("pk"), action__in=DECISIONS)
    is_in_month = Case(When(in_month, then=Value(True)), default=Value(False))
    found = with_newest_step(own.filter(wanted), steps).annotate(section=section, in_month=is_in_month)
    newest = Q(section__in=NEWEST_FIRST)
    most_urgent = (newest & Q(last__lte=MAX_ROWS)) | (~newest & Q(first__lte=MAX_ROWS))
    found = found.annotate(first=first, last=last, of_month=of_month)
    rows = found.filter(most_urgent | Q(in_month=True, of_month__lte=MAX_ROWS))
    parts: dict[str, list[Tournament]] = {name: [] for name in (*conditions, "month")}
    for row in rows.order_by("start", "event_id"):
        # A row may be here for its month alone, beyond the limit of its section.
        place = row.last if row.section in NEWEST_FIRST else row.first
        if row.section != "month" and place <= MAX_ROWS:
            parts[row.section].append(row)
        if row.in_month:
            parts["month"].append(row)
    for name in NEWEST_FIRST:
        parts[name].sort(key=lambda row: row.start, reverse=True)
    return parts


def month_of_chart(lists: Lists[Any], today: date, month: date | None = None) -> tuple[date, date]:
    """Return the first and last day of the month that begins on a day, else of the one before the coming list."""
    if month is not None:
        return month, month.replace(day=monthrange(month.year, month.month)[1])
    last = min(lists.coming(kind, today) for kind in Kind) - timedelta(days=1)
    return last.replace(day=1), last


def _conditions(lists: Lists[Any], today: date) -> dict[str, Q]:
    """Return which tournaments each part of the desk shows; the first that holds counts."""
    steps = LogEntry.objects.filter(tournament=OuterRef("pk"), action__in=DECISIONS)
    is_recent = Exists(steps.filter(at__gte=decisions_since(today)))
    refused = Q(registration__in=[Registration.REFUSED, Registration.NOT_RATED])
    return {
        "waiting": Q(registration=Registration.WAITING),
        "ended": may_be_reported(lists, today),
        "coming": may_be_played(today),
        "refused": refused & Q(end__gte=today - timedelta(days=REFUSALS_SHOWN_DAYS)) & ~Q(is_recent),
        "missed": may_be_missed(lists, today) & Q(end__gte=today - timedelta(days=MISSED_SHOWN_DAYS)),
    }
