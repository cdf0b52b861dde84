"""Why a tournament is not on the list: every step to it, passed or not, with its owner, its day and its article."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from tournaments import regulations
from tournaments.choices import Action, AppealState, Registration, ReportState, Stage
from tournaments.models import Appeal, InformationRequest, Report, Tournament, TrailEntry
from tournaments.queries.appeals import newest_appeal
from tournaments.queries.report_versions import versions_of
from tournaments.queries.steps import OFFICER, PORTAL, QC, STAFF, NextStep, expected_list, next_step

COUNCIL = _l("FIDE Council")
ORGANISER = _l("the organiser")
# The steps of `next_step` in the order of the way to the list, and to which of ours they belong.
PLACES = {
    "decide": "register",
    "play": "play",
    "answer": "answer",
    "take": "upload",
    "upload": "upload",
    "missed": "upload",
    "correct": "accept",
    "accept": "accept",
    "question": "clear",
    "rate": "rate",
    "publish": "publish",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A step on the way to the list: `state` is `done`, `now`, `next` or `over`; `by` its last day."""

    code: str
    what: str
    article: str
    owner: str | Promise
    state: str = "next"
    at: datetime | date | None = None
    by: date | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """All steps of a tournament, and the one that is next in the words of the desk."""

    steps: Sequence[Step]
    step: NextStep

    @property
    def outstanding(self) -> int:
        return sum(step.state in ("now", "next") for step in self.steps)


def progress_of(tournament: Tournament, *, today: date, is_public: bool = False) -> Progress:
    """Return the way of a tournament to the list; the public one leaves out reasons that are not public."""
    reports = versions_of(tournament)
    trail = list(tournament.trail.all())
    asked = tournament.information_requests.order_by("asked_at").last()
    step = next_step(tournament, reports, today=today)
    appeal = newest_appeal(tournament)
    steps = [*_way(tournament, trail, reports, asked, appeal, today)]
    steps = [_with_state(item, steps, step, tournament) for item in steps]
    if is_public:
        public = {entry.reason for entry in trail if entry.is_public}
        steps = [replace(item, why=item.why if item.why in public else "") for item in steps]
    return Progress(steps, step)


def _way(
    tournament: Tournament,
    trail: Sequence[TrailEntry],
    reports: Sequence[Report],
    asked: InformationRequest | None,
    appeal: Appeal | None,
    today: date,
) -> Iterator[Step]:
    owner = STAFF if tournament.is_official or tournament.decided_by else OFFICER
    last_day = regulations.last_day_to_report(tournament.end, tournament.upheld_on)
    yield _registration(tournament, trail)
    if asked is not None:
        state = "now" if asked.answered_at is None else "done"
        at = asked.answered_at
        yield Step(
            "answer", _("What the QC asked is answered"), "0.2", owner, state, at, asked.due_on, asked.text
        )
    yield Step("play", _("The tournament is played"), "6.1.3", owner, at=tournament.end, by=tournament.end)
    uploaded = reports[-1].submitted_at if reports else None
    accepted = next((report for report in reports if report.state == ReportState.ACCEPTED), None)
    yield Step("upload", _("The report is uploaded"), "8.1", owner, at=uploaded, by=last_day)
    when = accepted.accepted_on if accepted else None
    yield Step("accept", _("The report is accepted without errors"), "8.1", owner, at=when, by=last_day)
    yield from _against(tournament, trail, appeal)
    yield Step("rate", _("It is rated"), "7.1.2", PORTAL)
    list_date = expected_list(tournament, max(today, tournament.end))
    yield Step("publish", _("It is on a published list"), "6.1.3", PORTAL, by=list_date)


def _registration(tournament: Tournament, trail: Sequence[TrailEntry]) -> Step:
    decided = _last(trail, Action.ALLOW, Action.REFUSE, Action.WITHDRAW)
    states = {Registration.REFUSED: "over", Registration.WITHDRAWN: "over", Registration.WAITING: "now"}
    state = states.get(Registration(tournament.registration), "done")
    at = decided.at if decided else (tournament.registered_on if state == "done" else None)
    why = decided.reason if decided else ""
    what = {
        Registration.REFUSED: _("The registration was refused"),
        Registration.WITHDRAWN: _("The registration was withdrawn"),
        Registration.WAITING: _("The QC decides on the registration"),
    }.get(Registration(tournament.registration), _("The registration stands"))
    owner = QC if state == "now" or (decided and decided.action != Action.WITHDRAW) else OFFICER
    return Step("register", what, "0.2", owner, state, at, tournament.start if state == "now" else None, why)


def _against(tournament: Tournament, trail: Sequence[TrailEntry], appeal: Appeal | None) -> Iterator[Step]:
    """Yield what holds a report: a question, a decision not to rate, an appeal against that (0.4)."""
    if tournament.is_held:
        asked = _last(trail, Action.QUESTION)
        why = asked.reason if asked else ""
        yield Step("clear", _("The QC looks at the report"), "0.4", QC, "now", why=why)
    decision = _last(trail, Action.NOT_RATE)
    if decision is None:
        return
    yield Step(
        "not-rate", _("It was decided not to rate it"), "0.4", QC, "over", decision.at, why=decision.reason
    )
    ends = regulations.appeal_ends(decision.at.date())
    if appeal is None or appeal.decision_id != decision.pk:
        is_open = tournament.registration == Registration.NOT_RATED
        if is_open:
            yield Step("appeal", _("An appeal to FIDE Council"), "0.4", ORGANISER, "next", by=ends)
        return
    what, state = {
        AppealState.OPEN: (_("FIDE Council decides on the appeal"), "now"),
        AppealState.UPHELD: (_("FIDE Council upheld the appeal"), "done"),
        AppealState.DISMISSED: (_("FIDE Council dismissed the appeal"), "over"),
    }[AppealState(appeal.state)]
    yield Step("council", what, "0.4", COUNCIL, state, appeal.decided_at, why=appeal.outcome_reason)


def _last(trail: Sequence[TrailEntry], *actions: Action) -> TrailEntry | None:
    return next((entry for entry in reversed(trail) if entry.action in actions), None)


def _with_state(item: Step, steps: Sequence[Step], step: NextStep, tournament: Tournament) -> Step:
    """Return a step of the usual way as passed, next or to come, by where the tournament stands."""
    if item.code not in ("play", "upload", "accept", "rate", "publish"):
        return item
    place = PLACES.get(step.code, "")
    codes = [one.code for one in steps]
    passed = _passed(tournament, step)
    if item.code in passed:
        return replace(item, state="done", by=None)
    if item.code == place:
        return replace(item, state="over" if step.code == "missed" else "now", at=None)
    if step.code in ("closed", "missed") and codes.index(item.code) >= 0:
        return replace(item, state="over" if step.code == "missed" else "next", at=None, by=None)
    return replace(item, state="next", at=None)


def _passed(tournament: Tournament, step: NextStep) -> frozenset[str]:
    order = ["play", "upload", "accept", "rate", "publish"]
    reached = {Stage.REPORTED: 3, Stage.RATED: 4, Stage.PUBLISHED: 5}.get(Stage(tournament.stage), 0)
    at_report = {"upload": 1, "missed": 1, "correct": 2, "accept": 2}.get(step.code, 0)
    return frozenset(order[: max(reached, at_report)])
