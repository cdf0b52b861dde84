"""The tasks of a person beside the reports that are due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.pages import Page
from players.choices import CaseKind
from players.models import LogEntry
from tournaments.models import Tournament
from tournaments.queries.decisions import is_appealable
from tournaments.queries.desk_tasks import DeskTask
from tournaments.queries.waiting import case_task, waiting_tasks
from tournaments.steps import Progress


def other_tasks_of(
    user: Any,
    own: QuerySet[Tournament],
    cases: Sequence[Any],
    decisions: Sequence[LogEntry],
    arbitrates: Sequence[Tournament],
    progress: Mapping[int, Progress],
    *,
    today: date,
) -> list[DeskTask]:
    """Return the questions and decisions for a user, the fewest days left first.

    `cases` wait for the user, `own` are the tournaments that the user reports, `decisions` those received on them;
    `arbitrates` those with the user as chief arbiter. `progress` has the progress of all of these.
    """
    tasks = [
        *waiting_tasks(user, own, today=today),
        *_of_cases(cases, progress),
        *_to_hand_over(arbitrates, progress),
        *_appeals_possible(user, decisions, progress),
    ]
    return sorted(tasks, key=lambda task: task.order)


def _of_cases(cases: Sequence[Any], progress: Mapping[int, Progress]) -> Iterator[DeskTask]:
    """Yield the tasks with cases; a report that an arbiter sent is one while the officer may still add it."""
    for case in cases:
        found = progress.get(case.tournament_id) if case.kind == CaseKind.HANDED else None
        if found is None or found.step.code == "take":
            yield case_task(case, found)


def _to_hand_over(arbitrates: Sequence[Tournament], progress: Mapping[int, Progress]) -> Iterator[DeskTask]:
    """Yield the tournaments whose report the person, as chief arbiter, has to hand over (8.1)."""
    for tournament in arbitrates:
        found = progress[tournament.pk]
        if found.step.code != "upload":
            continue
        was_sent_back = tournament.handed_state is not None  # type: ignore[attr-defined]
        yield DeskTask(
            what=_("Correct the report and send it again") if was_sent_back else _("Send report"),
            action=pgettext("report", "Open"),
            about=tournament.name,
            page=Page("desk:arbiter", tournament.event_id),
            why=_("The rating officer submits it for rating."),
            deadline=found.report_deadline,
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
