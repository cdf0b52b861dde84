"""A player's own result in a tournament."""

from __future__ import annotations

from portal.models import User
from tests.desk.conftest import browser, claimed
from tests.factories import TournamentFactory
from tournaments.models import Objection, Tournament

RESULT = "/desk/chess/tournaments/SUI-PLAYED/"


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


def test_result_of_another_player_cannot_be_objected_to(ada: User, reported: Tournament) -> None:
    assert browser(ada).post(RESULT, {"statement": "Mine!"}).status_code == 404
    assert Objection.objects.count() == 0
