"""Each kind of case is asked for, decided and cancelled by one protocol."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from players.cases import RULES, cancel, decide
from players.choices import CaseKind, CaseState, Deed, Role
from players.claims import ask_claim
from players.data_changes import ask_change
from players.likeness import DuplicateMatch
from players.merging import propose_merge
from players.models import Application, Case, ChangeRequest, Federation
from players.registration import NewPlayer, create_id_application
from players.transfers import ask_transfer
from portal.models import User
from tests import make
from tests.codes import codes_of
from tests.conftest import NOW
from tests.log import acts

pytestmark = [pytest.mark.django_db, pytest.mark.page]
BORN = date(2010, 5, 6)
# What the log says of a case that is asked for, granted and cancelled.
DEEDS = {
    CaseKind.APPLICATION: (Deed.APPLY, Deed.ID_GIVEN, Deed.UNAPPLY),
    CaseKind.TRANSFER: (Deed.MOVE, Deed.AGREE, Deed.UNMOVE),
    CaseKind.CHANGE: (Deed.ASK_CHANGE, Deed.CHANGED, Deed.UNASK),
    CaseKind.MERGE: (Deed.PROPOSE, Deed.MERGE, Deed.DROP),
    CaseKind.CLAIM: (Deed.CLAIM, Deed.GRANT, Deed.END),
}


class People(NamedTuple):
    """Who asks, who decides, and who may neither decide nor cancel."""

    officer: Any
    staff: Any
    other: Any
    swiss: Federation
    austrian: Federation


@pytest.fixture
def people() -> People:
    swiss, austrian = make.federation(code="SUI"), make.federation(code="AUT")
    return People(
        officer=make.person(Role.OFFICER, swiss),
        staff=make.person(Role.STAFF),
        other=make.person(Role.OFFICER, "GER"),
        swiss=swiss,
        austrian=austrian,
    )


def application(it: People) -> Application:
    like = DuplicateMatch(make.player(name="Ada Alder", federation=it.swiss), 90, ())
    new = NewPlayer("Alder, Ada", it.swiss, "F", BORN)
    return create_id_application(new, like, by=it.officer, at=NOW)


def transfer(it: People) -> Case:
    player = make.player(federation=it.swiss, fide_id=1503014)
    return ask_transfer(player, to=it.austrian, by=it.officer, at=NOW)


def change(it: People) -> ChangeRequest:
    player = make.player(federation=it.swiss, birth_date=BORN, birth_year=2010, fide_id=1503014)
    wanted = ChangeRequest(player=player, reason="Wrong.", evidence="Passport", birth_date=date(2010, 5, 7))
    return ask_change(wanted, by=it.officer, at=NOW)


def merge(it: People) -> Case:
    going, staying = (
        make.player(name="Same, S.", federation=it.swiss, birth_year=year, fide_id=fide_id)
        for fide_id, year in ((1503014, 1980), (1503022, 1981))
    )
    return propose_merge(going, into=staying, reason="Same passport.", by=it.officer, at=NOW)


def claim(it: People) -> Case:
    EmailAddress.objects.create(user=it.officer, email=it.officer.email, verified=True)
    player = make.player(federation=it.swiss, fide_id=1503014)
    return ask_claim(player, reason="My club.", evidence="", by=it.officer, at=NOW)


KINDS: dict[str, Callable[[People], Case]] = {
    CaseKind.APPLICATION: application,
    CaseKind.TRANSFER: transfer,
    CaseKind.CHANGE: change,
    CaseKind.MERGE: merge,
    CaseKind.CLAIM: claim,
}
of_every_kind = pytest.mark.parametrize("kind", KINDS)


def test_every_kind_has_its_rules() -> None:
    assert {*KINDS} <= {*RULES}


@pytest.mark.database
@of_every_kind
def test_a_case_is_asked_for_once_and_logged(people: People, kind: str) -> None:
    made = KINDS[kind](people)

    stored = Case.objects.get()
    assert (stored.kind, stored.state, stored.asked_by, stored.asked_at) == (
        kind,
        "waiting",
        people.officer,
        NOW,
    )
    assert acts().get().action == DEEDS[CaseKind(kind)][0]
    with pytest.raises(IntegrityError), transaction.atomic():
        Case.objects.bulk_create([Case(kind=kind, key=made.key, asked_by=people.officer, asked_at=NOW)])


@of_every_kind
def test_the_second_who_decides_changes_nothing(people: People, kind: str) -> None:
    made = KINDS[kind](people)

    done = [decide(made, CaseState.APPROVED, answer="Seen.", by=people.staff, at=NOW) for _ in range(2)]
    refused = decide(made, CaseState.REFUSED, answer="No.", by=people.staff, at=NOW)

    stored = Case.objects.get()
    assert (done, refused) == ([True, False], False)
    assert (stored.state, stored.decided_by, stored.decided_at) == ("approved", people.staff, NOW)
    assert acts(action=DEEDS[CaseKind(kind)][1]).count() == 1


@of_every_kind
def test_a_refusal_needs_a_reason_and_nothing_private_stays(people: People, kind: str) -> None:
    made = KINDS[kind](people)

    assert codes_of(lambda: decide(made, CaseState.REFUSED, by=people.staff, at=NOW)) == ["reason-missing"]
    assert decide(made, CaseState.REFUSED, answer=" Not seen. ", by=people.staff, at=NOW)

    stored = type(made)._default_manager.get()
    assert (stored.state, stored.answer, stored.key) == ("refused", "Not seen.", "")
    assert [getattr(stored, name) for name in stored.PRIVATE] == [None] * len(stored.PRIVATE)
    assert not acts().filter(reason__contains="2010").exists()


@of_every_kind
def test_only_who_may_decides_and_cancels(people: People, kind: str) -> None:
    made = KINDS[kind](people)

    assert codes_of(lambda: decide(made, CaseState.APPROVED, by=people.other, at=NOW)) in (
        ["staff-only"],
        ["not-yours"],
    )
    assert codes_of(lambda: cancel(made, by=people.other, at=NOW)) in (["staff-only"], ["not-yours"])
    assert Case.objects.get().state == "waiting"


@pytest.mark.database
@of_every_kind
def test_a_case_that_is_cancelled_makes_room_for_another(people: People, kind: str) -> None:
    made = KINDS[kind](people)
    who = people.staff if kind == CaseKind.MERGE else people.officer

    done = [cancel(made, by=who, at=NOW) for _ in range(2)]

    assert (done, Case.objects.get().state) == ([True, False], "withdrawn")
    assert acts().last().action == DEEDS[CaseKind(kind)][2]  # type: ignore[union-attr]
    Case.objects.bulk_create([Case(kind=kind, key="1503014", asked_by=people.officer, asked_at=NOW)])


@of_every_kind
def test_d_131_nobody_approves_what_they_asked_for(people: People, kind: str) -> None:
    made = KINDS[kind](people)
    make.appointment(role=Role.STAFF, user=people.officer)
    # The roles of a user are read once a request.
    both = User.objects.get(pk=people.officer.pk)

    found = codes_of(lambda: decide(made, CaseState.APPROVED, answer="Seen.", by=both, at=NOW))

    others = {CaseKind.MERGE: ["second-person"], CaseKind.CLAIM: ["own-claim"]}
    assert found == others.get(CaseKind(kind), ["own-matter-D-131"])
