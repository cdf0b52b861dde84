"""What a list changed: gains, losses, newcomers, who became unrated."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    play_and_rate,
    publish,
)
from tests.ratings.played import play_month
from tests.ratings.views.pages import page, rows, text_of

pytestmark = pytest.mark.django_db
ADDRESS = "/lists/rapid/2026-02-01/changes/"


def test_gains_losses_newcomers_and_losses_of_ratings_are_told(client: Client) -> None:
    first = RatingListFactory()
    strong, weak, *others = (
        ListEntryFactory(rating_list=first, rating=rating, player__name=f"P{place}, P").player
        for place, rating in enumerate((1900, 1401, 1800, 1800, 1800, 1800))
    )
    newcomer = PlayerFactory(name="Newcomer, Nora")
    event = TournamentFactory()
    games = [(place, 7, place + 1, "1/2") for place in range(2, 7)]
    play_and_rate(event, [strong, weak, *others, newcomer], [(1, 1, 2, "1-0"), *games[:4]])
    second = TournamentFactory(start=date(2026, 1, 15))
    play_and_rate(second, [newcomer, strong], [(1, 1, 2, "1/2")])
    publish("rapid", date(2026, 2, 1))
    markup = page(client, ADDRESS)
    assert rows(markup)[1:] == [["P0, P", "SUI", "1902", "▲ +2 gain"]]
    assert "Nobody lost." in text_of(markup)
    assert rows(markup, table=1)[1:] == [["Newcomer, Nora", "SUI", "–", "1814"]]
    assert rows(markup, table=2)[1:] == [["P1, P", "SUI", "1401", "unrated"]]


def test_tournaments_and_games_are_counted(client: Client) -> None:
    play_month(3)
    assert "3 tournaments, 21 games that count." in text_of(page(client, ADDRESS))


def test_list_without_anything_says_so(client: Client) -> None:
    publish("rapid", date(2026, 2, 1))
    text = text_of(page(client, ADDRESS))
    for sentence in ("Nobody gained.", "There is no first rating on this list."):
        assert sentence in text
