"""Players' claims: made with a confirmed email, decided by the federation, and the access that they give."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Act, Claim, Federation, HiddenBirthYear, Notice, Player
from players.services.claims import MAX_CLAIMS
from portal.models import User
from portal.personal_data import data_of_account, remove_account
from tests.desk.conftest import NOW, PLAYERS
from tests.factories import (
    AppointmentFactory,
    PlayerFactory,
    TournamentFactory,
    UserFactory,
    merge_by_two,
    play,
)
from tournaments.models import NamedArbiter, Objection, Tournament

MINE, CLAIM, RESULT = "/desk/chess/", "/desk/chess/claim", "/desk/chess/tournaments/SUI-PLAYED/"
ADA = PLAYERS[0][0]


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ada(played: Tournament) -> User:
    """Return an account without a role, with a confirmed email."""
    user: User = UserFactory(email="ada@chess.example", first_name="Ada", last_name="Alder")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


@pytest.fixture
def reported(played: Tournament) -> Tournament:
    players = [Player.objects.get(pk=fide_id) for fide_id, _name in PLAYERS]
    play(played, players, [(1, 1, 2, "1-0"), (2, 2, 3, "1/2"), (3, 3, 1, "0-1")])
    return played


def claimed(user: User, fide_id: int = ADA, state: str = "confirmed") -> Claim:
    decided = {"decided_at": NOW} if state == "confirmed" else {}
    return Claim.objects.create(
        player_id=fide_id, user=user, reason="r", state=state, asked_at=NOW, **decided
    )


def decide(client: Client, claim: Claim, decision: str) -> Any:
    return client.post(f"/desk/players/claims/{claim.pk}/decide", {"decision": decision, "reason": "Known."})


def test_a_player_claims_and_the_federations_officer_confirms(
    ada: User, officer: Client, signed_in: Callable[[str], Client]
) -> None:
    client = browser(ada)
    assert client.get("/desk/").headers["Location"] == MINE

    asked = client.post(CLAIM, {"player": ADA, "reason": "Club of Alphaville", "evidence": "Licence"})
    claim = Claim.objects.get()
    foreign = decide(signed_in("officer AUT"), claim, "grant").status_code
    listed = officer.get("/desk/").content.decode()
    confirmed = decide(officer, claim, "grant")

    claim.refresh_from_db()
    assert (asked.status_code, foreign, confirmed.status_code, claim.state) == (302, 404, 302, "confirmed")
    assert f"/desk/players/claims/{claim.pk}/decide" in listed
    assert [act.deed for act in Act.objects.filter(kind="player")] == ["claim", "grant"]
    assert [notice.recipient for notice in Notice.objects.filter(kind="claim")] == ["ada@chess.example"]


def test_nobody_decides_on_their_own_claim(swiss: Federation, played: Tournament) -> None:
    user = AppointmentFactory(role="officer", federation=swiss).user
    claim = claimed(user, state="waiting")

    answer = decide(browser(user), claim, "grant")

    claim.refresh_from_db()
    assert (claim.state, b"You cannot decide on your own claim" in answer.content) == ("waiting", True)


def test_unconfirmed_email_cannot_claim(ada: User) -> None:
    client = browser(ada)
    EmailAddress.objects.update(verified=False)

    answer = client.post(CLAIM, {"player": ADA, "reason": "It is me"})

    assert (b"Confirm the email address" in answer.content, Claim.objects.count()) == (True, 0)


def test_player_record_and_user_have_one_claim_each(ada: User, officer: Client) -> None:
    claimed(ada)
    other = claimed(UserFactory(email="eve@chess.example"), state="waiting")

    refused = decide(officer, other, "grant")
    again = browser(ada).post(CLAIM, {"player": PLAYERS[1][0], "reason": "me too"})

    other.refresh_from_db()
    assert (other.state, refused.status_code) == ("waiting", 200)
    assert b"You already have an open claim" in again.content


def test_claims_have_a_quota(ada: User) -> None:
    client = browser(ada)
    for _time in range(MAX_CLAIMS + 1):
        answer = client.post(CLAIM, {"player": ADA, "reason": "It is me"})
        client.post("/desk/chess/claim/end")

    assert (Claim.objects.filter(state="withdrawn").count(), answer.status_code) == (MAX_CLAIMS, 200)


def test_a_claim_ends_by_the_officer_or_the_player(ada: User, officer: Client, reported: Tournament) -> None:
    client = browser(ada)
    claim = claimed(ada)
    seen = client.get(RESULT).status_code

    decide(officer, claim, "end")
    after = client.get(RESULT).status_code
    again = claimed(ada)
    client.post("/desk/chess/claim/end")

    again.refresh_from_db()
    assert (seen, after, again.state) == (200, 404, "ended")


def test_player_sees_only_own_games_before_publication(ada: User, reported: Tournament) -> None:
    claimed(ada)
    TournamentFactory(event_id="SUI-OTHER")

    shown = browser(ada).get(RESULT).content.decode()

    assert ("Birch, Ben" in shown, "Cedar, Cleo" in shown) == (True, True)
    assert [
        browser(ada).get(f"/desk/chess/tournaments/{one}/").status_code for one in ("SUI-OTHER", "X")
    ] == [
        404,
        404,
    ]


def test_pages_make_few_queries(ada: User, officer: Client, reported: Tournament) -> None:
    claim, client = claimed(ada), browser(ada)
    Objection.objects.create(
        tournament=reported, player_id=ADA, user=ada, statement="s", raised_at=NOW, due_on=NOW.date()
    )
    counts = {}
    for who, page in (
        (client, MINE),
        (client, RESULT),
        (officer, "/desk/players/claims/"),
        (officer, f"/desk/players/claims/{claim.pk}/decide"),
        (officer, "/desk/tournaments/SUI-PLAYED/objections/"),
    ):
        with CaptureQueriesContext(connection) as queries:
            assert who.get(page).status_code == 200
        counts[page] = len(queries)

    assert {page: count for page, count in counts.items() if count > 12} == {}


def test_an_objection_is_answered_by_the_officer_and_blocks_nothing(
    ada: User, officer: Client, reported: Tournament
) -> None:
    claimed(ada)
    client = browser(ada)

    client.post(RESULT, {"round_number": "1", "statement": "I lost this game."})
    twice = client.post(RESULT, {"statement": "Again."})
    objection = Objection.objects.get()
    page = officer.get("/desk/tournaments/SUI-PLAYED/")
    pk = objection.pk
    officer.post(
        f"/desk/tournaments/SUI-PLAYED/objections/{pk}/answer",
        {f"{pk}-decision": "agree", f"{pk}-answer": "Yes."},
    )

    objection.refresh_from_db()
    reported.refresh_from_db()
    assert (objection.state, objection.due_on, twice.status_code) == ("agreed", date(2026, 3, 11), 200)
    assert (page.context["open_objections"], reported.stage) == (1, "reported")
    told = Notice.objects.filter(kind="claim").order_by("pk").values_list("recipient", flat=True)
    assert told.last() == "ada@chess.example"
    assert len(told) == 2


def test_only_the_tournaments_arbiter_answers_an_objection(
    ada: User, holder: Any, reported: Tournament, signed_in: Callable[[str], Client]
) -> None:
    NamedArbiter.objects.create(tournament=reported, user=holder.user, named_at=NOW)
    made = Objection.objects.create(
        tournament=reported, player_id=ADA, user=ada, statement="s", raised_at=NOW, due_on=NOW.date()
    )
    address, pk = f"/desk/tournaments/SUI-PLAYED/objections/{made.pk}/answer", made.pk
    reply = {f"{pk}-decision": "decline", f"{pk}-answer": "The score sheet says so."}

    statuses = {
        role: signed_in(role).post(address, reply).status_code for role in ("officer AUT", "arbiter", "qc")
    }
    made.refresh_from_db()
    before = made.state
    browser(holder.user).post(address, reply)

    made.refresh_from_db()
    assert (statuses, before) == ({"officer AUT": 404, "arbiter": 404, "qc": 403}, "open")
    assert (made.state, made.answered_by) == ("declined", holder.user)


def test_result_of_another_player_cannot_be_objected_to(ada: User, reported: Tournament) -> None:
    assert browser(ada).post(RESULT, {"statement": "Mine!"}).status_code == 404
    assert Objection.objects.count() == 0


def test_adr_15_a_minor_hides_the_year_of_birth_everywhere(ada: User, client: Client) -> None:
    claimed(ada)
    Player.objects.filter(pk=ADA).update(birth_year=2012)
    address = f"/players/{ADA}/"
    before = client.get(address).content.decode()

    browser(ada).post("/desk/chess/hide", {"hide": "yes"})
    hidden, api = client.get(address).content.decode(), client.get(f"/api/v1/players/{ADA}").json()
    browser(ada).post("/desk/chess/claim/end")

    assert ("2012" in before, "2012" in hidden, "U14" in hidden) == (True, False, True)
    assert (api["birth_year"], api["age_band"]) == (None, "U14")
    assert HiddenBirthYear.objects.count() == 0


def test_6_1_2_adult_cannot_hide_the_year_of_birth(ada: User) -> None:
    claimed(ada)

    browser(ada).post("/desk/chess/hide", {"hide": "yes"})

    assert HiddenBirthYear.objects.count() == 0


def test_export_and_removal_include_claims_and_objections(ada: User, reported: Tournament) -> None:
    claim = claimed(ada)
    Objection.objects.create(
        tournament=reported, player_id=ADA, user=ada, statement="Secret", raised_at=NOW, due_on=NOW.date()
    )

    own = data_of_account(ada)["own"]
    remove_account(ada, reason="asked", by=None, at=NOW)

    claim.refresh_from_db()
    assert (own["players.Claim.user"][0]["reason"], own["tournaments.Objection.user"][0]["statement"]) == (
        "r",
        "Secret",
    )
    assert (claim.state, claim.reason) == ("ended", "–")
    assert Objection.objects.filter(state="withdrawn", statement="–").count() == 1


def test_claims_follow_a_merged_record(ada: User, swiss: Federation) -> None:
    claimed(ada)
    kept = PlayerFactory(fide_id=1_399_999, name=PLAYERS[0][1], federation=swiss)
    staff = AppointmentFactory(role="staff").user

    merge_by_two(Player.objects.get(pk=ADA), into=kept, reason="same", by=staff, at=NOW)

    assert Claim.objects.get().player == kept
