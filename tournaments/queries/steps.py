"""The next step of a tournament: what, by whom and until when; and its history as a time line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.figures import day_text
from tournaments import regulations
from tournaments.choices import Action, Registration, ReportState, Stage
from tournaments.models import Report, Tournament, TrailEntry
from tournaments.queries.changed import changed_fields

OFFICER = _l("the rating officer")
STAFF = _l("FIDE staff")
QC = _l("the QC")
PORTAL = _l("the portal")


@dataclass(frozen=True, slots=True)
class NextStep:
    """What stands between a tournament and the list. `code` names the kind of step."""

    code: str
    what: str
    owner: str | Promise = ""
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A point of a time line as `partials/timeline.html` draws it."""

    what: str | Promise
    at: datetime | date | None = None
    who: str | Promise = ""
    why: str = ""
    state: str = "done"


def next_step(
    tournament: Tournament, reports: Sequence[Report], *, today: date, is_handed_over: bool = False
) -> NextStep:
    """Return why a tournament is not on a list yet and who does what next.

    `is_handed_over`: its chief arbiter's report waits to be taken.
    """
    if not tournament.is_open:
        return _closed_step(tournament)
    if tournament.is_held and tournament.stage in (Stage.REPORTED, Stage.RATED):
        return NextStep(
            "question", _("The report is under question; no list takes it until the QC decides."), QC
        )
    if tournament.stage == Stage.PUBLISHED:
        return NextStep("published", _("It is on a published list; nothing is left to do."))
    if tournament.stage == Stage.RATED:
        return NextStep(
            "publish", _("It is rated and goes into the next list."), PORTAL, expected_list(tournament, today)
        )
    if tournament.stage == Stage.REPORTED:
        return NextStep(
            "rate", _("The report is accepted; it is being rated. You may leave this page."), PORTAL
        )
    return _report_step(tournament, reports, today, is_handed_over)


def _closed_step(tournament: Tournament) -> NextStep:
    if tournament.registration == Registration.WAITING:
        return NextStep("decide", _("The QC decides on the registration."), QC, tournament.start)
    words = {
        Registration.REFUSED: _("The registration was refused: no report of it is taken."),
        Registration.NOT_RATED: _("It was decided not to rate this tournament."),
        Registration.WITHDRAWN: _("The registration was withdrawn."),
    }
    return NextStep("closed", words[Registration(tournament.registration)])


def _report_step(
    tournament: Tournament, reports: Sequence[Report], today: date, is_handed_over: bool
) -> NextStep:
    last_day = regulations.last_day_to_report(tournament.end, tournament.upheld_on)
    owner = STAFF if tournament.is_official or tournament.decided_by else OFFICER
    if today < tournament.end:
        return NextStep(
            "play",
            _("The tournament is played; its report follows after the last day."),
            owner,
            tournament.end,
        )
    if today > last_day:
        message = _("No report came before the third list after the last day: it is never rated (8.1).")
        return NextStep("missed", message)
    if is_handed_over:
        message = _("Take the chief arbiter's report over, or send it back.")
        return NextStep("take", message, owner, last_day)
    newest = max(
        (report for report in reports if report.state == ReportState.CHECKED), key=_version, default=None
    )
    if newest is None:
        return NextStep("upload", _("Upload the report."), owner, last_day)
    if any(finding["severity"] == "error" for finding in newest.findings):
        return NextStep(
            "correct", _("Correct the errors of the report and upload it again."), owner, last_day
        )
    return NextStep("accept", _("Read the findings and accept the report."), owner, last_day)


def _version(report: Report) -> int:
    return report.version


def expected_list(tournament: Tournament, accepted_on: date) -> date:
    """Return the next list that can take a report accepted on a day (6.1.3)."""
    return regulations.next_list_for(
        tournament.end, is_official=tournament.is_official, accepted_on=accepted_on, newest=None
    )


def time_line(
    tournament: Tournament, trail: Sequence[TrailEntry], reports: Sequence[Report], *, step: NextStep
) -> list[Event]:
    """Return what was done with a tournament, in order, and what is to come."""
    done = sorted([*_upload_events(reports), *_trail_events(trail)], key=_instant)
    if step.code in ("closed", "published"):
        return done
    until = (
        _("until %(day)s") % {"day": day_text(step.until)} if step.until and step.code != "publish" else ""
    )
    now = Event(step.what, who=step.owner, why=until, state="over" if step.code == "missed" else "now")
    return [*done, now, *_to_come(tournament, step)]


def _instant(event: Event) -> Any:
    return event.at


def _trail_events(trail: Sequence[TrailEntry]) -> Iterator[Event]:
    for entry in trail:
        action = Action(entry.action)
        state = "over" if action in (Action.REFUSE, Action.NOT_RATE, Action.WITHDRAW) else "done"
        yield Event(_sentence(action.label), entry.at, str(entry.by or ""), _why(entry), state)


def _upload_events(reports: Sequence[Report]) -> Iterator[Event]:
    for report in reports:
        what = _("Version %(version)d of the report uploaded") % {"version": report.version}
        yield Event(what, report.submitted_at, str(report.submitted_by or ""), report.file_name)


def _to_come(tournament: Tournament, step: NextStep) -> Iterator[Event]:
    if step.code in ("decide", "play"):
        due = regulations.due_list(tournament.end)
        yield Event(_("Report due for the list"), due, state="next")
    if step.code in ("decide", "play", "take", "upload", "correct", "accept"):
        yield Event(_("Rated by the portal"), state="next")
    if step.code not in ("missed", "publish"):
        yield Event(_("Published with a list"), state="next")


def _sentence(text: str | Promise) -> str:
    words = str(text)
    return words[:1].upper() + words[1:]


def _why(entry: TrailEntry) -> str:
    changes = "; ".join(str(one) for one in changed_fields(entry))
    return " ".join(filter(None, [entry.reason, changes]))
