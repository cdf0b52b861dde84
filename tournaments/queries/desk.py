"""What needs a person: reports due, registrations waiting, refusals, and what is to come."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import RowNumber
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from core.html.dates import day_text
from players.choices import Role
from players.permissions import federations_of, has_role, is_staff
from tournaments.choices import OPEN_REGISTRATIONS, Action, Kind, Registration, ReportState, Stage
from tournaments.lists import Lists
from tournaments.models import AuditEntry, HandedReport, Report, Tournament
from tournaments.models.tournament import REPORTED_BY_STAFF
from tournaments.permissions import for_user
from tournaments.queries.handed import tournaments_of_arbiter, waiting_for
from tournaments.queries.needs import (
    DECISIONS,
    Need,
    decisions_received,
    decisions_since,
    is_appealable,
    needs_of,
)
from tournaments.queries.progress import load_progress, may_be_missed, may_be_played, may_be_reported
from tournaments.queries.report_versions import problem_counts_of
from tournaments.queries.states import LATER_STAGES, by_state
from tournaments.regulations import REGISTRATION_DAYS
from tournaments.steps import REPORT_STEPS, Progress

# The desk shows the most urgent; the list of tournaments has them all.
MAX_ROWS = 25
REFUSALS_SHOWN_DAYS = 120
MISSED_SHOWN_DAYS = 455
NEWEST_FIRST = ("refused", "missed")
# Steps that say nothing of why a registration waits or was refused.
BESIDE_THE_REGISTRATION = (
    Action.NAME,
    Action.UNNAME,
    Action.HAND_OVER,
    Action.TAKE,
    Action.SEND_BACK,
    Action.KEEP,
    Action.DROP,
    Action.ATTACH,
    Action.ENTER,
    Action.ASK,
    Action.ANSWER,
    Action.ASK_CORRECTION,
    Action.DENY_CORRECTION,
)


@dataclass(frozen=True, slots=True)
class DueReport:
    """A tournament that is over and awaits its report, and the newest version that is not accepted.

    `errors` and `warnings` are problems, however many lines have them.
    """

    tournament: Tournament
    progress: Progress
    report: Report | None
    errors: int
    warnings: int


@dataclass(frozen=True, slots=True)
class YearFigures:
    """The tournaments of a year by their first day: registered, on time among them, reported, rated."""

    year: int
    registered: int
    on_time: int
    reported: int
    rated: int


@dataclass(frozen=True, slots=True)
class OfMonth:
    """A tournament of the month before the coming list: `state` is rated, due (a report), waiting or planned."""

    tournament: Tournament
    state: str


@dataclass(frozen=True, slots=True)
class Desk:
    """The first page of somebody's desk, each part with its most urgent entries first.

    `work` are all tasks: the needs, and the reports that are due.
    """

    work: Sequence[Need]
    needs: Sequence[Need]
    decisions: Sequence[AuditEntry]
    reports_due: Sequence[DueReport]
    refused: Sequence[Tournament]
    waiting: Sequence[Tournament]
    coming: Sequence[Tournament]
    arbitrates: Sequence[Tournament]
    missed: Sequence[Tournament]
    counts: Sequence[tuple[str, int]]
    figures: YearFigures
    month: Sequence[OfMonth]


def desk_of(user: Any, lists: Lists[Any], *, today: date, month: date | None = None) -> Desk:
    """Return what a person has to do and what they wait for on a day.

    The tournaments of a month are those of the one that begins on the day `month`, else before the coming list.
    """
    own = reported_by(user).select_related("federation")
    parts = _sections(own, _conditions(lists, today), month_of_chart(lists, today, month))
    ended = [*parts["ended"], *parts["missed"]]
    tasks = _tasks(user, own, ended, lists, today=today)
    counts, figures = _counts_and_figures(for_user(user), today)
    return Desk(
        work=tasks.all,
        needs=tasks.needs,
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
        month=[_of_month(row, [due.tournament for due in tasks.reports_due]) for row in parts["month"]],
    )


def desk_tasks(user: Any, lists: Lists[Any], *, today: date) -> Sequence[Need]:
    """Return the tasks of a person alone, as `Desk.work`: what every page counts, with a lighter query."""
    own = reported_by(user)
    ended = own.filter(may_be_reported(lists, today)).order_by("end", "event_id")[:MAX_ROWS]
    return _tasks(user, own, list(ended), lists, today=today).all


@dataclass(frozen=True, slots=True)
class _Tasks:
    """What a person has to do, and the tournaments and decisions that it follows from."""

    needs: Sequence[Need]
    reports_due: Sequence[DueReport]
    decisions: Sequence[AuditEntry]
    arbitrates: Sequence[Tournament]
    progress: Mapping[int, Progress]

    @property
    def all(self) -> Sequence[Need]:
        """The needs, and the reports that are due, the fewest days left first."""
        return sorted([*self.needs, *_due_needs(self.reports_due)], key=lambda need: need.order)


def _tasks(
    user: Any, own: QuerySet[Tournament], ended: Sequence[Tournament], lists: Lists[Any], *, today: date
) -> _Tasks:
    """Return the tasks of a person who reports `own` tournaments, of which some have `ended`."""
    decisions = decisions_received(own, today=today)
    arbitrates = tournaments_of_arbiter(user) if has_role(user, Role.ARBITER) else []
    received = [entry.tournament for entry in decisions]
    progress = load_progress([*ended, *arbitrates, *received], lists, today=today)
    ended_here = [row for row in ended if progress[row.pk].step.code in REPORT_STEPS]
    handed = _handed_tasks(ended_here, progress)
    return _Tasks(
        needs=needs_of(user, own, decisions, arbitrates, handed, progress, today=today),
        reports_due=_reports_due(ended_here, progress),
        decisions=decisions,
        arbitrates=arbitrates,
        progress=progress,
    )


def _of_month(row: Tournament, over: Sequence[Tournament]) -> OfMonth:
    if row.stage in (Stage.RATED, Stage.PUBLISHED):
        return OfMonth(row, "rated")
    if row.registration == Registration.WAITING:
        return OfMonth(row, "waiting")
    return OfMonth(row, "due" if row in over else "planned")


def reported_by(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments that a person reports: their federations', and for staff those that no federation does."""
    wanted = Q(federation__in=federations_of(user)) & ~REPORTED_BY_STAFF
    if is_staff(user):
        wanted |= REPORTED_BY_STAFF
    return Tournament.objects.filter(wanted)


