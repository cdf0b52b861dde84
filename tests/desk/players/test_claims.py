"""Claims of players: decided by the officer of the federation, never by oneself."""

from __future__ import annotations

from typing import Any

from django.test import Client

from players.claims import CLAIM_OPEN
from players.models import Claim, Federation
from portal.models import User
from tests import make
from tests.desk.conftest import PLAYERS, browser, claimed
from tournaments.models import Tournament

CLAIM = "/desk/chess/claim"


def decide(client: Client, claim: Claim, decision: str) -> Any:
    return client.post(f"/desk/cases/{claim.number}/", {"verdict": decision, "reason": "Known."})


def test_nobody_decides_on_their_own_claim(swiss: Federation, played: Tournament) -> None:
    user = make.person("officer", swiss)
    claim = claimed(user, state="waiting")

    answer = decide(browser(user), claim, "grant")

    claim.refresh_from_db()
    assert (claim.state, b"You cannot decide on your own claim" in answer.content) == ("waiting", True)


def test_player_record_and_user_have_one_claim_each(ada: User, officer: Client) -> None:
    claimed(ada)
    other = claimed(make.user(email="eve@chess.example"), state="waiting")

    refused = decide(officer, other, "grant")
    again = browser(ada).post(CLAIM, {"player": PLAYERS[1][0], "reason": "me too"})

    other.refresh_from_db()
    assert (other.state, refused.status_code) == ("waiting", 200)
    assert str(CLAIM_OPEN) in again.content.decode()
