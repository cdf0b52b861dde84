"""What is kept of a person is handed out whole, and an account goes without the evidence of its acts (point 11)."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from arenas.models import Arena
from core.errors import RefusedError
from players import notices
from players.choices import NoticeKind
from players.invitations import invite
from players.log_chain import link_log, verify_log
from players.models import Appointment, LogEntry, MergeProposal, Notice
from portal.models import User
from portal.personal_data import data_of_account, data_of_player, remove_account
from tests import make
from tests.arenas.played import enrol
from tests.codes import codes_of_answer
from tests.conftest import NOW, age_session
from tournaments.choices import Action, Verb
from tournaments.log import record_action
from tournaments.models import Hold
from tournaments.tokens import holder_of, issue_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer() -> User:
    swiss = make.federation(code="SUI")
    user: User = make.appointment(role="officer", federation=swiss, user__email="olga@chess.example").user
    User.objects.filter(pk=user.pk).update(first_name="Olga", last_name="Officer", language="fr")
    user.refresh_from_db()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    record_action(make.tournament(), Action.REGISTER, reason="For Olga", by=user, at=NOW)
    issue_token(user, swiss, name="tool", verbs=[Verb.READ], at=NOW)
    invite("deputy@chess.example", role="deputy", federation=swiss, by=user, at=NOW)
    notices.post(
        to=[user], kind=NoticeKind.DIGEST, key="d1", subject="Olga's tasks", text="Dear Olga", at=NOW
    )
    return user


@pytest.fixture
def staff() -> Client:
    return make.browser(make.appointment(role="staff", user__is_staff=True).user)


def sent(answer: Any) -> Any:
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    return json.loads(answer.content)


def test_a_person_downloads_all_that_is_kept_of_the_account(officer: User, client: Client) -> None:
    client.force_login(officer)
    assert "Download your data" in client.get("/accounts/data").content.decode()

    data = sent(client.post("/accounts/data"))

    assert (data["account"]["email"], data["account"]["first_name"]) == ("olga@chess.example", "Olga")
    assert data["account"]["language"] == "fr"
    assert [row["role"] for row in data["own"]["players.Appointment.user"]] == ["officer"]
    assert [row["name"] for row in data["own"]["tournaments.OfficerToken.user"]] == ["tool"]
    assert [row["subject"] for row in data["mails"]] == ["Olga's tasks"]
    assert len(data["acts"]["players.LogEntry.by"]) == LogEntry.objects.filter(by=officer).count() > 1
    others = ('"password":', '"digest":', '"token_sha256":', "deputy@chess.example", "For Olga")
    assert [one for one in others if one in json.dumps(data)] == []


def test_a_borrowed_session_downloads_nothing(officer: User, client: Client) -> None:
    client.force_login(officer)
    age_session(client)

    answer = client.post("/accounts/data")

    assert (answer.status_code, "reauthenticate" in answer["Location"]) == (302, True)


def test_data_of_a_player_are_found_in_every_table() -> None:
    ada = make.player(name="Alder, Ada", birth_date=date(2010, 5, 6), birth_year=2010)
    make.entry(player=ada)
    make.play(make.tournament(), [ada], [(1, 1, None, "bye")])
    enrol(Arena.objects.get(slug="flyordie"), "ada", fide_id=ada.pk)

    data = data_of_player(ada)

    assert (data["player"]["name"], data["player"]["birth_date"]) == ("Alder, Ada", date(2010, 5, 6))
    assert {"ratings.ListEntry.player", "tournaments.Participant.player"} <= data["tables"].keys()
    (added,) = data["history"]
    assert {"field": "name", "before": None, "after": "Alder, Ada"} in added["changes"]
    assert [one["member"]["handle"] for one in data["arenas"]] == ["ada"]


def test_data_of_a_player_leave_out_what_other_accounts_wrote() -> None:
    ada = make.player()
    accounts = {name: make.user(email=f"{name}@chess.example") for name in ("eve", "ada")}
    for state, (name, user) in zip(("waiting", "approved"), accounts.items(), strict=True):
        make.claim(player=ada, asked_by=user, reason=name, state=state)
        make.objection(player=ada, asked_by=user, reason=name, state="withdrawn")

    tables = data_of_player(ada)["tables"]

    assert [row["reason"] for row in tables["players.Claim.player"]] == ["ada"]
    assert [row["reason"] for row in tables["tournaments.Objection.player"]] == ["ada"]
    assert tables.keys() == {"players.Claim.player", "tournaments.Objection.player"}


def test_data_of_a_player_leave_out_who_only_resembles_them() -> None:
    ada, eve = make.player(name="Alder, Ada"), make.player(name="Alder, Eve")
    make.application(ada.federation, at=NOW, likeness=ada, name="Alder, Ida", asked_by=make.user())
    differences = [["name", ada.name, eve.name]]
    values = {"reason": "r", "differences": differences, "asked_by": make.user(), "asked_at": NOW}
    MergeProposal.objects.create(player=ada, into=eve, **values)

    data = json.dumps(data_of_player(ada), default=str)

    assert ("Alder, Ada" in data, "Ida" in data, "Eve" in data) == (True, False, False)


def test_cases_of_an_account_are_each_among_those_of_their_kind() -> None:
    qc = make.user()
    Hold.objects.create(tournament=make.tournament(), reason="Why?", asked_by=qc, asked_at=NOW)

    acts = data_of_account(qc)["acts"]

    assert {table: len(rows) for table, rows in acts.items()} == {"tournaments.Hold.asked_by": 1}


@pytest.mark.parametrize("typed", ["olga@chess.example", "player"])
def test_staff_download_the_data_of_a_person_and_the_log_says_so(
    officer: User, staff: Client, typed: str
) -> None:
    player = make.player()
    who = str(player.pk) if typed == "player" else typed

    data = sent(staff.post("/admin/portal/user/data/", {"person": who}))

    assert ("player" if typed == "player" else "account") in data
    assert list(LogEntry.objects.filter(action="export").values_list("subject", flat=True)) == [who]
    unknown = staff.post("/admin/portal/user/data/", {"person": "nobody@chess.example"})
    assert codes_of_answer(unknown) == {"person": ["unknown"]}


@pytest.mark.database
def test_a_removed_account_leaves_its_acts_and_the_chain(officer: User, staff: Client) -> None:
    token = issue_token(officer, make.federation(code="SUI"), name="other", verbs=[Verb.READ], at=NOW)
    link_log(whole=True)
    page = f"/admin/portal/user/{officer.pk}/remove/"
    assert staff.post(page, {"reason": ""}).status_code == 200

    answer = staff.post(page, {"reason": "Asked by letter."})

    gone = User.objects.get(pk=officer.pk)
    name = f"removed-{officer.pk}@removed.invalid"
    assert (answer.status_code, gone.email, gone.get_full_name(), gone.is_active) == (302, name, "", False)
    assert (gone.has_usable_password(), holder_of(token, at=NOW)) == (False, None)
    assert not Appointment.objects.filter(user=officer).exists()
    assert not EmailAddress.objects.filter(user=officer).exists()
    assert not Notice.objects.filter(recipient=officer.email).exists()
    act = LogEntry.objects.get(action="remove")
    assert (act.subject, act.reason) == (name, "Asked by letter.")
    assert data_of_account(gone)["acts"]["players.LogEntry.by"] != []
    link_log(whole=True)
    assert list(verify_log()) == []
    out = json.dumps(data_of_account(gone), default=str)
    assert "olga" not in out.lower()


def test_who_removes_no_account() -> None:
    plain, colleague = make.user(), make.appointment(role="staff", user__is_staff=True).user
    me = make.appointment(role="staff", user__is_staff=True).user

    for user, by, reason in (
        (me, me, "x"),
        (colleague, me, "x"),
        (plain, make.user(), "x"),
        (plain, me, " "),
    ):
        with pytest.raises(RefusedError):
            remove_account(user, reason=reason, by=by, at=NOW)

    assert User.objects.filter(is_active=False).count() == 0
