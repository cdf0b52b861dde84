"""Cases for the QC to decide, the most urgent first (0.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from players.choices import HOLDS, CaseKind, CaseState
from players.models import Case, LogEntry
from players.models.cases import waits
from players.services.cases import row_of
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    Registration,
    ReportState,
    RequestSort,
    Stage,
)
from tournaments.list_dates import last_end_due
from tournaments.lists import Lists
from tournaments.models import InformationRequest, Report, RequestedChange, Tournament
from tournaments.permissions import for_user
from tournaments.progress import ProgressFacts, compute_progress, with_days
from tournaments.queries.newest_steps import newest_why, with_reason
from tournaments.queries.progress_filters import may_be_missed

MAX_ROWS = 200


@dataclass(frozen=True, slots=True)
class QueueCase:
    """A tournament on which the QC has to decide: what it is about, why, by which day, what was asked.

    `code` is one of `TITLES`; `since` is when the case came, None of a registration, which has its day.
    """

    tournament: Tournament
    code: str
    what: str
    why: str
    deadline: date
    since: datetime | None = None
    information: InformationRequest | None = None

    @property
    def event_id(self) -> str:
        return str(self.tournament.event_id)

    @property
    def awaits_answer(self) -> bool:
        """Whether the officer has still to answer."""
        return self.information is not None and self.information.is_open

    def waits_for_others(self, today: date) -> bool:
        """Return whether the officer may still answer in time: until then the QC has nothing to do."""
        due_on = self.information.due_on if self.information is not None else None
        return self.awaits_answer and due_on is not None and due_on >= today


def cases(lists: Lists[Any], today: date, *, most: int = MAX_ROWS) -> list[QueueCase]:
    """Return the cases of the QC by their deadlines, at most so many of each sort.

    A late or hybrid registration is to be decided by its first day (0.2), a report by the day before the next list
    that could take it (6.1.3), a requested change or withdrawal by the first day, later like a report (D-80, D-81),
    and so is a report that its officer does not decide on (D-128).
    """
    waiting = list(qc_queue()[:most])
    holds = [row_of(case) for case in open_holds()[:most]]
    requests = list(open_changes()[:most])
    undecided = list(undecided_reports(lists, today)[:most])
    about = [
        *(row.pk for row in waiting),
        *(row.tournament_id for row in holds),
        *(row.tournament.pk for row in requests),
        *(row.pk for row in undecided),
    ]
    requests_of = newest_requests(about)
    registrations = [_registration_case(row, requests_of.get(row.pk), lists, today) for row in waiting]
    reports = [_hold_case(row, requests_of.get(row.tournament_id), lists, today) for row in holds]
    changes = [_change_case(row, requests_of.get(row.tournament.pk), lists, today) for row in requests]
    lapsing = [_undecided_case(row, requests_of.get(row.pk), lists, today) for row in undecided]
    return sorted(
        registrations + reports + changes + lapsing, key=lambda case: (case.deadline, case.event_id)
    )


def next_case(lists: Lists[Any], today: date, *, after: str) -> QueueCase | None:
    """Return the most urgent case that waits for the QC, None where no other than that of the event ID is left."""
    waiting = (case for case in cases(lists, today) if not case.waits_for_others(today))
    return next((case for case in waiting if case.event_id != after), None)


def cases_of(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments at the person's desk, with `last_reason` and the number of the newest step, `seen`."""
    steps = LogEntry.objects.filter(tournament=OuterRef("pk")).order_by("-pk").values("pk")
    return with_reason(for_user(user)).annotate(seen=Coalesce(Subquery(steps[:1]), 0))


def open_holds() -> QuerySet[Case]:
    """Return the open holds and flags of reports that can still be decided on, the oldest first."""
    found = Case.objects.filter(kind__in=HOLDS, state=CaseState.WAITING)
    found = found.filter(tournament__registration__in=OPEN_REGISTRATIONS)
    found = found.exclude(tournament__stage=Stage.PUBLISHED)
    return found.select_related("tournament__federation").order_by("asked_at", "pk")


def open_changes() -> QuerySet[RequestedChange]:
    """Return the requests of officers that wait and may still be granted, the oldest first (D-80, D-81)."""
    found = RequestedChange.objects.filter(state=CaseState.WAITING).exclude(tournament__stage=Stage.PUBLISHED)
    return found.select_related("tournament__federation").order_by("asked_at", "pk")


