"""The page of a member of an arena."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arenas.models import Arena, Member
from arenas.systems import clauses_of
from tests.public.pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_member_page_compares_with_the_ratings_over_the_board(played: Arena, client: Client) -> None:
    ada = Member.objects.get(handle="ada")

    context = client.get(reverse("arenas:member", args=["foa-rbb", ada.pk])).context

    assert [
        (label, row.online, row.over_the_board, row.difference) for label, _kind, row in context["compared"]
    ] == [
        ("Rapid", 1811, 1800, 11),
        ("Blitz", 1800, 1800, 0),
    ]
    assert context["chart"]["svg"].count("<path") == 1
    assert [row["game"].arena_game_id for row in context["games"]] == [
        "g0005",
        "g0003",
        "g0002",
        "g0001",
        "g0000",
    ]
    # Not rated, or against an unrated opponent: the row says why nothing changed.
    assert [row["game"].arena_game_id for row in context["games"] if row["why_unchanged"]] == [
        "g0003",
        "g0002",
    ]
    player = client.get(reverse("players:player", args=[ada.player_id])).content.decode()
    assert f'href="{reverse("arenas:member", args=["foa-rbb", ada.pk])}"' in player
    # The games follow the category of the tab; the one without a category is not rated in any.
    other = client.get(reverse("arenas:member", args=["foa-rbb", ada.pk]), {"category": "blitz"}).context
    assert [row["game"].arena_game_id for row in other["games"]] == ["g0003"]


def test_first_games_are_explained_while_a_member_is_unrated(played: Arena, client: Client) -> None:
    pages = [
        client.get(reverse("arenas:member", args=["foa-rbb", Member.objects.get(handle=handle).pk]))
        for handle in ("ada", "cyd")
    ]
    names = [[one.name for one in page.context["first_games"]] for page in pages]

    assert (names[0], names[1][0]) == ([], "3.5")
    # The draw with a rated member is the first of the five games, though it changes no rating.
    assert [row["is_counted"] for row in pages[1].context["games"]] == [True]
    assert "1 of 5 games" in text_of(pages[1].content.decode())
    # Whatever is named here is a clause of the arena's rules.
    for arena in Arena.objects.all():
        known = {one.name for one in clauses_of(arena.system, arena.parameters)}
        assert known.issuperset(arena.rules.first_clauses)