def _handed_tasks(over: Iterable[Tournament], progress: Mapping[int, Progress]) -> list[HandedReport]:
    """Return the reports of arbiters that the officer has to add or return, the oldest first."""
    keys = [row.pk for row in over if progress[row.pk].step.code == "take"]
    return list(waiting_for(Tournament.objects.filter(pk__in=keys))) if keys else []


def _reports_due(over: Iterable[Tournament], progress: Mapping[int, Progress]) -> list[DueReport]:
    """Return the tournaments that await their reports, fewest days left first (8.1)."""
    keys = [row.pk for row in over if progress[row.pk].step.code != "upload"]
    checked = Report.objects.filter(tournament__in=keys, state=ReportState.CHECKED)
    light = checked.defer("content", "pgn").order_by("version") if keys else []
    newest = {report.tournament_id: report for report in light}
    found = [_due_report(row, progress[row.pk], newest.get(row.pk)) for row in over]
    return sorted(found, key=lambda row: (row.progress.report_deadline, row.tournament.end))


def _due_needs(rows: Iterable[DueReport]) -> Iterator[Need]:
    """Yield the reports that are due as tasks; those that an arbiter sent are among the needs already."""
    for row in rows:
        if row.progress.step.code == "take":
            continue
        what, action = _step_of(row)
        yield Need(
            what,
            action,
            about=row.tournament.name,
            url=_address_of(row),
            why=played_on(row.tournament),
            deadline=row.progress.report_deadline,
            last_day=row.progress.days.last_day,
            list_date=row.progress.expected_list,
            is_final=row.progress.is_last_list,
            sort="reports",
            code=row.progress.step.code,
        )


def _step_of(row: DueReport) -> tuple[str, str]:
    """Return what is to be done with a report that is due, and the verb of its button."""
    if row.progress.step.code == "upload":
        return _("Upload report"), pgettext("report", "Upload")
    if row.progress.step.code == "correct":
        message = ngettext("Correct %(number)d error", "Correct %(number)d errors", row.errors)
        return message % {"number": row.errors}, pgettext("report", "Correct")
    accept = pgettext("report", "Accept")
    if row.warnings:
        message = ngettext("Accept with %(number)d warning", "Accept with %(number)d warnings", row.warnings)
        return message % {"number": row.warnings}, accept
    return _("Accept report"), accept


def played_on(tournament: Tournament) -> str:
    """Return when and how a tournament was played: `Mon 16 Nov 2026, blitz 5+0`."""
    played = f"{tournament.get_kind_display()} {tournament.time_control}"
    return f"{day_text(tournament.end)}, {played}"


