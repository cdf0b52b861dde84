"""Transfers: requested by one federation, answered by the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from players.models import Federation, Player, Transfer
from tests.codes import codes_of_messages
from tests.factories import PlayerFactory

PAGE = "/desk/players/transfers/"


@pytest.fixture
def asked(signed_in: Callable[[str], Client], swiss: Federation) -> Transfer:
    """Return the transfer of a Swiss player that Austria asked for."""
    player = PlayerFactory(federation=swiss)
    assert signed_in("officer AUT").post(PAGE, {"player": player.pk, "to": "AUT"})["Location"] == PAGE
    return Transfer.objects.get()


def test_federation_of_the_player_approves_once(officer: Client, asked: Transfer) -> None:
    [(row, may_answer, may_withdraw, _typed)] = officer.get(PAGE).context["rows"]
    for _click in range(2):
        officer.post(f"{PAGE}{asked.pk}/answer", {"answer": "agree"})

    asked.refresh_from_db()
    assert (row, may_answer, may_withdraw) == (asked, True, False)
    assert (asked.state, Player.objects.get().federation_id) == ("approved", "AUT")


@pytest.mark.parametrize(
    ("reason", "code", "state"), [(" ", ["reason-missing"], "waiting"), ("No.", [""], "refused")]
)
def test_refusal_needs_a_reason(
    officer: Client, asked: Transfer, reason: str, code: list[str], state: str
) -> None:
    answer = officer.post(f"{PAGE}{asked.pk}/answer", {"answer": "refuse", "reason": reason})

    asked.refresh_from_db()
    assert (codes_of_messages(answer), asked.state) == (code, state)
    assert Player.objects.get().federation_id == "SUI"


def test_only_who_asked_cancels(officer: Client, asked: Transfer, signed_in: Callable[[str], Client]) -> None:
    refused = officer.post(f"{PAGE}{asked.pk}/answer", {"answer": "withdraw"})
    signed_in("officer AUT").post(f"{PAGE}{asked.pk}/answer", {"answer": "withdraw"})

    asked.refresh_from_db()
    assert (codes_of_messages(refused), asked.state) == (["not-yours"], "withdrawn")
