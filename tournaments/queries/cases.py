"""Cases for the QC to decide, the most urgent first (0.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Case as Choice
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from players.choices import CaseKind, CaseState
from players.models import Case, LogEntry
from players.models.cases import waits
from players.services.cases import open_cases, row_of
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

MAX_ROWS = 400


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


def cases(
    lists: Lists[Any], today: date, waiting: Sequence[Case], *, most: int = MAX_ROWS
) -> list[QueueCase]:
    """Return the cases of the QC by their deadlines: of those that wait (`open_cases`), and what follows from a state.

    A late or hybrid registration is to be decided by its first day (0.2), a report by the day before the next list
    that could take it (6.1.3), a requested change or withdrawal by the first day, later like a report (D-80, D-81),
    and so is a report that its officer does not decide on (D-128).
    """
    asked = [row_of(case) for case in waiting if case.kind in MAKERS]
    # Registrations first, as their tournaments end later: reports that nobody decides on never hide them.
    waits_first = Choice(When(registration=Registration.WAITING, then=Value(0)), default=Value(1))
    of_state = list(_of_state(lists, today).order_by(waits_first, "end", "event_id")[:most])
    # In their order, so that the newest of a tournament is the one that stays.
    requests_of = {one.tournament_id: row_of(one) for one in waiting if one.kind == CaseKind.INFORMATION}
    found = [MAKERS[row.kind](row, requests_of.get(row.tournament_id), lists, today) for row in asked]
    for row in of_state:
        make = _registration_case if row.registration == Registration.WAITING else _undecided_case
        found.append(make(row, requests_of.get(row.pk), lists, today))
    return sorted(found, key=lambda case: (case.deadline, case.event_id))


def next_case(user: Any, lists: Lists[Any], today: date, *, after: str) -> QueueCase | None:
    """Return the most urgent case that waits for the QC, None where no other than that of the event ID is left."""
    found = cases(lists, today, [*open_cases(user, today).filter(kind__in=(*MAKERS, CaseKind.INFORMATION))])
    waiting = (case for case in found if not case.waits_for_others(today))
    return next((case for case in waiting if case.event_id != after), None)


def cases_of(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments at the person's desk, with `last_reason` and the number of the newest step, `seen`."""
    steps = LogEntry.objects.filter(tournament=OuterRef("pk")).order_by("-pk").values("pk")
    return with_reason(for_user(user)).annotate(seen=Coalesce(Subquery(steps[:1]), 0))


def _of_state(lists: Lists[Any], today: date) -> QuerySet[Tournament]:
    """Return the registrations that wait (0.2), and the reports that nobody decides on (D-128), as `since` tells.

    Of the latter there is a version without errors by the closing date of the due list, or one that a chief arbiter
    sent, returned or not; after the third list one with errors, too, since errors do not decide. They stay here until a
    report is accepted or the QC decides. `since` is when the first report came.
    """
    due = last_end_due(today)
    checked = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.CHECKED)
    clean = checked.filter(has_errors=False)
    sent = Case.objects.filter(
        kind=CaseKind.HANDED,
        tournament=OuterRef("pk"),
        state__in=(CaseState.WAITING, CaseState.REFUSED),
    )
    undecided = Q(
        Q(upheld_on=None) | Q(upheld_on__lte=due),
        Q(Exists(clean)) | Q(Exists(sent)) | (may_be_missed(lists, today) & Q(Exists(checked))),
        ~waits(CaseKind.REQUEST),
        registration__in=OPEN_REGISTRATIONS,
        stage=Stage.PLANNED,
        end__lte=due,
    )
    first = [
        Subquery(rows.order_by(at).values(at)[:1])
        for rows, at in ((clean, "submitted_at"), (sent, "asked_at"), (checked, "submitted_at"))
    ]
    rows = Tournament.objects.filter(Q(registration=Registration.WAITING) | undecided)
    found = with_reason(rows.annotate(since=Coalesce(*first)))
    return found.select_related("federation")


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


MAKERS: Mapping[str, Callable[..., QueueCase]] = {
    CaseKind.HOLD: _hold_case,
    CaseKind.FLAGS: _hold_case,
    CaseKind.REQUEST: _change_case,
}
