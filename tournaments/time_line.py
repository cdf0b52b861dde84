"""The time line of a tournament: what was done with it, by whom, and the steps ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from operator import attrgetter

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from core.html.dates import day_text, list_month
from players.models import LogEntry
from tournaments.changed_fields import shown_changes
from tournaments.choices import CLOSED_REGISTRATIONS, Action
from tournaments.models import Report
from tournaments.steps import Progress, Step, StepState

AGAINST = (Action.REFUSE, Action.NOT_RATE, Action.WITHDRAW, Action.DISMISS)


@dataclass(frozen=True, slots=True)
class TimeLinePoint:
    """A point of a time line as `partials/timeline.html` draws it."""

    what: str | Promise
    at: datetime | date | None = None
    who: str | Promise = ""
    why: str = ""
    # What a person wrote, apart from what the portal says.
    words: str = ""
    state: StepState = StepState.DONE


def time_line(
    entries: Sequence[LogEntry], reports: Sequence[Report], progress: Progress
) -> list[TimeLinePoint]:
    """Return what was done with a tournament, by whom and in order, and the steps ahead."""
    done = sorted([*_upload_events(reports), *_action_events(entries, progress)], key=attrgetter("at"))
    if progress.step.code == "missed":
        return [*done, TimeLinePoint(progress.step.task, state=StepState.OVER)]
    return [*done, *events_ahead(progress)]


def state_of_act(entry: LogEntry, state: str) -> StepState:
    """Return whether an act stands against a tournament of a state, or is past: an upheld appeal ends a decision."""
    is_against = entry.action in AGAINST and state in CLOSED_REGISTRATIONS
    return StepState.OVER if is_against else StepState.DONE


def events_ahead(progress: Progress) -> Iterator[TimeLinePoint]:
    """Yield the next step in the words of its task, and the steps after it, with owners and deadlines."""
    for step in progress.ahead:
        who = step.owner.label if step.owner else ""
        yield TimeLinePoint(step.task or step.what, who=who, why=_until(step, progress), state=step.state)


def _until(step: Step, progress: Progress) -> str:
    if step.code == "publish" and progress.expected_list is not None:
        return _("Expected list: %(month)s") % {"month": list_month(progress.expected_list)}
    return _("until %(day)s") % {"day": day_text(step.deadline)} if step.deadline else ""


def _action_events(entries: Sequence[LogEntry], progress: Progress) -> Iterator[TimeLinePoint]:
    for entry in entries:
        what, state = _sentence(Action(entry.action).label), state_of_act(entry, progress.state)
        rule, words = entry.why_apart
        changes = " · ".join(str(one) for one in shown_changes(entry.changes))
        why = "\n".join(filter(None, [rule, changes]))
        yield TimeLinePoint(what, entry.at, str(entry.by or ""), why, words, state)


def _upload_events(reports: Sequence[Report]) -> Iterator[TimeLinePoint]:
    for report in reports:
        what = _("Version %(version)d of the report uploaded") % {"version": report.version}
        yield TimeLinePoint(what, report.submitted_at, str(report.submitted_by or ""), report.file_name)


def _sentence(text: str | Promise) -> str:
    words = str(text)
    return words[:1].upper() + words[1:]
