"""Players' claims: made with a confirmed email, decided by the federation, and the access that they give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Act, Claim, Federation, HiddenBirthYear, Notice, Player
from players.services.claims import MAX_CLAIMS
from portal.models import User
from portal.personal_data import data_of_account, remove_account
from tests.desk.conftest import ADA, NOW, PLAYERS, browser, claimed
from tests.factories import AppointmentFactory, PlayerFactory, TournamentFactory, merge_by_two
from tournaments.models import Objection, Tournament

MINE, CLAIM, RESULT = "/desk/chess/", "/desk/chess/claim", "/desk/chess/tournaments/SUI-PLAYED/"


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


def test_unconfirmed_email_cannot_claim(ada: User) -> None:
    client = browser(ada)
    EmailAddress.objects.update(verified=False)

    answer = client.post(CLAIM, {"player": ADA, "reason": "It is me"})

    assert (b"Confirm the email address" in answer.content, Claim.objects.count()) == (True, 0)


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