def _address_of(row: DueReport) -> str:
    event_id = row.tournament.event_id
    if row.report is None:
        return reverse("desk:upload", args=[event_id])
    return reverse("desk:report", args=[event_id, row.report.version])


def _counts_and_figures(
    tournaments: QuerySet[Tournament], today: date
) -> tuple[list[tuple[str, int]], YearFigures]:
    """Return how many tournaments are in each state, and the figures of the year, in one query."""
    of_year = Q(start__year=today.year)
    on_time = of_year & Q(registered_on__lte=F("start") - timedelta(days=REGISTRATION_DAYS))
    found = tournaments.order_by().values_list("registration", "stage")
    rows = list(
        found.annotate(
            number=Count("pk"),
            of_year=Count("pk", filter=of_year),
            on_time=Count("pk", filter=on_time),
        )
    )
    reported = sum(row[3] for row in rows if row[1] in LATER_STAGES)
    rated = sum(row[3] for row in rows if row[1] in (Stage.RATED, Stage.PUBLISHED))
    registered, registered_on_time = sum(row[3] for row in rows), sum(row[4] for row in rows)
    figures = YearFigures(today.year, registered, registered_on_time, reported, rated)
    return by_state((registration, stage, number) for registration, stage, number, *_rest in rows), figures


def _due_report(tournament: Tournament, progress: Progress, report: Report | None) -> DueReport:
    counts = problem_counts_of(report.findings if report else ())
    return DueReport(
        tournament=tournament,
        progress=progress,
        report=report,
        errors=counts["error"],
        warnings=counts["warning"],
    )


def qc_queue() -> QuerySet[Tournament]:
    """Return the registrations that wait for the QC, the one that starts first at the head (0.2)."""
    waiting = Tournament.objects.filter(registration=Registration.WAITING).select_related("federation")
    return with_reason(waiting).order_by("start", "event_id")


def with_reason(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add the newest step with the registration; naming arbiters and handing reports over is none."""
    steps = AuditEntry.objects.filter(tournament=OuterRef("pk"))
    return _with_newest(tournaments, steps.exclude(action__in=BESIDE_THE_REGISTRATION))


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
    first = Window(RowNumber(), partition_by=[F("section")], order_by=["end", "event_id"])
    last = Window(RowNumber(), partition_by=[F("section")], order_by=["-end", "event_id"])
    of_month = Window(RowNumber(), partition_by=[F("in_month")], order_by=["start", "event_id"])
    steps = AuditEntry.objects.filter(tournament=OuterRef("pk"), action__in=DECISIONS)
    is_in_month = Case(When(in_month, then=Value(True)), default=Value(False))
    found = _with_newest(own.filter(wanted), steps).annotate(section=section, in_month=is_in_month)
    newest = Q(section__in=NEWEST_FIRST)
    most_urgent = (newest & Q(last__lte=MAX_ROWS)) | (~newest & Q(first__lte=MAX_ROWS))
    found = found.annotate(first=first, last=last, of_month=of_month)
    rows = found.filter(most_urgent | Q(in_month=True, of_month__lte=MAX_ROWS))
    parts: dict[str, list[Tournament]] = {name: [] for name in (*conditions, "month")}
    for row in rows.order_by("start", "event_id"):
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
    steps = AuditEntry.objects.filter(tournament=OuterRef("pk"), action__in=DECISIONS)
    is_recent = Exists(steps.filter(at__gte=decisions_since(today)))
    refused = Q(registration__in=[Registration.REFUSED, Registration.NOT_RATED])
    return {
        "waiting": Q(registration=Registration.WAITING),
        "ended": may_be_reported(lists, today),
        "coming": may_be_played(today),
        "refused": refused & Q(end__gte=today - timedelta(days=REFUSALS_SHOWN_DAYS)) & ~Q(is_recent),
        "missed": may_be_missed(lists, today) & Q(end__gte=today - timedelta(days=MISSED_SHOWN_DAYS)),
    }


def _with_newest(tournaments: QuerySet[Tournament], steps: QuerySet[AuditEntry]) -> QuerySet[Tournament]:
    """Add the reason and instant of the newest of the steps as `last_reason` and `last_at`."""
    newest = steps.order_by("-at", "-pk")
    return tournaments.annotate(
        last_reason=Subquery(newest.values("reason")[:1]), last_at=Subquery(newest.values("at")[:1])
    )
