"""Cases to decide: registrations and reports for the QC, the most urgent first; appeals for FIDE Council (0.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from tournaments.choices import OPEN_REGISTRATIONS, PORTAL_REASONS, RequestSort, RequestState, Stage
from tournaments.list_calendar import ListCalendars
from tournaments.models import Appeal, InformationRequest, Question, RequestedChange, Tournament, TrailEntry
from tournaments.permissions import for_user
from tournaments.progress import Facts, compute_progress
from tournaments.queries.desk import qc_queue, with_reason

MAX_ROWS = 200


@dataclass(frozen=True, slots=True)
class Case:
    """A tournament on which the QC has to decide: what it is about, why, by which day, what was asked."""

    tournament: Tournament
    what: str
    why: str
    deadline: date
    information: InformationRequest | None = None

    @property
    def event_id(self) -> str:
        return str(self.tournament.event_id)

    @property
    def awaits_answer(self) -> bool:
        """Whether the officer has still to answer."""
        return self.information is not None and self.information.answered_at is None


def cases(lists: ListCalendars, *, most: int = MAX_ROWS) -> list[Case]:
    """Return the cases of the QC by their deadlines, at most so many of each sort.

    A late or hybrid registration is to be decided by its first day (0.2), a report by the day before the next list
    that could take it (6.1.3), a requested change or withdrawal by the first day, later like a report (D-80, D-81).
    """
    waiting = list(qc_queue()[:most])
    questions = list(open_questions()[:most])
    requests = list(open_changes()[:most])
    about = [
        *(row.pk for row in waiting),
        *(row.tournament_id for row in questions),
        *(row.tournament_id for row in requests),
    ]
    asked = newest_requests(about)
    registrations = [_registration_case(row, asked.get(row.pk), lists) for row in waiting]
    reports = [_question_case(row, asked.get(row.tournament_id), lists) for row in questions]
    changes = [_change_case(row, asked.get(row.tournament_id), lists) for row in requests]
    return sorted(registrations + reports + changes, key=lambda case: (case.deadline, case.event_id))


def cases_of(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments at the person's desk, with `last_reason` and the number of the newest step, `seen`."""
    steps = TrailEntry.objects.filter(tournament=OuterRef("pk")).order_by("-pk").values("pk")
    return with_reason(for_user(user)).annotate(seen=Coalesce(Subquery(steps[:1]), 0))


def open_questions() -> QuerySet[Question]:
    """Return the open questions about reports that can still be decided on, the oldest first."""
    found = Question.objects.filter(closed_at=None, tournament__registration__in=OPEN_REGISTRATIONS)
    return (
        found.exclude(tournament__stage=Stage.PUBLISHED)
        .select_related("tournament__federation")
        .order_by("raised_at", "pk")
    )


def open_changes() -> QuerySet[RequestedChange]:
    """Return the requests of officers that wait and may still be granted, the oldest first (D-80, D-81)."""
    found = RequestedChange.objects.filter(state=RequestState.WAITING).exclude(
        tournament__stage=Stage.PUBLISHED
    )
    return found.select_related("tournament__federation").order_by("asked_at", "pk")


def newest_requests(tournaments: Sequence[int]) -> dict[int, InformationRequest]:
    """Return the newest request for information of each tournament that has one."""
    rows = InformationRequest.objects.filter(tournament__in=tournaments).order_by("asked_at", "pk")
    return {row.tournament_id: row for row in rows}


def _registration_case(
    tournament: Tournament, asked: InformationRequest | None, lists: ListCalendars
) -> Case:
    what = _("hybrid registration") if tournament.is_hybrid else _("late registration")
    why = PORTAL_REASONS.shown(tournament.last_reason or "")  # type: ignore[attr-defined]
    progress = compute_progress(_facts(tournament, asked, lists))
    deadline = progress.deadline_of("decide") or tournament.start
    return Case(tournament=tournament, what=what, why=why, deadline=deadline, information=asked)


def _question_case(question: Question, asked: InformationRequest | None, lists: ListCalendars) -> Case:
    what = _("issues flagged by the checks") if question.is_from_findings else _("report on hold")
    deadline = _facts(question.tournament, asked, lists).question_deadline
    return Case(
        tournament=question.tournament,
        what=what,
        why=question.why,
        deadline=deadline,
        information=asked,
    )


def _change_case(request: RequestedChange, asked: InformationRequest | None, lists: ListCalendars) -> Case:
    is_change = request.sort == RequestSort.CHANGE
    return Case(
        tournament=request.tournament,
        what=_("requested change") if is_change else _("requested withdrawal"),
        why=request.why,
        deadline=_facts(request.tournament, asked, lists).request_deadline,
        information=asked,
    )


def _facts(tournament: Tournament, asked: InformationRequest | None, lists: ListCalendars) -> Facts:
    """Return what the deadlines of the QC depend on."""
    return Facts(tournament=tournament, lists=lists.of(tournament.kind), asked=asked)


def appeals_in(states: Sequence[str]) -> QuerySet[Appeal]:
    """Return the appeals in these states, with their tournaments."""
    return Appeal.objects.filter(state__in=states).select_related("tournament__federation", "decided_by")


def newest_appeal(tournament: Tournament) -> Appeal | None:
    """Return the newest appeal of a tournament with the decision that it is against, None without one."""
    found = Appeal.objects.filter(tournament=tournament)
    return found.select_related("decision", "lodged_by", "decided_by").order_by("-pk").first()
