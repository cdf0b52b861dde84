"""Each kind of case about tournaments is asked for, decided and cancelled by one protocol."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from datetime import date
from typing import Any, NamedTuple

import pytest
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from core.acts import Act
from players.cases import cancel, decide
from players.choices import Area, CaseKind, CaseState, Deed
from players.models import Case, LogEntry, Player
from portal.models import User
from ratings.amend.amend import amend
from tests import make
from tests.codes import codes_of
from tests.conftest import NOW
from tests.log import acts
from tests.shared import SharedRows
from tests.trf_files import PLAYERS, ROUNDS, Event
from tournaments import qc
from tournaments.amendments import Result
from tournaments.appeals import AppealRequest, lodge_appeal
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Action, RequestSort, Stage
from tournaments.handover import hand_over, keep_checked
from tournaments.holds import place_hold
from tournaments.information_requests import ask_for_information
from tournaments.models import Handover, NamedArbiter, Participant, Report, ResultCorrection, Tournament
from tournaments.objections import submit_objection
from tournaments.reports import Upload, upload_report
from tournaments.requested_changes import ask_the_qc

pytestmark = pytest.mark.django_db


class People(NamedTuple):
    """Who asks, and who may neither decide nor cancel."""

    officer: Any
    arbiter: Any
    other: Any
    tournament: Tournament


class Kind(NamedTuple):
    """How a kind is asked for, the role that decides, and the log of asking, granting and refusing.

    Whether granting needs a reason, too, whether it can be refused, whether it is cancelled by who asked, with which
    action, and how what is one's own is refused, if it is. Whether its steps are the tournament's, of which the author
    has to have seen the last.
    """

    ask: Callable[[People], Case]
    role: str
    actions: tuple[Action, Action, Action] | tuple[Deed, Deed, Deed]
    needs_reason: bool = False
    is_refused: bool = True
    is_cancelled: bool = True
    cancelling: Action | Deed | None = None
    own: str = "own-matter-D-131"
    are_steps: bool = True


@pytest.fixture(scope="module")
def concerned(rows_of_module: SharedRows) -> People:
    with rows_of_module():
        swiss = make.federation(code="SUI")
        for fide_id, name in PLAYERS:
            make.player(fide_id=fide_id, name=name, federation=swiss)
        tournament = make.tournament(federation=swiss, start=date(2026, 2, 28), end=date(2026, 3, 1))
        arbiter = make.person("arbiter", swiss)
        NamedArbiter.objects.create(tournament=tournament, user=arbiter, named_at=NOW)
        others = {"officer": make.person("officer", swiss), "other": make.person("officer", "GER")}
        return People(arbiter=arbiter, tournament=tournament, **others)


@pytest.fixture
def people(concerned: People, db: None) -> People:
    return deepcopy(concerned)


def appeal(it: People) -> Case:
    make.play(it.tournament, [], [])
    qc.decide(it.tournament, Action.NOT_RATE, reason="Two minutes.", by=None, at=NOW)
    request = AppealRequest("facts", "It was 15+10.", "Club")
    return lodge_appeal(it.tournament, request, by=it.officer, at=NOW)


def content() -> bytes:
    days: Any = {"start": "2026/02/28", "end": "2026/03/01", "round_dates": ["26/02/28"] * 3}
    return Event(PLAYERS, ROUNDS, **days).content()


def result_correction(it: People) -> Case:
    values: dict[str, Any] = {"file_name": "a.trf", "by": None, "on": NOW.date(), "at": NOW}
    upload_report(it.tournament, content(), **values)
    [made] = amend(it.tournament, [Result(1, 1, result="0-1")], Act(it.arbiter, NOW, "Slip.")).records
    return made


def objection(it: People) -> Case:
    player = Player.objects.get(pk=PLAYERS[0][0])
    report = make.play(it.tournament, [player], [(1, 1, None, "bye")])
    Report.objects.filter(pk=report.pk).update(accepted_on=NOW.date())
    user = make.claim(player=player).asked_by
    own = Participant.objects.get(player=player)
    return submit_objection(own, statement="I played.", round_number=1, by=user, at=NOW)


def request(it: People) -> Case:
    return ask_the_qc(it.tournament, RequestSort.WITHDRAWAL, reason="No hall.", by=it.officer, at=NOW)


def information(it: People) -> Case:
    qc = make.person("qc")
    on = NOW.date()
    return ask_for_information(it.tournament, "Which hall?", due_on=on, by=qc, on=on, at=NOW)


def hold(it: People) -> Case:
    make.play(it.tournament, [], [])
    it.tournament.refresh_from_db()
    qc = make.person("qc")
    return place_hold(it.tournament, reason="Four minutes?", by=qc, at=NOW)


def handed(it: People) -> Case:
    upload = Upload(content(), "a.trf", it.arbiter, NOW.date(), NOW)
    checked = keep_checked(it.tournament, upload)
    hand_over(checked, remark="The clock failed.", by=it.arbiter, at=NOW)
    return Handover.objects.get()


KINDS: dict[str, Kind] = {
    CaseKind.REQUEST: Kind(
        request, "qc", (Action.REQUEST, Action.GRANT, Action.DENY), needs_reason=True, cancelling=Action.DROP
    ),
    CaseKind.APPEAL: Kind(
        appeal,
        "council",
        (Action.APPEAL, Action.UPHOLD, Action.DISMISS),
        needs_reason=True,
        is_cancelled=False,
    ),
    CaseKind.RESULT: Kind(
        result_correction,
        "officer",
        (Action.ASK_CORRECTION, Action.REPORT, Action.DENY_CORRECTION),
        needs_reason=True,
        own="",
    ),
    CaseKind.OBJECTION: Kind(
        objection,
        "officer",
        (Deed.OBJECT, Deed.ANSWER, Deed.ANSWER),
        needs_reason=True,
        cancelling=Deed.TAKE_BACK,
        own="own-objection",
        are_steps=False,
    ),
    CaseKind.HANDED: Kind(
        handed,
        "officer",
        (Action.HAND_OVER, Action.TAKE, Action.SEND_BACK),
        is_cancelled=False,
        own="",
    ),
    CaseKind.INFORMATION: Kind(
        information,
        "officer",
        (Action.ASK, Action.ANSWER, Action.ASK),
        needs_reason=True,
        is_refused=False,
        is_cancelled=False,
        own="",
    ),
    CaseKind.HOLD: Kind(
        hold,
        "qc",
        (Action.HOLD, Action.CLEAR, Action.HOLD),
        needs_reason=True,
        is_refused=False,
        is_cancelled=False,
        own="",
    ),
}
of_every_kind = pytest.mark.parametrize("kind", KINDS)


def decider(kind: str) -> Any:
    federation = Tournament.objects.get().federation if KINDS[kind].role == "officer" else None
    return make.person(KINDS[kind].role, federation)


def log_of(people: People, kind: str) -> QuerySet[LogEntry]:
    entries: QuerySet[LogEntry] = people.tournament.log_entries.order_by("pk")
    return entries if KINDS[kind].are_steps else acts(area=Area.PLAYER)


@of_every_kind
def test_a_case_is_asked_for_once_and_logged(people: People, kind: str) -> None:
    made = KINDS[kind].ask(people)

    stored = Case.objects.get(kind=kind)
    assert (stored.kind, stored.state, stored.tournament_id) == (kind, "waiting", people.tournament.pk)
    assert (stored.asked_by, stored.asked_at) == (made.asked_by, NOW)
    assert log_of(people, kind).latest("pk").action == KINDS[kind].actions[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        Case.objects.bulk_create([Case(kind=kind, key=made.key, asked_by=people.officer, asked_at=NOW)])


@of_every_kind
def test_the_second_who_decides_changes_nothing(people: People, kind: str) -> None:
    made, by = KINDS[kind].ask(people), decider(kind)

    done = [decide(made, CaseState.APPROVED, answer="Seen.", by=by, at=NOW) for _ in range(2)]
    state = CaseState.REFUSED if KINDS[kind].is_refused else CaseState.APPROVED
    refused = decide(made, state, answer="No.", by=by, at=NOW)

    stored = Case.objects.get(kind=kind)
    assert (done, refused) == ([True, False], False)
    assert (stored.state, stored.decided_by, stored.decided_at) == ("approved", by, NOW)
    assert log_of(people, kind).filter(action=KINDS[kind].actions[1]).count() == 1


@of_every_kind
def test_a_refusal_needs_a_reason(people: People, kind: str) -> None:
    made, by = KINDS[kind].ask(people), decider(kind)

    if KINDS[kind].needs_reason:
        assert codes_of(lambda: decide(made, CaseState.APPROVED, by=by, at=NOW)) == ["reason-missing"]
    if not KINDS[kind].is_refused:
        assert codes_of(lambda: decide(made, CaseState.REFUSED, answer="No.", by=by, at=NOW)) == [
            "no-such-decision"
        ]
        return
    assert codes_of(lambda: decide(made, CaseState.REFUSED, by=by, at=NOW)) == ["reason-missing"]
    assert decide(made, CaseState.REFUSED, answer=" Not seen. ", by=by, at=NOW)

    stored, step = Case.objects.get(kind=kind), log_of(people, kind).latest("pk")
    assert (stored.state, stored.answer, stored.key) == ("refused", "Not seen.", "")
    assert (step.action, step.reason) == (KINDS[kind].actions[2], "Not seen.")


@of_every_kind
def test_only_who_may_decides_and_cancels(people: People, kind: str) -> None:
    made = KINDS[kind].ask(people)

    for state in (CaseState.APPROVED, CaseState.REFUSED):
        assert codes_of(lambda state=state: decide(made, state, answer="Yes.", by=people.other, at=NOW)) == [
            "not-yours"
        ]
    assert codes_of(lambda: cancel(made, by=people.other, at=NOW)) in (["not-yours"], ["no-cancelling"])
    assert Case.objects.get(kind=kind).state == "waiting"


@pytest.mark.parametrize("kind", [kind for kind, found in KINDS.items() if found.are_steps])
def test_who_has_not_seen_the_last_step_decides_nothing(people: People, kind: str) -> None:
    before = seen_of(people.tournament)
    made, by = KINDS[kind].ask(people), decider(kind)

    def deciding(seen: str) -> bool:
        state = CaseState.REFUSED if KINDS[kind].is_refused else CaseState.APPROVED
        return decide(made, state, answer="No.", by=by, at=NOW, seen=seen)

    assert codes_of(lambda: deciding(before)) == ["changed-meanwhile"]
    assert deciding(seen_of(people.tournament))


def test_d_104_an_officer_who_waited_for_a_list_does_not_decide_what_is_of_staff_since(
    people: People,
) -> None:
    made = result_correction(people)
    seen = ResultCorrection.objects.select_related("tournament").get(pk=made.pk)
    Tournament.objects.filter(pk=people.tournament.pk).update(stage=Stage.PUBLISHED)

    both = User.objects.get(pk=make.person("staff").pk)
    make.appointment(role="officer", user=both, federation=people.tournament.federation)
    make.person("staff")

    found = [
        codes_of(lambda by=by: decide(seen, CaseState.REFUSED, answer="No.", by=by, at=NOW))
        for by in (people.officer, both)
    ]

    assert found == [["not-yours"], ["own-matter-D-131"]]
    assert Case.objects.get(pk=made.number).state == "waiting"


@of_every_kind
def test_who_asked_cancels_where_the_kind_is_cancelled(people: People, kind: str) -> None:
    made = KINDS[kind].ask(people)
    action = KINDS[kind].cancelling or KINDS[kind].actions[0]
    if not KINDS[kind].is_cancelled:
        assert codes_of(lambda: cancel(made, by=made.asked_by, at=NOW)) == ["no-cancelling"]
        return

    done = [cancel(made, by=made.asked_by, at=NOW) for _ in range(2)]

    assert (done, Case.objects.get(kind=kind).state) == ([True, False], "withdrawn")
    assert log_of(people, kind).latest("pk").action == action
    Case.objects.bulk_create([Case(kind=kind, key=made.key, asked_by=people.officer, asked_at=NOW)])


@of_every_kind
def test_d_131_nobody_decides_what_they_asked_for(people: People, kind: str) -> None:
    made = KINDS[kind].ask(people)
    assert made.asked_by is not None
    federation = people.tournament.federation if KINDS[kind].role == "officer" else None
    if not made.asked_by.appointments.filter(role=KINDS[kind].role).exists():
        make.appointment(role=KINDS[kind].role, user=made.asked_by, federation=federation)
    decider(kind)
    # The roles of a user are read once a request.
    both = User.objects.get(pk=made.asked_by.pk)

    if KINDS[kind].own:
        found = codes_of(lambda: decide(made, CaseState.APPROVED, answer="Seen.", by=both, at=NOW))
        assert found == [KINDS[kind].own]
    else:
        assert decide(made, CaseState.APPROVED, answer="Seen.", by=both, at=NOW)
