"""The time line of a tournament: what was done with it, by whom, and the steps ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from operator import attrgetter

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.html.dates import day_text, list_month
from players.models import LogEntry, Player
from tournaments.changed_fields import ENTRIES, shown_changes
from tournaments.choices import CLOSED_REGISTRATIONS, TAKEN_BACK, Action, Registration
from tournaments.models import Report
from tournaments.steps import REPORT_STEPS, Progress, Step, StepState
from tournaments.undoing import is_undoing

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
    # What many people are about, in a few words, and their names.
    named: Sequence[tuple[str, str]] = ()
    state: StepState = StepState.DONE


def time_line(
    entries: Sequence[LogEntry], reports: Sequence[Report], progress: Progress
) -> list[TimeLinePoint]:
    """Return what was done with a tournament, by whom and in order, and the steps ahead."""
    # A version that was made of another one is told by the step that says of which lines.
    fixed = {report.submitted_at: report.version for report in reports if report.corrected_from_id}
    uploaded = [report for report in reports if not report.corrected_from_id]
    done = sorted(
        [*_upload_events(uploaded), *_action_events(entries, progress, fixed)], key=attrgetter("at")
    )
    if progress.step.code == "missed":
        return [*done, TimeLinePoint(progress.step.task, state=StepState.OVER)]
    return [*done, *events_ahead(progress)]


def state_of_act(entry: LogEntry, state: str) -> StepState:
    """Return whether an act stands against a tournament of a state, or is past: an upheld appeal ends a decision."""
    is_against = entry.action in AGAINST and state in (*CLOSED_REGISTRATIONS, TAKEN_BACK)
    return StepState.OVER if is_against else StepState.DONE


def events_ahead(progress: Progress) -> Iterator[TimeLinePoint]:
    """Yield the next step in the words of its task, and the steps after it, with owners."""
    for step in progress.ahead:
        # A tournament is played without its officer, who has the report to upload after it.
        is_played = (step.code, step.state) == ("play", "next")
        who = step.owner.label if step.owner and not is_played else ""
        # That a tournament which is rated waits for a list is no act; its expected list says so.
        what = step.what if step.code == "publish" else step.task or step.what
        yield TimeLinePoint(what, who=who, why=_until(step, progress), state=step.state)


def _until(step: Step, progress: Progress) -> str:
    if step.code == "publish" and progress.expected_list is not None:
        return _("Expected list: %(month)s") % {"month": list_month(progress.expected_list)}
    is_next = step.code == progress.step.code
    if is_next and (progress.decide_by or (step.code in REPORT_STEPS and step.deadline)):
        # The day that its task names.
        return _("until %(day)s") % {"day": day_text(progress.next_deadline)}
    if step.code in REPORT_STEPS and step.deadline == progress.days.last_day:
        return _("Final deadline: %(day)s") % {"day": day_text(step.deadline)}
    # As the page names it: an earlier list takes the report than the last one that could.
    day = progress.next_deadline if step.code in REPORT_STEPS and step.deadline else step.deadline
    return _("until %(day)s") % {"day": day_text(day)} if day else ""


def _action_events(
    entries: Sequence[LogEntry], progress: Progress, fixed: Mapping[datetime, int]
) -> Iterator[TimeLinePoint]:
    ids = {fide_id for entry in entries for some in _entered(entry).values() for fide_id in some}
    # Most tournaments have no entry list, and need no query.
    names = dict(Player.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}
    for entry in entries:
        what, state = _sentence(_label(entry, fixed)), state_of_act(entry, progress.state)
        rule, words = entry.why_apart
        if entry.action in (Action.NAME, Action.UNNAME):
            # An email address is nobody's reason.
            rule, words = words, ""
        # What was undone is told once.
        shown = () if is_undoing(entry) else entry.changes
        changes = shown_changes([one for one in shown if one["field"] != ENTRIES])
        why = "\n".join(filter(None, [rule, *(_sentence(str(one)) for one in changes)]))
        named = [
            (text, "; ".join(names.get(one, str(one)) for one in some))
            for text, some in _entered(entry).items()
        ]
        yield TimeLinePoint(what, entry.at, str(entry.by or ""), why, words, named, state)


def _label(entry: LogEntry, fixed: Mapping[datetime, int]) -> str | Promise:
    """Return what was done; a registration that waits is not registered yet."""
    if entry.action == Action.REGISTER and entry.after == Registration.WAITING:
        return _("Registration sent to the QC")
    if entry.action == Action.REPORT and entry.at in fixed:
        return _("Version %(version)d of the report saved with fixes") % {"version": fixed[entry.at]}
    if entry.action == Action.ACCEPT and entry.at in fixed:
        # A result that is corrected after the acceptance makes a version that is accepted at that instant.
        return _("Corrected the report: version %(version)d accepted") % {"version": fixed[entry.at]}
    return entry.what


def _entered(entry: LogEntry) -> dict[str, Sequence[int]]:
    """Return the FIDE IDs that came to an entry list and that left it, by how many they are, in words."""
    change = next((one for one in entry.changes if one["field"] == ENTRIES), {"before": (), "after": ()})
    added, removed = change["after"], change["before"]
    texts = {
        ngettext("%(number)d player added", "%(number)d players added", len(added)): added,
        ngettext("%(number)d player removed", "%(number)d players removed", len(removed)): removed,
    }
    return {text % {"number": len(some)}: some for text, some in texts.items() if some}


def _upload_events(reports: Sequence[Report]) -> Iterator[TimeLinePoint]:
    for report in reports:
        what = _("Version %(version)d of the report uploaded") % {"version": report.version}
        yield TimeLinePoint(what, report.submitted_at, str(report.submitted_by or ""), report.file_name)


def _sentence(text: str | Promise) -> str:
    words = str(text)
    return words[:1].upper() + words[1:]
