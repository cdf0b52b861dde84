"""What needs a person: reports due, registrations waiting, refusals, and what is to come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
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

from players.choices import Role
from players.permissions import federations_of, has_role, is_staff
from tournaments import regulations
from tournaments.choices import OPEN_REGISTRATIONS, Action, HandedState, Registration, ReportState, Stage
from tournaments.models import HandedReport, Report, Tournament, TrailEntry
from tournaments.permissions import for_user
from tournaments.queries.handover import arbitrated
from tournaments.queries.needs import (
    DECISIONS,
    Need,
    decisions_received,
    decisions_since,
    is_appealable,
    needs_of,
)
from tournaments.queries.states import state_of

# The desk shows the most urgent; the list of tournaments has them all.
MOST_ROWS = 25
REFUSALS_SHOWN_DAYS = 120
MISSED_SHOWN_DAYS = 365
# Steps that say nothing of why a registration waits or was refused.
BESIDE_THE_REGISTRATION = (Action.NAME, Action.UNNAME, Action.HAND_OVER, Action.TAKE, Action.SEND_BACK)


@dataclass(frozen=True, slots=True)
class DueReport:
    """A tournament that is over, the list for which its report is due, and the last day on which it is taken."""

    tournament: Tournament
    due_list: date
    due_by: date
    last_day: date
    report: Report | None
    errors: int
    warnings: int
    is_last_list: bool = False
    is_handed_over: bool = False


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


def desk_of(user: Any, *, today: date) -> Desk:
    """Return what a person has to do and what they wait for."""
    own = reported_by(user).select_related("federation")
    decisions = decisions_received(own, today=today)
    arbitrates = arbitrated(user) if has_role(user, Role.ARBITER) else []
    waiting, coming = _waiting_and_coming(own, today)
    return Desk(
        needs=needs_of(user, own, decisions, arbitrates, today=today),
        # What can be appealed stands above, among what is to be decided.
        decisions=[entry for entry in decisions if not is_appealable(entry, user, today=today)],
        reports_due=reports_due(own, today=today),
        refused=_refused(own, today),
        waiting=waiting,
        coming=coming,
        arbitrates=arbitrates,
        missed=_missed(own, today),
        counts=counts_by_state(for_user(user)),
    )


def reported_by(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments that a person reports: their federations', and for staff those that no federation does."""
    no_federations = Q(is_official=True) | ~Q(decided_by="")
    wanted = Q(federation__in=federations_of(user)) & ~no_federations
    if is_staff(user):
        wanted |= no_federations
    return Tournament.objects.filter(wanted)


def reports_due(tournaments: QuerySet[Tournament], *, today: date) -> list[DueReport]:
    """Return the tournaments that are over and have no accepted report, fewest days left first (8.1)."""
    over = tournaments.filter(
        registration__in=OPEN_REGISTRATIONS,
        stage=Stage.PLANNED,
        end__lte=today,
    ).filter(in_time_to_report(today))
    newest = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.CHECKED).order_by("-version")
    handed = HandedReport.objects.filter(tournament=OuterRef("pk"), state=HandedState.WAITING)
    told = over.annotate(newest_report=Subquery(newest.values("pk")[:1]), is_handed_over=Exists(handed))
    rows = list(told.order_by("end", "event_id")[:MOST_ROWS])
    kept = Report.objects.defer("content", "pgn").in_bulk(
        [row.newest_report for row in rows if row.newest_report]
    )
    found = [_due_report(row, kept.get(row.newest_report), today) for row in rows]
    return sorted(found, key=lambda row: row.last_day)


def in_time_to_report(today: date) -> Q:
    """Return the condition on tournaments whose report is still taken: an upheld appeal opens the time anew (0.4)."""
    oldest = oldest_end_to_report(today)
    return Q(end__gte=oldest) | Q(upheld_on__gte=oldest)


def _due_report(tournament: Tournament, report: Report | None, today: date) -> DueReport:
    due = regulations.due_list(tournament.end)
    last_day = regulations.last_day_to_report(tournament.end, tournament.upheld_on)
    severities = [finding["severity"] for finding in report.findings] if report else []
    return DueReport(
        tournament=tournament,
        due_list=due,
        due_by=due - timedelta(days=1),
        last_day=last_day,
        is_last_list=next(regulations.lists_after(today - timedelta(days=1))) >= last_day,
        is_handed_over=tournament.is_handed_over,  # type: ignore[attr-defined]
        report=report,
        errors=severities.count("error"),
        warnings=severities.count("warning"),
    )


