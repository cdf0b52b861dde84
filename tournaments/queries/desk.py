"""What needs a person: reports due, registrations waiting, refusals, and what is to come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
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

from players.choices import Role
from players.permissions import federations_of, has_role, is_staff
from tournaments.choices import Action, Registration, ReportState
from tournaments.list_calendar import ListCalendars
from tournaments.models import Report, Tournament, TrailEntry
from tournaments.models.tournament import REPORTED_BY_STAFF
from tournaments.permissions import for_user
from tournaments.queries.needs import (
    DECISIONS,
    Need,
    decisions_received,
    decisions_since,
    is_appealable,
    needs_of,
)
from tournaments.queries.progress import counts_by_state, in_step, load_progress
from tournaments.queries.report_versions import arbitrated, waiting_for
from tournaments.steps import REPORT_STEPS, Progress

# The desk shows the most urgent; the list of tournaments has them all.
MAX_ROWS = 25
REFUSALS_SHOWN_DAYS = 120
MISSED_SHOWN_DAYS = 455
# Steps that say nothing of why a registration waits or was refused.
BESIDE_THE_REGISTRATION = (Action.NAME, Action.UNNAME, Action.HAND_OVER, Action.TAKE, Action.SEND_BACK)


@dataclass(frozen=True, slots=True)
class DueReport:
    """A tournament that is over and awaits its report, and the newest version that is not accepted."""

    tournament: Tournament
    progress: Progress
    report: Report | None
    errors: int
    warnings: int


@dataclass(frozen=True, slots=True)
class Desk:
    """The first page of somebody's desk, each part with its most urgent entries first."""

    needs: Sequence[Need]
    decisions: Sequence[TrailEntry]
    reports_due: Sequence[DueReport]
    refused: QuerySet[Tournament]
    waiting: Sequence[Tournament]
    coming: Sequence[Tournament]
    arbitrates: Sequence[Tournament]
    missed: QuerySet[Tournament]
    counts: Sequence[tuple[str, int]]


def desk_of(user: Any, lists: ListCalendars) -> Desk:
    """Return what a person has to do and what they wait for on the calendars' day."""
    today = lists.today
    own = reported_by(user).select_related("federation")
    decisions = decisions_received(own, today=today)
    arbitrates = arbitrated(user) if has_role(user, Role.ARBITER) else []
    over = own.filter(in_step(*REPORT_STEPS, lists=lists)).order_by("end", "event_id")[:MAX_ROWS]
    handed = list(waiting_for(own.filter(in_step("take", lists=lists)))[:MAX_ROWS])
    received = [*(row.tournament for row in handed), *(entry.tournament for entry in decisions)]
    progress = load_progress([*over, *arbitrates, *received], lists)
    needs = needs_of(user, own, decisions, arbitrates, handed, progress)
    waiting, coming = _waiting_and_coming(own, lists)
    return Desk(
        needs=needs,
        # What can be appealed stands above, among what is to be decided.
        decisions=[entry for entry in decisions if not is_appealable(entry, user, progress)],
        reports_due=_reports_due(over, progress),
        refused=_refused(own, today),
        waiting=waiting,
        coming=coming,
        arbitrates=arbitrates,
        missed=_missed(own, lists),
        counts=counts_by_state(for_user(user)),
    )


def reported_by(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments that a person reports: their federations', and for staff those that no federation does."""
    wanted = Q(federation__in=federations_of(user)) & ~REPORTED_BY_STAFF
    if is_staff(user):
        wanted |= REPORTED_BY_STAFF
    return Tournament.objects.filter(wanted)


def _reports_due(over: Iterable[Tournament], progress: Mapping[int, Progress]) -> list[DueReport]:
    """Return the tournaments that await their reports, fewest days left first (8.1)."""
    checked = Report.objects.filter(tournament__in=[row.pk for row in over], state=ReportState.CHECKED)
    newest = {report.tournament_id: report for report in checked.defer("content", "pgn").order_by("version")}
    found = [_due_report(row, progress[row.pk], newest.get(row.pk)) for row in over]
    return sorted(found, key=lambda row: row.progress.days.last_day)


def _due_report(tournament: Tournament, progress: Progress, report: Report | None) -> DueReport:
    severities = [finding["severity"] for finding in report.findings] if report else []
    return DueReport(
        tournament=tournament,
        progress=progress,
        report=report,
        errors=severities.count("error"),
        warnings=severities.count("warning"),
    )


def qc_queue() -> QuerySet[Tournament]:
    """Return the registrations that wait for the QC, the one that starts first at the head (0.2)."""
    waiting = Tournament.objects.filter(registration=Registration.WAITING).select_related("federation")
    return with_reason(waiting).order_by("start", "event_id")


def with_reason(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add the newest step with the registration; naming arbiters and handing reports over is none."""
    steps = TrailEntry.objects.filter(tournament=OuterRef("pk"))
    return _with_newest(tournaments, steps.exclude(action__in=BESIDE_THE_REGISTRATION))


def _waiting_and_coming(
    own: QuerySet[Tournament], lists: ListCalendars
) -> tuple[list[Tournament], list[Tournament]]:
    """Return what waits for the QC and what is to come, each by its first day, in one query."""
    is_waiting = Q(registration=Registration.WAITING)
    is_coming = in_step("play", lists=lists)
    is_open = Case(When(is_waiting, then=Value(False)), default=Value(True), output_field=BooleanField())
    place = Window(
        RowNumber(), partition_by=[F("is_to_come")], order_by=[F("start").asc(), F("event_id").asc()]
    )
    found = own.filter(is_waiting | is_coming).annotate(is_to_come=is_open).annotate(place=place)
    rows: list[Tournament] = [*found.filter(place__lte=MAX_ROWS).order_by("start", "event_id")]
    waiting = [row for row in rows if row.registration == Registration.WAITING]
    return waiting, [row for row in rows if row.registration != Registration.WAITING]


def _refused(own: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    """Return what was decided against before the decisions that the desk shows as received."""
    since = today - timedelta(days=REFUSALS_SHOWN_DAYS)
    refused = own.filter(registration__in=[Registration.REFUSED, Registration.NOT_RATED], end__gte=since)
    steps = TrailEntry.objects.filter(tournament=OuterRef("pk"), action__in=DECISIONS)
    earlier = refused.exclude(Exists(steps.filter(at__gte=decisions_since(today))))
    return _with_newest(earlier, steps).order_by("-start", "event_id")[:MAX_ROWS]


def _missed(own: QuerySet[Tournament], lists: ListCalendars) -> QuerySet[Tournament]:
    since = lists.today - timedelta(days=MISSED_SHOWN_DAYS)
    missed = own.filter(in_step("missed", lists=lists), end__gte=since)
    return missed.order_by("-end", "event_id")[:MAX_ROWS]


def _with_newest(tournaments: QuerySet[Tournament], steps: QuerySet[TrailEntry]) -> QuerySet[Tournament]:
    """Add the reason and instant of the newest of the steps as `last_reason` and `last_at`."""
    newest = steps.order_by("-at", "-pk")
    return tournaments.annotate(
        last_reason=Subquery(newest.values("reason")[:1]), last_at=Subquery(newest.values("at")[:1])
    )