def undecided_reports(lists: Lists[Any], today: date) -> QuerySet[Tournament]:
    """Return the played tournaments with a report that nobody accepted by the closing date of the due list (D-128).

    A report is a version without errors, or one that a chief arbiter sent, returned or not; after the third list one
    with errors, too, since errors do not decide. They stay here until a report is accepted or the QC decides. `since`
    is when the first report came.
    """
    due = last_end_due(today)
    checked = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.CHECKED)
    clean = checked.filter(has_errors=False)
    sent = Case.objects.filter(
        kind=CaseKind.HANDED,
        tournament=OuterRef("pk"),
        state__in=(CaseState.WAITING, CaseState.REFUSED),
    )
    found = Tournament.objects.open().filter(
        Q(upheld_on=None) | Q(upheld_on__lte=due),
        Q(Exists(clean)) | Q(Exists(sent)) | (may_be_missed(lists, today) & Q(Exists(checked))),
        ~waits(CaseKind.REQUEST),
        stage=Stage.PLANNED,
        end__lte=due,
    )
    first = [
        Subquery(rows.order_by(at).values(at)[:1])
        for rows, at in ((clean, "submitted_at"), (sent, "asked_at"), (checked, "submitted_at"))
    ]
    return found.annotate(since=Coalesce(*first)).select_related("federation").order_by("end", "event_id")


def newest_requests(tournaments: Sequence[int]) -> dict[int, InformationRequest]:
    rows = InformationRequest.objects.filter(tournament__in=tournaments).order_by("asked_at", "pk")
    # In their order, so that the newest of a tournament is the one that stays.
    return {row.tournament_id: row for row in rows}


def _registration_case(
    tournament: Tournament, information: InformationRequest | None, lists: Lists[Any], today: date
) -> QueueCase:
    what = _("hybrid registration") if tournament.is_hybrid else _("late registration")
    progress = compute_progress(_facts(tournament, information, lists, today))
    return QueueCase(
        tournament=tournament,
        code="hybrid" if tournament.is_hybrid else "late",
        what=what,
        why=newest_why(tournament),
        deadline=progress.deadline_of("decide") or tournament.start,
        information=information,
    )


def _hold_case(
    hold: Case, information: InformationRequest | None, lists: Lists[Any], today: date
) -> QueueCase:
    is_flag = hold.kind == CaseKind.FLAGS
    what = _("issues flagged by the checks") if is_flag else _("report on hold")
    deadline = _facts(hold.tournament, information, lists, today).hold_deadline
    return QueueCase(
        tournament=hold.tournament,
        code="flags" if is_flag else "hold",
        since=hold.asked_at,
        what=what,
        why=hold.why,
        deadline=deadline,
        information=information,
    )


def _change_case(
    request: RequestedChange, information: InformationRequest | None, lists: Lists[Any], today: date
) -> QueueCase:
    is_change = request.sort == RequestSort.CHANGE
    asked = with_days(request.tournament, request.changes)
    return QueueCase(
        tournament=request.tournament,
        code="change" if is_change else "withdrawal",
        since=request.asked_at,
        what=_("requested change") if is_change else _("requested withdrawal"),
        why=request.why,
        deadline=_facts(asked, information, lists, today).request_deadline,
        information=information,
    )


def _undecided_case(
    tournament: Tournament, information: InformationRequest | None, lists: Lists[Any], today: date
) -> QueueCase:
    facts = _facts(tournament, information, lists, today)
    return QueueCase(
        tournament=tournament,
        code="undecided",
        since=tournament.since,  # type: ignore[attr-defined]
        what=_("report not accepted"),
        why=_("The rating officer has neither accepted nor replaced the report (decision D-128)."),
        deadline=facts.hold_deadline if facts.is_in_time else facts.days.last_day,
        information=information,
    )


def _facts(
    tournament: Tournament, information: InformationRequest | None, lists: Lists[Any], today: date
) -> ProgressFacts:
    """Return what the deadlines of the QC depend on."""
    return ProgressFacts(tournament=tournament, lists=lists, today=today, information=information)


def qc_queue() -> QuerySet[Tournament]:
    """Return the registrations that wait for the QC, the one that starts first at the head (0.2)."""
    waiting = Tournament.objects.filter(registration=Registration.WAITING).select_related("federation")
    return with_reason(waiting).order_by("start", "event_id")
