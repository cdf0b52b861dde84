"""The cast of tournaments: one for each way in which a tournament can stand on 4 March 2026, and its next step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from players.choices import CaseState
from players.models import LogEntry
from tests import make
from tournaments.choices import Action, RequestSort
from tournaments.handover import send_back
from tournaments.holds import place_hold
from tournaments.models import HandedReport, InformationRequest, Report, Tournament
from tournaments.requested_changes import ask_the_qc
from tournaments.steps import Owner

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
TODAY = NOW.date()
FIRST_LIST, NEWEST_LIST = date(2026, 2, 1), date(2026, 3, 1)
APRIL, MAY, JUNE = date(2026, 4, 1), date(2026, 5, 1), date(2026, 6, 1)
ENDED = {"start": date(2026, 2, 28), "end": date(2026, 3, 1)}
LONG_AGO = {"start": date(2025, 10, 4), "end": date(2025, 10, 5)}
COMING = {"start": date(2026, 3, 20), "end": date(2026, 3, 21)}
RUNNING = {"start": date(2026, 3, 3), "end": date(2026, 3, 5)}
LATE = {"start": date(2026, 1, 24), "end": date(2026, 1, 25)}
SOON = {"start": date(2026, 3, 6), "end": date(2026, 3, 8), "registration": "waiting"}


@dataclass(frozen=True, slots=True)
class Part:
    """A tournament of the cast, and what every door is to say of it."""

    name: str
    make: Callable[[str], Tournament]
    code: str
    owner: Owner | None
    deadline: date | None
    expected: date | None


def registered(**facts: Any) -> Callable[[str], Tournament]:
    """Return a function from an event ID to a tournament of Switzerland with these facts."""

    def built(event_id: str) -> Tournament:
        swiss = make.federation(code="SUI", name="Switzerland")
        made = make.tournament(event_id=event_id, name=f"Rapid {event_id}", federation=swiss, **facts)
        make.step(made, "register", made.registration, at=NOW)
        return made

    return built


def handed_over(event_id: str) -> Tournament:
    made = registered(**ENDED)(event_id)
    make.hand_report(made, at=NOW)
    return made


def returned(event_id: str) -> Tournament:
    made = handed_over(event_id)
    officer = make.person("officer", made.federation)
    send_back(HandedReport.objects.get(tournament=made), reason="Round 1 is missing.", by=officer, at=NOW)
    return made


def checked(severity: str, **facts: Any) -> Callable[[str], Tournament]:
    def built(event_id: str) -> Tournament:
        made = registered(**facts)(event_id)
        findings = [{"code": "x", "severity": severity, "message": "x", "line": 1, "fix": None}]
        for version, found in ((1, [{**findings[0], "severity": "error"}]), (2, findings)):
            make.report(
                made, at=NOW, version=version, findings=found, has_errors=found[0]["severity"] == "error"
            )
        return made

    return built


def asked(build: Callable[[str], Tournament], due_on: date) -> Callable[[str], Tournament]:
    def make_asked(event_id: str) -> Tournament:
        made = build(event_id)
        InformationRequest.objects.create(tournament=made, reason="Which hall?", due_on=due_on, asked_at=NOW)
        return made

    return make_asked


def reported(**facts: Any) -> Callable[[str], Tournament]:
    def built(event_id: str) -> Tournament:
        made = registered(**(ENDED | facts))(event_id)
        make.play(made, [], [])
        Tournament.objects.filter(pk=made.pk).update(stage="reported")
        made.refresh_from_db()
        return made

    return built


def rated(event_id: str) -> Tournament:
    made = registered(**ENDED)(event_id)
    make.play_and_rate(made, _players(), make.round_robin(3))
    return made


def published(kind: str) -> Callable[[str], Tournament]:
    """Return a function to a tournament on the newest list of a kind, which is published for it."""

    def built(event_id: str) -> Tournament:
        make.rating_list(kind=kind, date=FIRST_LIST)
        made = registered(kind=kind, start=date(2026, 1, 10), end=date(2026, 1, 11))(event_id)
        make.play_and_rate(made, _players(), make.round_robin(3))
        Report.objects.filter(tournament=made).update(accepted_on=date(2026, 2, 3))
        make.publish(kind, NEWEST_LIST)
        made.refresh_from_db()
        return made

    return built


def held(event_id: str) -> Tournament:
    made = reported()(event_id)
    place_hold(made, reason="Four minutes a game?", by=make.user(), at=NOW)
    made.refresh_from_db()
    return made


def requesting(build: Callable[[str], Tournament], sort: str) -> Callable[[str], Tournament]:
    """Return a function to a tournament whose officer asks the QC for a change or a withdrawal."""

    def make_requesting(event_id: str) -> Tournament:
        made = build(event_id)
        changes = [{"field": "is_match", "before": False, "after": True}] if sort == "change" else []
        ask_the_qc(made, RequestSort(sort), changes, reason="A slip.", by=None, at=NOW)
        return made

    return make_requesting


def not_rated(day: date, state: str = "") -> Callable[[str], Tournament]:
    """Return a function to a tournament that was decided not to be rated on a day, with an appeal of a state."""

    def built(event_id: str) -> Tournament:
        made = registered(**ENDED, registration="not-rated", stage="rated")(event_id)
        at = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        decision = make.step(made, Action.NOT_RATE, "not-rated", reason="Two minutes.", at=at)
        if state:
            appeal(made, decision, state)
        return made

    return built


def appeal(made: Tournament, decision: LogEntry, state: str) -> None:
    is_decided = state != CaseState.WAITING
    make.appeal(
        decision,
        at=NOW,
        reason="It was 15+10.",
        state=state,
        decided_at=NOW if is_decided else None,
        decided_by=make.user() if is_decided else None,
        answer="The clocks." if is_decided else "",
    )


def upheld(event_id: str) -> Tournament:
    made = registered(**LONG_AGO, registration="approved", upheld_on=date(2026, 3, 1))(event_id)
    decision = make.step(made, Action.NOT_RATE, "not-rated", at=datetime(2026, 2, 20, tzinfo=UTC))
    appeal(made, decision, "approved")
    return made


def _players() -> list[Any]:
    swiss = make.federation(code="SUI", name="Switzerland")
    players = [make.player(federation=swiss) for _ in range(3)]
    for player in players:
        make.entry(player=player)
    return players


MARCH_END = date(2026, 3, 31)
COUNCILS = {"decided_by": "council", "decision_reference": "Minutes 4"}
CAST = [
    Part("coming", registered(**COMING), "play", Owner.OFFICER, date(2026, 3, 21), APRIL),
    Part("running", registered(**RUNNING), "play", Owner.OFFICER, date(2026, 3, 5), APRIL),
    Part("not reported yet", registered(**LATE), "upload", Owner.OFFICER, APRIL, APRIL),
    Part("waiting", registered(**SOON), "decide", Owner.QC, date(2026, 3, 6), APRIL),
    Part("hybrid", registered(**SOON, is_hybrid=True), "decide", Owner.QC, date(2026, 3, 6), APRIL),
    Part(
        "waiting asked",
        asked(registered(**SOON), date(2026, 3, 5)),
        "answer",
        Owner.OFFICER,
        date(2026, 3, 5),
        APRIL,
    ),
    Part(
        "waiting, no answer",
        asked(registered(**SOON), date(2026, 3, 3)),
        "decide",
        Owner.QC,
        date(2026, 3, 6),
        APRIL,
    ),
    Part("refused", registered(**ENDED, registration="refused"), "closed", None, None, None),
    Part("withdrawn", registered(**COMING, registration="withdrawn"), "closed", None, None, None),
    Part("over", registered(**ENDED), "upload", Owner.OFFICER, JUNE, APRIL),
    Part("over asked", asked(registered(**ENDED), date(2026, 3, 9)), "upload", Owner.OFFICER, JUNE, APRIL),
    Part("sent to the rating officer", handed_over, "take", Owner.OFFICER, JUNE, APRIL),
    Part("returned to the arbiter", returned, "upload", Owner.ARBITER, JUNE, APRIL),
    Part("with errors", checked("error", **ENDED), "correct", Owner.OFFICER, JUNE, APRIL),
    Part("without errors", checked("warning", **ENDED), "accept", Owner.OFFICER, date(2026, 3, 18), APRIL),
    Part("late", checked("warning", **LONG_AGO), "missed", None, None, None),
    Part("late with errors", checked("error", **LONG_AGO), "missed", None, None, None),
    Part("missed", registered(**LONG_AGO), "missed", None, None, None),
    Part("official", registered(**ENDED, is_official=True), "upload", Owner.STAFF, JUNE, APRIL),
    Part("council's", registered(**ENDED, **COUNCILS), "upload", Owner.STAFF, JUNE, APRIL),
    Part("reported", reported(), "rate", Owner.PORTAL, None, APRIL),
    Part("rated", rated, "publish", Owner.PORTAL, APRIL, APRIL),
    Part("held", held, "question", Owner.QC, date(2026, 3, 31), APRIL),
    Part("held asked", asked(held, date(2026, 3, 9)), "answer", Owner.OFFICER, date(2026, 3, 9), APRIL),
    Part("held asked long", asked(held, date(2026, 4, 9)), "answer", Owner.OFFICER, date(2026, 4, 9), MAY),
    Part("not rated", not_rated(TODAY), "appeal", Owner.ORGANISER, date(2026, 3, 11), None),
    Part("not rated before", not_rated(date(2026, 2, 20)), "closed", None, None, None),
    Part("appealed", not_rated(date(2026, 2, 20), "waiting"), "council", Owner.COUNCIL, None, None),
    Part("dismissed", not_rated(TODAY, "refused"), "closed", None, None, None),
    Part("upheld", upheld, "upload", Owner.OFFICER, JUNE, APRIL),
    Part(
        "waiver asked",
        requesting(registered(**COMING), "change"),
        "request",
        Owner.QC,
        date(2026, 3, 20),
        APRIL,
    ),
    Part("change asked", requesting(registered(**ENDED), "change"), "request", Owner.QC, MARCH_END, APRIL),
    Part(
        "change asked of",
        asked(requesting(registered(**ENDED), "change"), date(2026, 3, 9)),
        "answer",
        Owner.OFFICER,
        date(2026, 3, 9),
        APRIL,
    ),
    Part("change asked, missed", requesting(registered(**LONG_AGO), "change"), "missed", None, None, None),
    Part("withdrawal asked", requesting(rated, "withdrawal"), "request", Owner.QC, MARCH_END, APRIL),
    Part("withdrawal asked, held", requesting(held, "withdrawal"), "request", Owner.QC, MARCH_END, APRIL),
    Part(
        "withdrawal asked, waiting",
        requesting(registered(**SOON), "withdrawal"),
        "decide",
        Owner.QC,
        date(2026, 3, 6),
        APRIL,
    ),
    Part(
        "withdrawal asked, published",
        requesting(published("blitz"), "withdrawal"),
        "published",
        None,
        None,
        NEWEST_LIST,
    ),
    Part("published", published("rapid"), "published", None, None, NEWEST_LIST),
]
