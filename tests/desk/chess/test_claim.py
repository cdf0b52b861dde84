"""Players' claims: made with a confirmed email, decided by the federation, and ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from django.test import Client

from players.claims import MAX_CLAIMS
from players.models import Claim, Federation, Notice, Player
from portal.models import User
from tests import make
from tests.desk.conftest import ADA, NOW, PLAYERS, browser, claimed
from tests.log import acts
from tournaments.models import Tournament

MINE, CLAIM, RESULT = "/desk/chess/", "/desk/chess/claim", "/desk/chess/tournaments/SUI-PLAYED/"


def decide(client: Client, claim: Claim, decision: str) -> Any:
    return client.post(f"/desk/cases/{claim.number}/", {"verdict": decision, "reason": "Known."})


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
    assert (asked.status_code, foreign, confirmed.status_code, claim.state) == (302, 404, 302, "approved")
    assert f"/desk/cases/{claim.number}/" in listed
    assert [act.action for act in acts(area="player")] == ["claim", "grant"]
    assert [notice.recipient for notice in Notice.objects.filter(kind="claim")] == ["ada@chess.example"]


def test_claim_names_the_player_and_is_offered_once(ada: User) -> None:
    client, address = browser(ada), f"{CLAIM}?player={ADA}"
    named = client.get(address).context
    claimed(ada, state="waiting")

    assert (named["player"].pk, named["form"]["player"].is_hidden) == (ADA, True)
    assert client.get(address).headers["Location"] == MINE


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
    assert (seen, after, again.state) == (200, 302, "ended")


def test_claims_follow_a_merged_record(ada: User, swiss: Federation) -> None:
    claimed(ada)
    kept = make.player(fide_id=1_399_999, name=PLAYERS[0][1], federation=swiss)
    staff = make.person("staff")

    make.merge_by_two(Player.objects.get(pk=ADA), into=kept, reason="same", by=staff, at=NOW)

    assert Claim.objects.get().player == kept
