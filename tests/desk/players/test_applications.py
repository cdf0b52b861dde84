"""Applications for FIDE IDs: seen by the officer who asked, decided by FIDE staff."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from players.models import Application, Federation, Player
from tests.desk.conftest import NOW
from tests.factories import PlayerFactory, UserFactory

PAGE = "/desk/players/applications/"


@pytest.fixture
def asked(swiss: Federation) -> Application:
    """Return an application of somebody who resembles a player."""
    return Application.objects.create(
        name="Elm, Eva",
        federation=swiss,
        sex="F",
        birth_date=date(2010, 1, 1),
        score=90,
        likeness=PlayerFactory(federation=swiss),
        asked_by=UserFactory(),
        asked_at=NOW,
    )


@pytest.mark.parametrize(
    ("form", "state", "players"),
    [
        ({"decision": "approve"}, "approved", 2),
        ({"decision": "refuse", "reason": "The same person."}, "refused", 1),
        ({"decision": "refuse", "reason": " "}, "waiting", 1),
    ],
)
def test_staff_decide_on_an_application(
    asked: Application, signed_in: Callable[[str], Client], form: dict[str, str], state: str, players: int
) -> None:
    staff = signed_in("staff")
    shown = staff.get(PAGE).context

    staff.post(f"{PAGE}{asked.pk}/decide", form)

    asked.refresh_from_db()
    assert ([one for one, _typed in shown["waiting"]], shown["may_decide"]) == ([asked], True)
    assert (asked.state, Player.objects.count()) == (state, players)


def test_officer_sees_the_applications_and_does_not_decide(asked: Application, officer: Client) -> None:
    shown = officer.get(PAGE).context

    assert ([one for one, _typed in shown["waiting"]], shown["may_decide"]) == ([asked], False)
    assert officer.post(f"{PAGE}{asked.pk}/decide", {"decision": "approve"}).status_code == 403
