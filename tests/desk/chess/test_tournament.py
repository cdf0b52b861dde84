"""A player's own result in a tournament."""

from __future__ import annotations

from players.models import Player
from portal.models import User
from tests import make
from tests.desk.conftest import browser, claimed
from tournaments.models import Objection, Participant, Tournament

RESULT = "/desk/chess/tournaments/SUI-PLAYED/"


def test_only_own_accepted_results_have_a_page(ada: User, reported: Tournament) -> None:
    claimed(ada)
    make.tournament(event_id="SUI-OTHER")
    pages = [f"/desk/chess/tournaments/{one}/" for one in ("SUI-PLAYED", "SUI-OTHER", "X", "%00")]

    answers = [browser(ada).get(page, follow=True) for page in pages]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 404]
    assert answers[1].redirect_chain == [("/tournaments/SUI-OTHER/", 302)]


def test_result_of_another_player_cannot_be_objected_to(ada: User, reported: Tournament) -> None:
    assert browser(ada).post(RESULT, {"statement": "Mine!"})["Location"] == "/desk/chess/claim"
    claimed(ada, state="waiting")
    # Told where the result is, and not led to make a second claim.
    assert browser(ada).get(RESULT)["Location"] == "/tournaments/SUI-PLAYED/"
    assert Objection.objects.count() == 0


def test_who_played_under_two_ids_that_are_one_now_can_object(ada: User, reported: Tournament) -> None:
    player = claimed(ada).player
    other = Participant.objects.exclude(player__in=(player.pk, None)).filter(report__tournament=reported)[0]
    Player.objects.filter(pk=other.player_id).update(merged_into=player)

    offered = browser(ada).get(RESULT).context["form"].fields["round_number"].choices
    assert [number for number, _text in offered] == ["", 1, 2, 3]
    answer = browser(ada).post(RESULT, {"round_number": "1", "statement": "I lost this game."})

    assert (answer.status_code, Objection.objects.get().round) == (302, 1)
    # One objection at a time: the form is back after the reply.
    assert browser(ada).get(RESULT).context["waits"]
