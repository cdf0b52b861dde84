"""The page of a game of an arena: both sides explained, what does not count marked."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arenas.games import cancel_game
from arenas.models import Arena, Game
from tests.arenas.played import AT, enrol, game, record
from tests.public.pages import codes

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_game_page_explains_both_sides_and_links_the_rules(played: Arena, client: Client) -> None:
    found = Game.objects.get(arena_game_id="g0001")

    address = reverse("arenas:game", args=["foa-rbb", found.pk])
    page = client.get(address).content.decode()

    assert "1800.00 + 7.20 = 1807.20." in page
    assert "1700.00 − 7.20 = 1692.80." in page
    assert "#rule-3.9.2" not in page
    page = client.get(f"{address}?articles=1").content.decode()
    assert page.count('href="/arenas/foa-rbb/rules/#rule-3.9.2"') == 2


def test_unrated_late_and_cancelled_games_are_marked(played: Arena, client: Client) -> None:
    reason = "Two boards at once"
    cancel_game(Game.objects.get(arena_game_id="g0001"), reason=reason, at=AT)
    pages = {
        str(row.arena_game_id): client.get(reverse("arenas:game", args=["foa-rbb", row.pk])).content.decode()
        for row in Game.objects.all()
    }

    found = {number: codes(markup) for number, markup in pages.items()}
    assert [found[f"g000{number}"] for number in range(4)] == [["late"], ["cancelled"], [], ["not-rated"]]
    assert ("60+0" in pages["g0003"], reason in pages["g0001"]) == (True, True)
    # What a cancelled game was for an initial rating, neither its page nor its player's says any longer.
    found = Game.objects.get(arena_game_id="g0002")
    target = "first target reached"
    address = reverse("arenas:game", args=["foa-rbb", found.pk])
    member = reverse("arenas:member", args=["foa-rbb", found.white_id])
    assert [target in client.get(one).content.decode() for one in (address, member)] == [True, True]
    cancel_game(found, reason=reason, at=AT)
    assert [target in client.get(one).content.decode() for one in (address, member)] == [False, False]


def test_lost_game_that_raises_the_average_of_the_first_games_says_why(
    chess_online: Arena, client: Client
) -> None:
    enrol(chess_online, "ada", "ben", "cyd")
    record(chess_online, *(game(number, "ben", "cyd", "1-0") for number in range(1, 13)))
    record(chess_online, *(game(number, "cyd", "ada", "1-0") for number in range(13, 19)))
    record(chess_online, game(19, "ben", "ada", "1-0"))
    found = Game.objects.get(arena_game_id="g0019")

    response = client.get(reverse("arenas:game", args=["chess-online", found.pk]))

    shown = [
        (row["side"].member.handle, row["result"], row["is_raised_by_loss"])
        for row in response.context["outcomes"]
    ]
    assert shown == [("ben", "won", False), ("ada", "lost", True)]
