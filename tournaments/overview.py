"""The first page of somebody's desk."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from core.pages import Page
from players.choices import Area, CaseKind, Role
from players.models import LogEntry
from players.permissions import federations_of, has_role
from tournaments.case_queue import with_newest_step
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    POSSIBLE_REGISTRATIONS,
    Action,
    Kind,
    Registration,
    ReportState,
    Stage,
)
from tournaments.inbox import (
    DeskTask,
    case_task,
    correction_list,
    days_of_report,
    played_on,
    waiting_tasks,
)
from tournaments.lists import Lists
from tournaments.models import Report, Tournament
from tournaments.permissions import for_user, reported_by, sees_all
from tournaments.regulations import REGISTRATION_DAYS
from tournaments.reports import problem_counts_of, tournaments_of_arbiter
from tournaments.states import (
    LATER_STAGES,
    by_state,
    load_progress,
    may_be_missed,
    may_be_played,
    may_be_reported,
)
from tournaments.steps import Owner, Progress

# The desk shows the most urgent; the list of tournaments has them all.
MAX_ROWS = 25
COUNTED_SECONDS = 60
REFUSALS_SHOWN_DAYS = 120
MISSED_SHOWN_DAYS = 455
RATED_STAGES = (Stage.RATED, Stage.PUBLISHED)
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
class Desk:
    """The first page of somebody's desk, each part with its most urgent entries first.

    `tasks` are all that the person has to do: the reports that are due, and the `other_tasks`. `month` are the
    tournaments of the month before the coming list, each rated, due (a report), waiting or planned.
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
    month: Sequence[tuple[Tournament, str]]
    progress: Mapping[int, Progress]


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
        month=[(row, _state_in_month(row, tasks.reports_due)) for row in parts["month"]],
        progress=tasks.progress,
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
    other_tasks = [
        *waiting_tasks(user, own, today=today),
        *_of_cases(cases, progress, lists, today=today),
        *_to_hand_over(arbitrates, progress),
        *_appeals_possible(user, decisions, progress),
    ]
    ended_here = [row for row in ended if progress[row.pk].is_report_open]
    return _Tasks(
        other_tasks=sorted(other_tasks, key=lambda task: task.order),
        reports_due=load_due_reports(ended_here, progress),
        decisions=decisions,
        arbitrates=arbitrates,
        progress=progress,
    )


def _state_in_month(row: Tournament, reports_due: Sequence[DueReport]) -> str:
    if row.stage in RATED_STAGES:
        return "rated"
    if row.registration == Registration.WAITING:
        return "waiting"
    return "due" if row in [due.tournament for due in reports_due] else "planned"


