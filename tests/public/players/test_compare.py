"""Comparison of two or three players: the form, the chart, the games between two of them."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import Player
from ratings.player_field import CANDIDATES
from tests import make
from tests.public.pages import codes, page, rows

pytestmark = pytest.mark.django_db
COMPARE = "/players/compare/"


def address(*players: Player) -> str:
    return COMPARE + "?" + "&".join(f"player={player.pk}" for player in players)


def test_games_of_two_are_newest_first_with_both_rating_changes(client: Client, three: list[Player]) -> None:
    hero, strong, _weak = three
    markup = page(client, address(hero, strong))
    assert rows(markup, table=2)[1:] == [["Hero, Hanna", "1 won, 1 drawn, 0 lost", "1½ /2"]]
    assert rows(markup, table=3)[1:] == [
        ["Open of Alphaville Rapid · Sat 10 Jan 2026 · on the list of February 2026"],
        ["3", "Black ½–½", "▲ +2.80 gain", "▼ −2.80 loss"],
        ["1", "White 1–0", "▲ +12.80 gain", "▼ −12.80 loss"],
    ]
    turned = page(client, address(strong, hero))
    assert rows(turned, table=2)[1:] == [["Strong, Stan", "0 won, 1 drawn, 1 lost", "½ /2"]]


def test_chart_has_a_line_for_each_player_of_the_chosen_rating_type(
    client: Client, three: list[Player]
) -> None:
    markup = page(client, address(*three))
    assert [label in markup for label in ("kind-first", "kind-second", "kind-third")] == [True] * 3
    assert rows(markup)[0] == ["List", "Hero", "Strong", "Weak"]
    assert 'class="pairings ' in markup
    response = client.get(address(*three) + "&range=all&kind=blitz")
    assert response.context["switches"][1]["choices"][0]["url"] == (
        "?" + "&".join(f"player={player.pk}" for player in three) + "&kind=rapid#history"
    )


def test_names_redirect_to_their_players(client: Client, three: list[Player]) -> None:
    found = address(*three[:2])
    response = client.get(COMPARE, {"player": ["hero", " strong stan ", ""]})
    assert (response.status_code, response["Location"]) == (302, found)
    # What the fields show then leads to the same page.
    shown = [field.shown for field in client.get(found).context["fields"]]
    assert shown == [f"Hero, Hanna {three[0].pk}", f"Strong, Stan {three[1].pk}", ""]
    assert client.get(COMPARE, {"player": shown})["Location"] == found


def test_ambiguous_name_offers_the_players_and_keeps_what_was_typed(
    client: Client, three: list[Player]
) -> None:
    twins = [make.player(name=f"Twin, {name}") for name in ("Tara", "Tim")]
    answer = client.get(f"{COMPARE}?player={three[0].pk}&player=twin")
    markup = answer.content.decode()
    assert [one for one, _address, _ratings in answer.context["candidates"][2]] == twins
    assert 'value="twin"' in markup
    for twin in twins:
        assert f'href="?player={three[0].pk}&amp;player={twin.pk}"' in markup
    assert "/players/?q=twin" not in markup
    for number in range(CANDIDATES):
        make.player(name=f"Twin, {number}")
    assert 'href="/players/?q=twin"' in page(client, f"{COMPARE}?player={three[0].pk}&player=twin")


@pytest.mark.parametrize("text", ["nobody", "5", "²", "99999999999", "123456789", "\x00x"])
def test_unknown_player_is_refused_at_the_field(client: Client, text: str) -> None:
    known = make.entry().player
    response = client.get(COMPARE, {"player": [known.pk, text]})
    assert [bool(field.error) for field in response.context["fields"]][:2] == [False, True]
    assert not response.context["candidates"][2]


def test_one_player_twice_or_alone_is_no_comparison(client: Client, three: list[Player]) -> None:
    assert client.get(address(three[0], three[0]))["Location"] == address(three[0])
    assert codes(page(client, address(three[0]))) == ["one-player"]


def test_merged_id_redirects_to_the_remaining_player(client: Client, three: list[Player]) -> None:
    hero, strong, _weak = three
    doubled = make.player(merged_into=strong)
    assert client.get(address(hero, doubled))["Location"] == address(hero, strong)


def test_page_says_that_players_never_met(client: Client, three: list[Player]) -> None:
    stranger = make.player(name="Stranger, Sue")
    assert codes(page(client, address(three[0], stranger))) == ["no-games"]


def test_unpublished_games_are_not_shown(client: Client) -> None:
    month = make.play_month(is_published=False)
    assert codes(page(client, address(month.hero, month.others[0]))) == ["no-games"]


def test_former_address_of_games_against_an_opponent_redirects(client: Client, three: list[Player]) -> None:
    hero, strong, _weak = three
    response = client.get(f"/players/{hero.pk}/record/?against={strong.pk}")
    assert response["Location"] == address(hero, strong)