def oldest_end_to_report(today: date) -> date:
    """Return the earliest last day of a tournament that can still be reported on a day (8.1)."""
    month = today.year * 12 + today.month - 1 - (3 if today.day == 1 else 2)
    return date(month // 12, month % 12 + 1, 1)


def counts_by_state(tournaments: QuerySet[Tournament]) -> list[tuple[str, int]]:
    """Return how many tournaments stand in each state, by the words of `state_of`."""
    counts: dict[str, int] = {}
    rows = tournaments.order_by().values_list("registration", "stage").annotate(number=Count("pk"))
    for registration, stage, number in rows:
        state = state_of(Tournament(registration=registration, stage=stage))
        counts[state] = counts.get(state, 0) + number
    return sorted(counts.items(), key=lambda item: STATE_ORDER.index(item[0]))


STATE_ORDER: list[str] = [
    *(Registration.WAITING, Registration.REGISTERED, Registration.APPROVED),
    *(Stage.REPORTED, Stage.RATED, Stage.PUBLISHED),
    *(Registration.REFUSED, Registration.NOT_RATED, Registration.WITHDRAWN),
]


def qc_queue() -> QuerySet[Tournament]:
    """Return the registrations that wait for the QC, the one that starts first at the head (0.2)."""
    waiting = Tournament.objects.filter(registration=Registration.WAITING).select_related("federation")
    return with_reason(waiting).order_by("start", "event_id")


def with_reason(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add the newest step with the registration; naming arbiters and handing reports over is none."""
    steps = TrailEntry.objects.filter(tournament=OuterRef("pk"))
    return _with_newest(tournaments, steps.exclude(action__in=BESIDE_THE_REGISTRATION))


def _waiting_and_coming(own: QuerySet[Tournament], today: date) -> tuple[list[Tournament], list[Tournament]]:
    """Return what waits for the QC and what is to come, each by its first day, in one query."""
    is_waiting = Q(registration=Registration.WAITING)
    is_coming = Q(registration__in=OPEN_REGISTRATIONS, end__gt=today)
    is_open = Case(When(is_waiting, then=Value(False)), default=Value(True), output_field=BooleanField())
    place = Window(
        RowNumber(), partition_by=[F("is_to_come")], order_by=[F("start").asc(), F("event_id").asc()]
    )
    found = own.filter(is_waiting | is_coming).annotate(is_to_come=is_open).annotate(place=place)
    rows: list[Tournament] = [*found.filter(place__lte=MOST_ROWS).order_by("start", "event_id")]
    waiting = [row for row in rows if row.registration == Registration.WAITING]
    return waiting, [row for row in rows if row.registration != Registration.WAITING]


def _refused(own: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    """Return what was decided against before the decisions that the desk shows as received."""
    since = today - timedelta(days=REFUSALS_SHOWN_DAYS)
    refused = own.filter(registration__in=[Registration.REFUSED, Registration.NOT_RATED], end__gte=since)
    steps = TrailEntry.objects.filter(tournament=OuterRef("pk"), action__in=DECISIONS)
    earlier = refused.exclude(Exists(steps.filter(at__gte=decisions_since(today))))
    return _with_newest(earlier, steps).order_by("-start", "event_id")[:MOST_ROWS]


def _missed(own: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    oldest = oldest_end_to_report(today)
    since = oldest - timedelta(days=MISSED_SHOWN_DAYS)
    missed = own.filter(
        registration__in=OPEN_REGISTRATIONS, stage=Stage.PLANNED, end__lt=oldest, end__gte=since
    ).exclude(upheld_on__isnull=False, upheld_on__gte=oldest)
    return missed.order_by("-end", "event_id")[:MOST_ROWS]


def _with_newest(tournaments: QuerySet[Tournament], steps: QuerySet[TrailEntry]) -> QuerySet[Tournament]:
    """Add the reason and instant of the newest of the steps as `last_reason` and `last_at`."""
    newest = steps.order_by("-at", "-pk")
    return tournaments.annotate(
        last_reason=Subquery(newest.values("reason")[:1]), last_at=Subquery(newest.values("at")[:1])
    )
