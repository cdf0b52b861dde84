"""The progress of a tournament towards the list, computed only from facts (FIDE R&B 2024)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from players.choices import CaseKind, CaseState
from tournaments import regulations
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    POSSIBLE_REGISTRATIONS,
    TAKEN_BACK,
    TAKING_BACK,
    Action,
    Registration,
    ReportState,
    Stage,
)
from tournaments.list_dates import ends_in_time
from tournaments.steps import (
    ONE_DAY,
    Owner,
    Progress,
    ReportDays,
    Step,
    StepState,
    public_tasks,
    tasks,
)

if TYPE_CHECKING:
    from players.models import Case, LogEntry
    from tournaments.lists import Lists
    from tournaments.models import Appeal, InformationRequest, Report, Tournament

# How many of the steps play, upload, accept, rate and publish are passed: by the stage, and while it is planned.
WAY = ("play", "upload", "accept", "rate", "publish")
PASSED_BY_STAGE = {Stage.PLANNED: 0, Stage.REPORTED: 3, Stage.RATED: 4, Stage.PUBLISHED: 5}
PASSED_BY_STEP = {"take": 1, "upload": 1, "missed": 1, "correct": 2, "accept": 2}
# The next steps that are one step of the way under another name.
PLACES = {"take": "upload", "missed": "upload", "correct": "accept"}


@dataclass(frozen=True, kw_only=True)
class ProgressFacts:
    """All that the progress of a tournament depends on.

    `reports` and `log_entries` are in order; `cases` are those that wait; `information` and `appeal`
    are the newest ones; `taken_by` is the list on which a
    published tournament is. A correction is owed where an objection was accepted, and nothing is corrected or requested
    yet.
    """

    tournament: Tournament
    lists: Lists[Any]
    today: date
    reports: Sequence[Report] = ()
    log_entries: Sequence[LogEntry] = ()
    cases: Sequence[Case] = ()
    information: InformationRequest | None = None
    appeal: Appeal | None = None
    taken_by: date | None = None
    is_correction_owed: bool = False

    @cached_property
    def days(self) -> ReportDays:
        return ReportDays.of(self.tournament.end, self.tournament.upheld_on)

    @property
    def reporter(self) -> Owner:
        """Who submits the report (8.1, 0.3)."""
        return Owner.STAFF if self.tournament.is_reported_by_staff else Owner.OFFICER

    @cached_property
    def checked(self) -> Report | None:
        """The newest version that is checked and not accepted."""
        found = [report for report in self.reports if report.state == ReportState.CHECKED]
        return max(found, key=lambda report: report.version, default=None)

    @cached_property
    def clean_since(self) -> date | None:
        """The day since which a version without errors is there and not accepted: a later one takes no time back."""
        clean = (
            report.submitted_at
            for report in self.reports
            if report.state == ReportState.CHECKED and not report.has_errors
        )
        return min((at.astimezone(UTC).date() for at in clean), default=None)

    @cached_property
    def accept_by(self) -> date | None:
        """The last day to accept the report, None where nobody may any more (8.1, D-128)."""
        last_day = self.days.last_day
        if not self.is_in_time:
            return late_until(self.tournament, self.checked, self.log_entries, self.lists)
        # Nobody can accept it while the QC has the registration.
        if self.clean_since is None or self.tournament.registration == Registration.WAITING:
            return last_day
        return min(last_day, regulations.last_day_to_accept(max(self.clean_since, self.tournament.end)))

    @property
    def decide_by(self) -> date | None:
        """The last day for the officer to decide on a report that is there (D-128), whatever its list."""
        if self.report_step == "take" and self.handed_at is not None:
            return regulations.last_day_to_accept(self.handed_at.astimezone(UTC).date())
        # While the QC has a late one there is no such day.
        return self.accept_by if self.report_step == "accept" and self.accept_by != date.max else None

    @cached_property
    def accepted_on(self) -> date | None:
        found = (report.accepted_on for report in self.reports if report.state == ReportState.ACCEPTED)
        return next(found, None)

    @property
    def handed_at(self) -> datetime | None:
        """When an arbiter sent the report that waits."""
        sent = self.case(CaseKind.HANDED)
        return sent.asked_at if sent else None

    @property
    def asks_until(self) -> date | None:
        """The day by which the QC wants an answer, None where it asks nothing."""
        return self.information.due_on if self.information is not None and self.information.is_open else None

    def case(self, kind: CaseKind) -> Case | None:
        """Return the case of a kind that waits."""
        return next((case for case in self.cases if case.kind == kind), None)

    def last(self, *actions: Action) -> LogEntry | None:
        """Return the newest entry of the audit log with one of the actions."""
        return next((entry for entry in reversed(self.log_entries) if entry.action in actions), None)

    @property
    def decided(self) -> LogEntry | None:
        """The newest entry that decided on the registration, a granted withdrawal included."""
        actions = (Action.ALLOW, Action.REFUSE, Action.WITHDRAW, Action.RESTORE)
        withdrawn = (Action.GRANT, Registration.WITHDRAWN)
        return next(
            (
                entry
                for entry in reversed(self.log_entries)
                if entry.action in actions or (entry.action, entry.after) == withdrawn
            ),
            None,
        )

    @cached_property
    def code(self) -> str:
        """The code of the next step."""
        tournament = self.tournament
        # After that day the QC decides without an answer.
        awaits_answer = self.asks_until is not None and self.asks_until >= self.today
        if tournament.registration == Registration.WAITING:
            return "answer" if awaits_answer else "decide"
        if not tournament.is_open:
            return self._closed_code()
        if self.is_requested:
            return "answer" if awaits_answer else "request"
        if self.is_held:
            return "answer" if awaits_answer else "question"
        by_stage = {Stage.REPORTED: "rate", Stage.RATED: "publish", Stage.PUBLISHED: "published"}
        return by_stage.get(Stage(tournament.stage)) or self.report_step

    @cached_property
    def report_step(self) -> str:
        """The step of the report until it is accepted, which no request of the officer stops; empty otherwise."""
        is_planned = self.tournament.is_open and self.tournament.stage == Stage.PLANNED
        return self._planned_code() if is_planned else ""

    @cached_property
    def as_requested(self) -> ProgressFacts:
        """The facts with the days that a waiting request asks for: its deadline goes by these (D-140)."""
        request = self.last(Action.REQUEST) if self.case(CaseKind.REQUEST) else None
        return replace(self, tournament=with_days(self.tournament, request.changes if request else ()))

    @property
    def is_requested(self) -> bool:
        """Whether a request of the officer waits for the QC, and may still be granted (D-80, D-81)."""
        stage = self.tournament.stage
        if self.case(CaseKind.REQUEST) is None or stage == Stage.PUBLISHED:
            return False
        return stage != Stage.PLANNED or self.as_requested._planned_code() != "missed"

    def _closed_code(self) -> str:
        decision = self.last(Action.NOT_RATE)
        if self.tournament.registration != Registration.NOT_RATED or decision is None:
            return "closed"
        # The appeal against an earlier decision says nothing about this one.
        if self.appeal is not None and self.appeal.decision_id == decision.pk:
            return "council" if self.appeal.state == CaseState.WAITING else "closed"
        return "appeal" if appeal_ends(decision) >= self.today else "closed"

    def _planned_code(self) -> str:
        if self.today < self.tournament.end:
            return "play"
        # Even where the officer has uploaded a version: the arbiter waits for an answer.
        if self.handed_at is not None and self.is_in_time:
            return "take"
        is_clean = self.checked is not None and not self.checked.has_errors
        if not self.is_in_time:
            return "accept" if is_clean and self.accept_by and self.today <= self.accept_by else "missed"
        if is_clean:
            return "accept"
        return "upload" if self.checked is None else "correct"

    @property
    def is_in_time(self) -> bool:
        """Whether a report would still be taken: the third list is not published (8.1, D-76) or none is (D-111)."""
        return self.tournament.is_reported_by_staff or not self.lists.is_too_late(self.tournament, self.today)

    @property
    def is_hindered(self) -> bool:
        """Whether a decision blocks the tournament from any list."""
        return self.code in ("closed", "missed", "appeal", "council")

    @cached_property
    def expected_list(self) -> date | None:
        """The list with the tournament, or the next one that will include it (6.1.3, D-18)."""
        if self.code == "published":
            return self.taken_by
        if self.is_hindered:
            return None
        if self.is_held:
            # Not before the QC has released it, in time for that list at best.
            return self.hold_deadline + ONE_DAY
        return self.as_requested.list_for(self.accepted_on) if self.accepted_on else self.open_list[0]

    @cached_property
    def open_list(self) -> tuple[date, date]:
        """The first list that can still take a report that is not accepted, and the last day to accept it for that."""
        return self.lists.open_to(self.as_requested.tournament, today=self.today)

    @property
    def missed_list(self) -> date | None:
        """The list before that one, if the report of a tournament that ended in time for it was not accepted."""
        tournament = self.as_requested.tournament
        missed = (self.open_list[0] - ONE_DAY).replace(day=1)
        is_open = self.report_step and (tournament.upheld_on is None or tournament.upheld_on < missed)
        is_missed = is_open and ends_in_time(tournament.end, missed, is_official=tournament.may_end_late)
        return missed if is_missed else None

    @property
    def hold_deadline(self) -> date:
        """The last day on which a hold on the report is released for the next list, answers awaited (6.1.3)."""
        return self.list_for(max(self.today, self.asks_until or self.today) + ONE_DAY) - ONE_DAY

    @property
    def request_deadline(self) -> date:
        """The last day for the QC to decide on a request: the first day, then that for the next list (D-80).

        Of a last day that changes it is the earlier one that is still to come (D-140).
        """
        asked = self.as_requested
        start, end = asked.tournament.start, asked.tournament.end
        if self.today <= start:
            return start
        if end < self.today:
            return asked.hold_deadline
        if end != self.tournament.end:
            return min(day for day in (end, self.tournament.end) if day >= self.today)
        return asked.list_for(end) - ONE_DAY

    @property
    def is_held(self) -> bool:
        """Whether an accepted report is on hold."""
        tournament = self.tournament
        is_reported = tournament.is_open and tournament.stage in (Stage.REPORTED, Stage.RATED)
        return is_reported and self.case(CaseKind.HOLD) is not None

    def list_for(self, accepted_on: date) -> date:
        """Return the first list that takes the report if it is accepted on a day."""
        return self.lists.expected(self.tournament, accepted_on=accepted_on, today=self.today)


def with_days(tournament: Tournament, changes: Iterable[Mapping[str, Any]]) -> Tournament:
    """Return a tournament as it would be on the days that changes ask for."""
    days = {
        change["field"]: date.fromisoformat(change["after"])
        for change in changes
        if change["field"] in ("start", "end")
    }
    asked = copy(tournament)
    for name, day in days.items():
        setattr(asked, name, day)
    return asked


def late_until(
    tournament: Tournament,
    report: Report | None,
    entries: Iterable[LogEntry],
    lists: Lists[Any],
) -> date | None:
    """Return until when a version is accepted after the third list, None where its officer let the time pass (D-128).

    It came before that list, at whose publication QC, Council or staff had the tournament; `entries` are its steps. A
    request is the officer's own act: after it there are as many days as were left when it was made.
    """
    closed_at = lists.closed_at(tournament)
    if report is None or closed_at is None or report.submitted_at > closed_at:
        return None
    was_barred = is_requested = is_held = False
    days = regulations.DAYS_TO_ACCEPT
    for entry in entries:
        if entry.at > closed_at and not was_barred:
            return None
        # A decision against the tournament ends requests and holds without a step of their own.
        is_going_on = entry.after in POSSIBLE_REGISTRATIONS
        is_requested = is_going_on and (
            entry.action == Action.REQUEST
            or (is_requested and entry.action not in (Action.GRANT, Action.DENY, Action.DROP))
        )
        is_held = is_going_on and (entry.action == Action.HOLD or (is_held and entry.action != Action.CLEAR))
        is_barred = is_requested or is_held or entry.after not in OPEN_REGISTRATIONS
        if entry.at > closed_at and not is_barred:
            # Whoever cancels the own request was kept from nothing.
            if entry.action == Action.DROP:
                return None
            return entry.at.astimezone(UTC).date() + timedelta(days=days)
        if is_barred and not was_barred:
            left = (closed_at - entry.at).days if is_requested else regulations.DAYS_TO_ACCEPT
            days = min(max(left, 1), regulations.DAYS_TO_ACCEPT)
        was_barred = is_barred
    return date.max if was_barred else None


def state_of(tournament: Tournament) -> str:
    """Return the registration until a report is accepted, then how far the report has come."""
    if (tournament.registration, tournament.stage) == (Registration.NOT_RATED, Stage.PUBLISHED):
        return TAKEN_BACK
    if tournament.is_open and tournament.stage != Stage.PLANNED:
        return tournament.stage
    return tournament.registration


# What the desk says in place of the registration where something is there of a report, or cannot come any more.
STATES_AT_DESK = {"take": "handed", "correct": "errors", "accept": "checked", "missed": "missed"}


def shown_state(tournament: Tournament, progress: Progress | None = None) -> str:
    """Return the state as pages name it: what FIDE Council upheld is not approved by the QC (0.4).

    With its `progress`, which the desk alone sees so, it says what is there of a report that is not accepted.
    """
    if progress is not None and progress.step.owner == Owner.ARBITER:
        return "returned"
    if progress is not None and progress.step.code in STATES_AT_DESK:
        return STATES_AT_DESK[progress.step.code]
    state = state_of(tournament)
    return "upheld" if tournament.upheld_on and state == Registration.APPROVED else state


# What the public reads of a tournament that ended and has no accepted report, by its next step.
STATES_AFTER_PLAY = {"take": "checking", "correct": "checking", "accept": "checking", "missed": "missed"}


def public_state(tournament: Tournament, progress: Progress | None, *, today: date) -> str:
    """Return the state as every public page names it; only one that ended without accepted report needs `progress`."""
    state = shown_state(tournament)
    if state == Registration.WAITING:
        return "unapproved"
    if state not in OPEN_REGISTRATIONS or today < tournament.start:
        return state
    if progress is None or today <= tournament.end:
        return "playing"
    after_play = STATES_AFTER_PLAY.get(progress.step.code, "played")
    return "late" if after_play != "missed" and today > progress.days.due_by else after_play


def appeal_ends(decision: LogEntry) -> date:
    """Return the last UTC day of an appeal against a decision, which is communicated by its record (0.4)."""
    return regulations.appeal_ends(decision.at.astimezone(UTC).date())


def compute_progress(facts: ProgressFacts) -> Progress:
    """Return the progress of a tournament by the facts."""
    steps = [_place(step, facts) for step in _way(facts)]
    if facts.code in ("appeal", "council"):
        # What follows a decision not to rate is known after the appeal.
        steps = [step for step in steps if step.state != StepState.NEXT]
    return Progress(
        state=state_of(facts.tournament),
        steps=steps,
        step=_next(steps, facts),
        days=facts.days,
        expected_list=facts.expected_list,
        hold_deadline=facts.hold_deadline,
        report_deadline=facts.open_list[1],
        decide_by=facts.decide_by,
        missed_list=facts.missed_list,
        is_missed_prepared=facts.missed_list == facts.lists.following(facts.tournament.kind, facts.today),
        report_step=facts.report_step,
        version=facts.reports[-1].version if facts.reports else 0,
    )


def _next(steps: Sequence[Step], facts: ProgressFacts) -> Step:
    if facts.code == "published":
        return _publication_step(facts)
    if facts.code == "closed":
        what = {
            Registration.REFUSED: _("The registration was refused. No report is accepted."),
            Registration.NOT_RATED: _("The QC decided not to rate this tournament."),
            TAKEN_BACK: _("The report was withdrawn after publication."),
            Registration.WITHDRAWN: _("The registration was withdrawn."),
        }[state_of(facts.tournament)]
        return Step("closed", what, what, state=StepState.OVER)
    return next(step for step in steps if step.code == facts.code)


def _publication_step(facts: ProgressFacts) -> Step:
    """Return the last step, which is not the end while somebody has to correct something or decide on it."""
    what = _("Tournament published on a list")
    if facts.case(CaseKind.RESULT):
        named, owner = "correction-requested", Owner.STAFF
    elif facts.is_correction_owed:
        named, owner = "correction-owed", facts.reporter
    else:
        return Step("published", what, tasks()["published"], state=StepState.DONE)
    # A correction of a published report goes into the next list (D-11).
    deadline = facts.lists.coming(facts.tournament.kind, facts.today) - ONE_DAY
    public = public_tasks().get(named, "")
    return Step(
        "published",
        what,
        tasks()[named],
        owner,
        state=StepState.NOW,
        deadline=deadline,
        public_task=public,
    )


def _place(step: Step, facts: ProgressFacts) -> Step:
    """Return a step as passed, next or to come, under the name and in the words that it has there."""
    code = facts.code
    if PLACES.get(code, code) == step.code:
        is_missed = code == "missed"
        is_coming = code == "play" and facts.today < facts.tournament.start
        is_returned = code == "upload" and facts.last(Action.SEND_BACK) is not None
        named = "coming" if is_coming else "returned" if is_returned else code
        return replace(
            step,
            code=code,
            task=tasks()[named],
            public_task=public_tasks().get(named, ""),
            owner=None if is_missed else Owner.ARBITER if is_returned else step.owner,
            state=StepState.OVER if is_missed else StepState.NOW,
            at=None,
            deadline=None if is_missed else step.deadline,
        )
    if step.code not in WAY:
        return step
    passed = max(PASSED_BY_STAGE[Stage(facts.tournament.stage)], PASSED_BY_STEP.get(facts.report_step, 0))
    if step.code in WAY[:passed]:
        return replace(step, state=StepState.DONE, deadline=None)
    if facts.is_hindered:
        return replace(
            step, state=StepState.OVER if code == "missed" else StepState.NEXT, at=None, deadline=None
        )
    return replace(step, state=StepState.NEXT, at=None)


def _way(facts: ProgressFacts) -> Iterator[Step]:
    """Yield the steps in their order, with their owners, deadlines and what happened."""
    tournament, days, reporter = facts.tournament, facts.days, facts.reporter
    decision = [_registration(facts)]
    if facts.information is not None:
        # Read before the QC decides on the registration.
        place = 0 if tournament.registration == Registration.WAITING else 1
        decision.insert(place, _answer(facts, facts.information))
    yield from decision
    yield from _request(facts)
    yield Step(
        "play",
        _("Tournament played"),
        "",
        reporter,
        "6.1.3",
        at=tournament.end,
        deadline=tournament.end,
    )
    uploaded = facts.reports[-1].submitted_at if facts.reports else None
    # A version without errors is there: it, or another one, is accepted by then.
    last_day = min(days.last_day, facts.accept_by or days.last_day)
    yield Step("upload", _("Report uploaded"), "", reporter, "8.1", at=uploaded, deadline=last_day)
    what = _("Report accepted without errors")
    yield Step("accept", what, "", reporter, "8.1", at=facts.accepted_on, deadline=facts.accept_by)
    yield from _against(facts)
    yield Step("rate", _("Tournament rated"), "", Owner.PORTAL, "7.1.2")
    published = facts.last(Action.PUBLISH) if tournament.stage == Stage.PUBLISHED else None
    yield Step(
        "publish",
        _("Tournament published on a list"),
        "",
        Owner.PORTAL,
        "6.1.3",
        at=published.at if published else None,
        deadline=_publish_by(facts),
    )


def _publish_by(facts: ProgressFacts) -> date | None:
    """Return the last list that takes the tournament: the expected one once its report is accepted."""
    if facts.accepted_on or facts.tournament.stage != Stage.PLANNED or facts.expected_list is None:
        return facts.expected_list
    return max(facts.expected_list, facts.list_for(max(facts.today, facts.days.last_day)))


def _registration(facts: ProgressFacts) -> Step:
    tournament = facts.tournament
    what, state = {
        Registration.REFUSED: (_("Registration refused"), StepState.OVER),
        Registration.WITHDRAWN: (_("Registration withdrawn"), StepState.OVER),
        Registration.WAITING: (_("The QC decides on the registration"), StepState.NEXT),
    }.get(Registration(tournament.registration), (_("Tournament registered"), StepState.DONE))
    decided = facts.decided
    is_waiting = tournament.registration == Registration.WAITING
    is_by_qc = is_waiting or (decided is not None and decided.action != Action.WITHDRAW)
    return Step(
        "decide",
        what,
        owner=Owner.QC if is_by_qc else facts.reporter,
        article="0.2",
        state=state,
        at=decided.at if decided else (tournament.registered_on if state == StepState.DONE else None),
        deadline=tournament.start if is_waiting else None,
        why=decided.why if decided else "",
        is_why_public=decided is not None and decided.is_public,
    )


def _answer(facts: ProgressFacts, information: InformationRequest) -> Step:
    return Step(
        "answer",
        _("Reply to the QC"),
        tasks()["answer"],
        facts.reporter,
        "0.2",
        state=StepState.NOW if information.is_open else StepState.DONE,
        at=information.decided_at,
        deadline=information.due_on,
        why=information.reason,
        public_task=public_tasks()["answer"],
    )


def _request(facts: ProgressFacts) -> Iterator[Step]:
    """Yield the request on which the QC has to decide (D-80, D-81)."""
    if not facts.is_requested or not facts.tournament.is_open:
        return
    request = facts.last(Action.REQUEST)
    is_change = request is not None and bool(request.changes)
    yield Step(
        "request",
        _("Change of the registration requested") if is_change else _("Withdrawal requested"),
        owner=Owner.QC,
        article="0.2",
        deadline=facts.request_deadline,
        why=request.why if request else "",
    )


def _against(facts: ProgressFacts) -> Iterator[Step]:
    """Yield the steps that block a report: a hold, a decision not to rate, an appeal against it (0.4)."""
    if facts.is_held:
        hold = facts.last(Action.HOLD)
        yield Step(
            "question",
            _("The QC reviews the report"),
            owner=Owner.QC,
            article="0.4",
            deadline=facts.hold_deadline,
            why=hold.why if hold else "",
            is_why_public=hold is not None and hold.is_public,
        )
    decision = facts.last(Action.NOT_RATE)
    if decision is None:
        return
    is_taken_back = (decision.action, decision.before) == TAKING_BACK
    yield Step(
        "not-rate",
        _("Published report withdrawn") if is_taken_back else _("Decision not to rate the tournament"),
        owner=Owner.STAFF if is_taken_back else Owner.QC,
        article="0.4",
        # After an upheld appeal, or restored: it stands no more.
        state=StepState.DONE if facts.tournament.is_open else StepState.OVER,
        at=decision.at,
        why=decision.reason,
        is_why_public=decision.is_public,
    )
    if facts.appeal is not None and facts.appeal.decision_id == decision.pk:
        yield _appeal(facts.appeal)
    elif facts.tournament.registration == Registration.NOT_RATED:
        until = appeal_ends(decision)
        if facts.today > until:
            what = _("Tournament not rated: no appeal submitted")
            yield Step("appeal", what, article="0.4", state=StepState.OVER)
        else:
            what = _("Appeal to FIDE Council")
            yield Step("appeal", what, "", Owner.ORGANISER, "0.4", deadline=until)


def _appeal(appeal: Appeal) -> Step:
    what, state = {
        CaseState.WAITING: (_("FIDE Council decides on the appeal"), StepState.NOW),
        CaseState.APPROVED: (_("FIDE Council upheld the appeal"), StepState.DONE),
        CaseState.REFUSED: (_("FIDE Council dismissed the appeal"), StepState.OVER),
    }[CaseState(appeal.state)]
    return Step(
        "council",
        what,
        owner=Owner.COUNCIL,
        article="0.4",
        state=state,
        at=appeal.decided_at,
        why=appeal.answer,
        is_why_public=True,
    )
