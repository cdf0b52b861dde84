"""The players page without a search text: top players, new initial ratings, winners."""

from __future__ import annotations

import pytest
from django.test import Client

from ratings.models import TournamentRating
from tests import make
from tests.public.pages import page, rows, text_of
from tournaments.models import Participant, Tournament

pytestmark = pytest.mark.django_db


def test_players_page_shows_top_players_and_winners(client: Client) -> None:
    month = make.play_month(2)
    markup = page(client, "/players/")
    assert [row[:4] for row in rows(markup)[1:]] == [
        ["1", "Hero, Hanna", "SUI", "1919"],
        ["2", "Other, Otto 0", "SUI", "1690"],
        ["3", "Other, Otto 1", "SUI", "1689"],
    ]
    winners = client.get("/players/").context["winners"]
    assert [(one.player_id, one.report.tournament_id) for one in winners] == [
        (month.hero.pk, event.pk) for event in reversed(month.tournaments)
    ]


def test_new_initial_ratings_link_to_their_calculation(client: Client) -> None:
    month = make.play_month(5)
    markup = page(client, "/players/")
    assert f'href="/players/{month.newcomer.pk}/rapid/2026-02-01/"' in markup
    assert month.newcomer.name in text_of(markup)


def test_winner_of_a_tournament_on_hold_is_not_shown(client: Client) -> None:
    make.play_month(1, is_published=False)
    assert len(client.get("/players/").context["winners"]) == 1
    make.put_on_hold(Tournament.objects.all())
    assert client.get("/players/").context["winners"] == []
    assert (TournamentRating.objects.count(), Participant.objects.filter(rank=1).count()) == (1, 1)


def test_search_shows_only_the_results(client: Client) -> None:
    make.play_month(1)
    assert "winners" not in client.get("/players/?q=hero").context
