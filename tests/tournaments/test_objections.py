"""Objections of players: what they write is deleted with the account, wherever it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from players.cases import decide
from players.choices import CaseState, NoticeKind
from players.models import Invitation, Notice, Player
from portal.personal_data import remove_account
from tests import make
from tests.log import acts
from tournaments.arbiters import name_arbiter
from tournaments.models import NamedArbiter, Objection, Participant
from tournaments.objections import (
    settle_objection,
    settle_objections,
    submit_objection,
)

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
SECRET = "My opponent was ill"


@pytest.fixture
def result() -> Participant:
    ada, ben = make.PlayerFactory.create_batch(2)
    make.play(make.tournament(), [ada, ben], [(1, 1, 2, "1-0")])
    own = Participant.objects.get(player=ada)
    own.report.accepted_on = NOW.date()
    own.report.save(update_fields=["accepted_on"])
    return own


def objected(result: Participant) -> Objection:
    player: Player | None = result.player
    user = make.claim(player=player, asked_by__email="ada@chess.example").asked_by
    return submit_objection(result, statement=SECRET, round_number=1, by=user, at=NOW)


def test_statement_is_neither_in_the_audit_log_nor_in_an_email(result: Participant) -> None:
    officer = make.person("officer", result.report.tournament.federation)
    made = objected(result)
    decide(made, CaseState.APPROVED, answer="The sheet says so", by=officer, at=NOW)

    told = Notice.objects.get(recipient=officer.email, key=f"objection:{made.pk}")
    assert (SECRET in told.text, f"/desk/tournaments/{made.tournament.event_id}" in told.text) == (
        False,
        True,
    )
    assert settle_objection(made, by=officer, at=NOW)
    assert not settle_objection(made, by=officer, at=NOW)
    assert list(acts().values_list("action", "after", "reason")) == [
        ("object", "", ""),
        ("answer", "agreed", "The sheet says so"),
        ("settle", "", ""),
    ]


def test_chief_arbiters_with_the_role_are_told_those_who_accepted_an_invitation_too(
    result: Participant,
) -> None:
    tournament = result.report.tournament
    officer = make.person("officer", tournament.federation)
    named, former, invited = (make.person("arbiter", tournament.federation) for _number in range(3))
    for user in (named, former):
        name_arbiter(tournament, user.email, by=officer, at=NOW)
    former.appointments.get().delete(by=officer, at=NOW)
    values = {"role": "arbiter", "federation": tournament.federation, "invited_by": officer}
    values |= {"invited_at": NOW, "expires_at": NOW + timedelta(days=1), "accepted_at": NOW}
    sent = Invitation.objects.create(email=invited.email, accepted_by=invited, **values)
    NamedArbiter.objects.create(tournament=tournament, invitation=sent, named_by=officer, named_at=NOW)

    objected(result)

    told = Notice.objects.filter(kind=NoticeKind.CLAIM).values_list("recipient", flat=True)
    assert {*told} == {officer.email, named.email, invited.email}


def test_statement_is_deleted_with_the_account_also_in_older_emails(result: Participant) -> None:
    made = objected(result)
    for recipient in ("olga@chess.example", "otto@chess.example"):
        values = {
            "kind": NoticeKind.CLAIM,
            "subject": "s",
            "text": SECRET,
            "created_at": NOW,
            "due_at": NOW,
        }
        Notice.objects.create(recipient=recipient, key=f"objection:{made.pk}", **values)
    remove_account(made.asked_by, reason="Asked", by=None, at=NOW)

    made.refresh_from_db()
    assert (made.reason, made.state) == ("–", "withdrawn")
    assert not Notice.objects.filter(text__contains=SECRET).exists()


@pytest.mark.parametrize(("round_number", "settled"), [(1, 1), (2, 0)])
def test_correction_of_the_game_settles_an_accepted_objection_also_of_a_merged_id(
    result: Participant, round_number: int, settled: int
) -> None:
    officer = make.person("officer", result.report.tournament.federation)
    made = objected(result)
    decide(made, CaseState.APPROVED, answer="The sheet says so", by=officer, at=NOW)
    stays = make.player()
    Player.objects.filter(pk=made.player_id).update(merged_into=stays)

    found = settle_objections(made.tournament, [stays.pk], round_number=round_number, at=NOW)

    assert found == settled
    assert Objection.objects.filter(settled_at=None).count() == 1 - settled
