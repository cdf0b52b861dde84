"""D-131: nobody decides what is their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from core.errors import RefusedError
from players import cases
from players.choices import CaseState, Role
from players.exclusions import exclude_federation
from players.merging import merge_players, propose_merge
from players.models import Application, Appointment, LogEntry, Player
from players.transfers import ask_transfer
from tests import codes, make
from tests.codes import refusal
from tests.conftest import NOW
from tests.log import steps
from tests.tournaments.test_registration import OPEN
from tournaments.choices import Action
from tournaments.holds import place_hold
from tournaments.information_requests import ask_for_information
from tournaments.models import Hold, Tournament
from tournaments.permissions import can_decide
from tournaments.qc import decide
from tournaments.registration import register_tournament
from tournaments.registration_changes import restore_registration

pytestmark = [pytest.mark.django_db, pytest.mark.page]


def person(*roles: tuple[str, str | None]) -> Any:
    """Return an account with roles, each for a federation or for none."""
    made = make.user()
    for role, code in roles:
        Appointment.objects.create(user=made, role=role, federation_id=code)
    return made


@pytest.fixture
def late() -> Tournament:
    federation = make.federation(code="SUI")
    return make.tournament(federation=federation, start=date(2026, 3, 14), registration="waiting")


def allow(tournament: Tournament, by: Any) -> None:
    decide(tournament, Action.ALLOW, reason="The hall was late.", by=by, at=NOW)


@pytest.mark.parametrize("other", [Role.QC_CHAIR, Role.STAFF])
def test_d_131_a_chair_who_is_officer_leaves_the_own_registration_to_another(
    late: Tournament, other: str
) -> None:
    chair = person((Role.QC_CHAIR, None), (Role.OFFICER, "SUI"))
    decider = person((other, None))

    with refusal() as refused:
        allow(late, chair)

    assert refused.found == ["own-matter-D-131"]
    assert can_decide(decider, late)
    allow(late, decider)
    assert steps().get().stated is None


def test_d_131_who_registered_does_not_decide_either(late: Tournament) -> None:
    chair = person((Role.QC_CHAIR, None))
    person((Role.STAFF, None))
    late.registered_by = chair
    late.save()

    with pytest.raises(RefusedError):
        allow(late, chair)


def test_d_131_who_changed_a_registration_so_that_it_waits_does_not_decide_on_it(late: Tournament) -> None:
    chair = person((Role.QC_CHAIR, None), (Role.STAFF, None))
    other = person((Role.QC_CHAIR, None))
    make.step(late, Action.CHANGE, "waiting", by=chair, at=NOW)

    with refusal() as refused:
        allow(late, chair)
    assert refused.found == ["own-matter-D-131"]
    allow(late, other)


def test_d_131_a_chair_who_is_officer_does_not_hold_the_own_report(late: Tournament) -> None:
    Tournament.objects.filter(pk=late.pk).update(stage="rated", registration="registered")
    late.refresh_from_db()
    chair = person((Role.QC_CHAIR, None), (Role.OFFICER, "SUI"))
    other = person((Role.QC_CHAIR, None))

    with refusal() as refused:
        place_hold(late, reason="On the next list.", by=chair, at=NOW)
    assert refused.found == ["own-matter-D-131"]

    other.is_active = False
    other.save()
    place_hold(late, reason="On the next list.", by=chair, at=NOW)
    assert [item.get("code", item.get("words")) for item in steps().get().stated or ()] == [
        "alone",
        "On the next list.",
    ]
    assert Hold.objects.get().why.endswith("On the next list.")


def test_d_131_a_chair_who_is_officer_asks_for_no_answer_of_their_own(late: Tournament) -> None:
    chair = person((Role.QC_CHAIR, None), (Role.OFFICER, "SUI"))
    other, on = person((Role.QC_CHAIR, None)), NOW.date()

    with refusal() as refused:
        ask_for_information(late, "Which hall?", due_on=on, by=chair, on=on, at=NOW)
    assert refused.found == ["own-matter-D-131"]
    ask_for_information(late, "Which hall?", due_on=on, by=other, on=on, at=NOW)


def test_d_131_where_nobody_else_is_the_log_says_that_it_was_decided_alone(late: Tournament) -> None:
    chair = person((Role.QC_CHAIR, None), (Role.DEPUTY, "SUI"))
    # Concerned as well, and one whose account is closed.
    person((Role.STAFF, None), (Role.OFFICER, "SUI"))
    closed = person((Role.QC_CHAIR, None))
    closed.is_active = False
    closed.save()

    allow(late, chair)

    stated = steps().get().stated
    assert [item.get("code", item.get("words")) for item in stated] == ["alone", "The hall was late."]


def test_d_131_a_chair_who_is_officer_does_not_restore_the_own_registration(late: Tournament) -> None:
    chair = person((Role.QC_CHAIR, None), (Role.OFFICER, "SUI"))
    other = person((Role.QC_CHAIR, None))
    decide(late, Action.WITHDRAW, reason="Cancelled.", by=chair, at=NOW)

    with codes.refusal() as refused:
        restore_registration(late, reason="It is played.", by=chair, at=NOW)
    assert refused.found == ["own-matter-D-131"]
    assert restore_registration(late, reason="It is played.", by=other, at=NOW).registration == "waiting"


def test_d_131_staff_who_are_officers_do_not_register_the_own_tournament_as_official() -> None:
    make.federation(code="SUI")
    own_staff = person((Role.STAFF, None), (Role.OFFICER, "SUI"))
    official = replace(OPEN, is_official=True)
    register_tournament(official, by=own_staff, on=OPEN.start, at=NOW)
    assert [item["code"] for item in steps().get().stated or ()] == ["alone"]

    person((Role.STAFF, None))
    with codes.refusal() as refused:
        register_tournament(replace(official, name="Second"), by=own_staff, on=OPEN.start, at=NOW)
    assert refused.found == ["own-matter-D-131"]


def test_d_131_staff_decide_for_the_qc_only_where_all_of_it_is_concerned(late: Tournament) -> None:
    staff = person((Role.STAFF, None))
    own_staff = person((Role.STAFF, None), (Role.OFFICER, "SUI"))
    person((Role.QC_CHAIR, None), (Role.OFFICER, "SUI"))
    assert (can_decide(staff, late), can_decide(own_staff, late)) == (True, False)

    person((Role.QC_CHAIR, None))
    assert not can_decide(staff, late)


def test_d_131_an_officer_of_both_sides_does_not_agree_to_the_own_transfer() -> None:
    home, away = make.federation(code="SUI"), make.federation(code="AUT")
    player = make.player(federation=home)
    both = person((Role.OFFICER, "SUI"), (Role.DEPUTY, "AUT"))
    transfer = ask_transfer(player, to=away, by=both, at=NOW)
    other = person((Role.OFFICER, "SUI"))

    with pytest.raises(RefusedError):
        cases.decide(transfer, CaseState.APPROVED, by=both, at=NOW)
    assert cases.decide(transfer, CaseState.APPROVED, by=other, at=NOW)
    player.refresh_from_db()
    assert (player.federation_id, LogEntry.objects.filter(action="alone").exists()) == ("AUT", False)


def test_d_131_alone_an_officer_of_both_sides_agrees_and_the_log_says_so() -> None:
    home, away = make.federation(code="SUI"), make.federation(code="AUT")
    both = person((Role.OFFICER, "SUI"), (Role.OFFICER, "AUT"))
    transfer = ask_transfer(make.player(federation=home), to=away, by=both, at=NOW)

    assert cases.decide(transfer, CaseState.APPROVED, by=both, at=NOW)
    assert LogEntry.objects.filter(action="alone", subject=f"FIDE ID {transfer.player_id}").exists()


def test_d_131_staff_who_are_officers_do_not_approve_their_own_application() -> None:
    like = make.player(federation=make.federation(code="SUI"))
    application = Application.objects.create(
        name="Tor, Mira",
        federation_id="SUI",
        sex="F",
        birth_date=date(2010, 5, 4),
        score=80,
        likeness=like,
        asked_by=person((Role.OFFICER, "SUI")),
        asked_at=NOW,
    )
    own = person((Role.STAFF, None), (Role.OFFICER, application.federation_id))
    other = person((Role.STAFF, None))

    with pytest.raises(RefusedError):
        cases.decide(application, CaseState.APPROVED, by=own, at=NOW)
    assert cases.decide(application, CaseState.APPROVED, by=other, at=NOW)


ACTS: dict[str, Callable[[Player, Any], object]] = {
    "merge": lambda player, by: merge_players(
        player, into=make.player(federation__code="AUT", name=player.name), reason="One.", by=by, at=NOW
    ),
    "merge into": lambda player, by: merge_players(
        make.player(federation__code="AUT", name=player.name), into=player, reason="One.", by=by, at=NOW
    ),
    "move to": lambda player, by: make.correct_player(
        make.player(federation__code="AUT"), {"federation_id": "SUI"}, reason="Letter.", by=by, at=NOW
    ),
    "move from": lambda player, by: make.correct_player(
        player, {"federation_id": make.federation(code="AUT").code}, reason="Letter.", by=by, at=NOW
    ),
    "exclude": lambda player, by: exclude_federation(
        player.federation, excluded_from=NOW.date(), until=None, by=by, at=NOW
    ),
}


@pytest.mark.parametrize("what", ACTS)
def test_d_131_staff_who_are_officers_leave_what_concerns_their_federation_to_others(what: str) -> None:
    player = make.player(federation=make.federation(code="SUI"), sex="", birth_year=None, birth_date=None)
    own = person((Role.STAFF, None), (Role.OFFICER, "SUI"))
    other = person((Role.STAFF, None))
    with codes.refusal() as refused:
        ACTS[what](player, own)
    assert refused.found == ["own-matter-D-131"]
    other.is_active = False
    other.save()
    ACTS[what](player, own)
    assert LogEntry.objects.filter(action="alone", by=own).count() == 1


def test_d_131_who_made_two_records_alike_does_not_merge_them(late: Tournament) -> None:
    one, other = (make.player(name="Alpha, Anna", birth_year=year, birth_date=None) for year in (1990, 2010))
    staff, second = person((Role.STAFF, None)), person((Role.STAFF, None))
    make.correct_player(one, {"birth_year": 2010}, by=staff, at=NOW)
    one.refresh_from_db()
    values: dict[str, Any] = {"into": other, "reason": "One person.", "at": NOW}

    with refusal() as refused:
        merge_players(one, by=staff, **values)

    assert refused.found == ["own-matter-D-131"]
    proposal = propose_merge(one, by=staff, **values)
    assert cases.decide(proposal, CaseState.APPROVED, by=second, at=NOW)


def test_d_131_staff_who_are_officers_do_not_correct_the_own_players() -> None:
    player = make.player(federation=make.federation(code="SUI"), birth_year=2010)
    own, other = person((Role.STAFF, None), (Role.OFFICER, "SUI")), person((Role.STAFF, None))

    def correct(by: Any) -> object:
        return make.correct_player(player, {"birth_year": 1990}, reason="Passport.", by=by, at=NOW)

    with refusal() as refused:
        correct(own)

    assert refused.found == ["own-matter-D-131"]
    correct(other)
    player.refresh_from_db()
    assert player.birth_year == 1990


def test_d_131_staff_who_are_officers_do_not_correct_the_own_reports(late: Tournament) -> None:
    own = person((Role.STAFF, None), (Role.OFFICER, "SUI"))
    person((Role.STAFF, None))
    values: dict[str, Any] = {"reason": "Wrong.", "by": own, "on": NOW.date(), "at": NOW}

    for act in (
        lambda: make.correct_report(late, None, **values),
        lambda: make.correct_conditions(late, OPEN, **values),
    ):
        with refusal() as refused:
            act()
        assert refused.found == ["own-matter-D-131"]