def _counts_and_figures(user: Any, today: date) -> tuple[list[tuple[str, int]], YearFigures]:
    """Return how many tournaments are in each state, and the figures of the year; of all, counted once a minute."""
    if sees_all(user):
        rows = (
            cache.get_or_set(f"counts-of-all:{today}", lambda: _counted(user, today), COUNTED_SECONDS) or []
        )
    else:
        rows = _counted(user, today)
    reported = sum(row[3] for row in rows if row[1] in LATER_STAGES)
    # A report that was withdrawn after publication is rated no more.
    rated = sum(row[3] for row in rows if row[1] in RATED_STAGES and row[0] in OPEN_REGISTRATIONS)
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
    `month` are those that end in a month, whatever other part they are of.
    """
    section = Case(
        *(When(condition, then=Value(name)) for name, condition in conditions.items()),
        default=Value("month"),
        output_field=CharField(),
    )
    in_month = Q(registration__in=POSSIBLE_REGISTRATIONS, end__range=month)
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


def _of_cases(
    cases: Sequence[Any], progress: Mapping[int, Progress], lists: Lists[Any], *, today: date
) -> Iterator[DeskTask]:
    """Yield the tasks with cases; a report that an arbiter sent is one while the officer may still add it."""
    for case in cases:
        found = progress.get(case.tournament_id) if case.kind == CaseKind.HANDED else None
        if found is None or found.report_step == "take":
            yield case_task(case, found, correction_list(case, lists, today))


def _to_hand_over(arbitrates: Sequence[Tournament], progress: Mapping[int, Progress]) -> Iterator[DeskTask]:
    """Yield the tournaments whose report the person, as chief arbiter, has to hand over (8.1)."""
    for tournament in arbitrates:
        found = progress[tournament.pk]
        if found.report_step != "upload":
            continue
        was_sent_back = tournament.handed_state is not None  # type: ignore[attr-defined]
        yield DeskTask(
            what=_("Correct the report and send it again") if was_sent_back else _("Send report"),
            action=pgettext("report", "Correct") if was_sent_back else _("Send report"),
            about=tournament.name,
            page=Page("desk:arbiter", tournament.event_id),
            why=tournament.handed_answer or _("The rating officer submits it for rating."),  # type: ignore[attr-defined]
            deadline=found.next_deadline,
            facts=days_of_report(found),
            last_day=found.days.last_day,
            list_date=found.expected_list,
            is_final=found.is_last_list,
            sort="reports",
            code="send-again" if was_sent_back else "send",
        )


def _appeals_possible(
    user: Any, decisions: Sequence[LogEntry], progress: Mapping[int, Progress]
) -> Iterator[DeskTask]:
    """Yield the decisions not to rate against which the organiser can still appeal (0.4)."""
    for entry in decisions:
        if is_appealable(entry, user, progress):
            yield DeskTask(
                what=_("Decide whether to appeal"),
                action=_("Decide"),
                about=entry.tournament.name,
                page=Page("desk:lodge", entry.tournament.event_id),
                why=entry.reason,
                deadline=progress[entry.tournament.pk].step.deadline,
                since=entry.at,
                sort="decisions",
                code="lodge",
            )


# Reports that are due, and the tasks with them (8.1).
@dataclass(frozen=True, slots=True)
class DueReport:
    """A tournament that is over and awaits its report, and the newest version that is not accepted."""

    tournament: Tournament
    progress: Progress
    report: Report | None


def load_due_reports(over: Iterable[Tournament], progress: Mapping[int, Progress]) -> list[DueReport]:
    """Return the tournaments that await their reports, fewest days left first (8.1)."""
    # In the step `upload` there is no version to look up.
    keys = [row.pk for row in over if progress[row.pk].report_step != "upload"]
    checked = Report.objects.filter(tournament__in=keys, state=ReportState.CHECKED)
    light = checked.defer("content", "pgn").order_by("version") if keys else []
    newest = {report.tournament_id: report for report in light}
    found = [DueReport(row, progress[row.pk], newest.get(row.pk)) for row in over]
    return sorted(found, key=lambda row: (row.progress.next_deadline, row.tournament.end))


def due_tasks(rows: Iterable[DueReport]) -> Iterator[DeskTask]:
    """Yield the reports that are due as tasks; those that an arbiter sent are tasks of their own."""
    for row in rows:
        if row.progress.report_step == "take":
            continue
        what, action = _step_of(row)
        yield DeskTask(
            what,
            action,
            about=row.tournament.name,
            page=_page_of(row),
            why=played_on(row.tournament),
            deadline=row.progress.next_deadline,
            facts=days_of_report(row.progress),
            last_day=row.progress.days.last_day,
            list_date=row.progress.expected_list,
            is_final=row.progress.is_last_list,
            sort="reports",
            code=row.progress.report_step,
        )


def _step_of(row: DueReport) -> tuple[str, str]:
    """Return what is to be done with a report that is due, and the verb of its button."""
    if row.progress.report_step == "upload":
        is_returned = row.progress.step.owner == Owner.ARBITER
        what = _("Report returned to the chief arbiter") if is_returned else _("Upload report")
        return what, pgettext("report", "Upload")
    # Problems, however many lines have them.
    counts = problem_counts_of(row.report.findings if row.report else ())
    if row.progress.report_step == "correct":
        message = ngettext("Correct %(number)d error", "Correct %(number)d errors", counts["error"])
        return message % {"number": counts["error"]}, pgettext("report", "Correct")
    accept = pgettext("report", "Accept")
    if number := counts["warning"]:
        message = ngettext("Accept with %(number)d warning", "Accept with %(number)d warnings", number)
        return message % {"number": number}, accept
    return _("Accept report"), accept


def _page_of(row: DueReport) -> Page:
    event_id = row.tournament.event_id
    if row.report is None:
        return Page("desk:upload", event_id)
    return Page("desk:report", event_id, row.report.version)


# Decisions on tournaments, as their officers receive them.
DECISIONS_SHOWN_DAYS = 14
MAX_DECISIONS = 25
DECISIONS = (
    Action.ALLOW, Action.REFUSE, Action.NOT_RATE, Action.GRANT, Action.DENY, Action.CORRECT, Action.DENY_CORRECTION,
    Action.RESTORE, Action.CLEAR, Action.UNFLAG, Action.UPHOLD, Action.DISMISS,
)  # fmt: skip


def decisions_received(own: QuerySet[Tournament], *, today: date) -> list[LogEntry]:
    """Return what was decided last on each of these tournaments in the last fortnight, the newest first."""
    found = LogEntry.objects.filter(tournament__in=own, action__in=DECISIONS, at__gte=decisions_since(today))
    later = found.filter(tournament=OuterRef("tournament")).filter(
        Q(at__gt=OuterRef("at")) | Q(at=OuterRef("at"), pk__gt=OuterRef("pk"))
    )
    newest = found.exclude(Exists(later)).select_related("tournament", "appeal", "by")
    return list(newest.order_by("-at", "-pk")[:MAX_DECISIONS])


def is_appealable(entry: LogEntry, user: Any, progress: Mapping[int, Progress]) -> bool:
    """Return whether a decision of `decisions_received` is one not to rate that the user can still appeal (0.4)."""
    is_open = entry.action == Action.NOT_RATE and progress[entry.tournament.pk].step.code == "appeal"
    return is_open and entry.tournament.federation_id in federations_of(user)


def decisions_since(today: date) -> datetime:
    """Return the instant from which on decisions are new."""
    return datetime.combine(today - timedelta(days=DECISIONS_SHOWN_DAYS), time.min, UTC)


def decided_since(instant: datetime, *, most: int) -> list[LogEntry]:
    """Return the decisions of the QC and of FIDE Council since an instant, the newest first."""
    decided = LogEntry.objects.filter(area=Area.TOURNAMENT, action__in=DECISIONS, at__gte=instant)
    return list(decided.select_related("tournament", "by").order_by("-at", "-pk")[:most])
