"""The tasks of a person beside the reports that are due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from core.html.dates import day_text
from players.models import LogEntry
from tournaments.models import HandedReport, Tournament
from tournaments.queries.decisions import is_appealable
from tournaments.queries.desk_tasks import DeskTask
from tournaments.queries.report_versions import problem_counts_of
from tournaments.queries.waiting import waiting_tasks
from tournaments.steps import Progress


def other_tasks_of(
    user: Any,
    own: QuerySet[Tournament],
    decisions: Sequence[LogEntry],
    arbitrates: Sequence[Tournament],
    handed: Sequence[HandedReport],
    progress: Mapping[int, Progress],
    *,
    today: date,
) -> list[DeskTask]:
    """Return the questions and decisions for a user, the fewest days left first.

    `own` are the tournaments that the user reports, `decisions` and `handed` those received on them; `arbitrates`
    those with the user as chief arbiter. `progress` has the progress of all of these.
    """
    tasks = [
        *waiting_tasks(user, own, arbitrates, today=today),
        *(_handed_over(row, progress[row.tournament_id]) for row in handed),
        *_to_hand_over(arbitrates, progress),
        *_appeals_possible(user, decisions, progress),
    ]
    return sorted(tasks, key=lambda task: task.order)


def _handed_over(row: HandedReport, progress: Progress) -> DeskTask:
    """Return the task with a report that a chief arbiter handed over."""
    tournament = row.tournament
    counts = problem_counts_of(row.findings)
    found = [
        ngettext("%(number)s error", "%(number)s errors", counts["error"]) % {"number": counts["error"]},
        ngettext("%(number)s warning", "%(number)s warnings", counts["warning"])
        % {"number": counts["warning"]},
    ]
    sent = row.handover
    values = {"who": sent.asked_by or "–", "day": day_text(sent.asked_at.date()), "found": ", ".join(found)}
    return DeskTask(
        what=_("Add or return the report"),
        action=pgettext("report", "Open"),
        about=tournament.name,
        url=reverse("desk:handed", args=[tournament.event_id, row.number]),
        why=_("Sent by %(who)s on %(day)s: %(found)s. %(remark)s") % {**values, "remark": sent.reason},
        deadline=progress.report_deadline,
        last_day=progress.days.last_day,
        since=sent.asked_at,
        list_date=progress.expected_list,
        is_final=progress.is_last_list,
        sort="reports",
        code="take",
    )


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
            url=reverse("desk:arbiter", args=[tournament.event_id]),
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
                url=reverse("desk:lodge", args=[entry.tournament.event_id]),
                why=entry.reason,
                deadline=progress[entry.tournament.pk].step.deadline,
                since=entry.at,
                sort="decisions",
                code="lodge",
            )
