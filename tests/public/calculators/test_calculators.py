"""The calculator pages: typed or looked-up ratings, errors at their row, all input in the URL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from ratings.next_list import update_next_list
from ratings.player_field import CANDIDATES
from tests import make
from tests.growth import find_growing
from tests.public.pages import codes, lines, page, rows, text_of

pytestmark = pytest.mark.django_db
ROOT = "/calculators/"
PAGES = ("", "first-rating/", "performance/")


def address(name: str = "", played: tuple[tuple[Any, str], ...] = (), **own: Any) -> str:
    typed = [*own.items()]
    for opponent, score in played:
        typed += [("opponent", opponent), ("score", score)]
    return f"{ROOT}{name}?{urlencode(typed)}"


def result_of(markup: str) -> str:
    return text_of("<main" + markup.partition('id="result"')[2])


@pytest.mark.parametrize("name", PAGES)
def test_page_shows_the_form_before_any_input(client: Client, name: str) -> None:
    assert 'id="result"' not in page(client, ROOT + name)


def test_change_is_shown_game_by_game(client: Client) -> None:
    shown = page(client, address(played=((2150, "1"), (1600, "1"), (2000, "0.5")), rating=2100, k=20))
    assert [row[2:6] for row in rows(shown, table=1)[1:]] == [
        ["−50", "0.43", "1", "▲ +0.57 gain"],
        ["500 400", "0.92", "1", "▲ +0.08 gain"],
        ["100", "0.64", "½", "▼ −0.14 loss"],
    ]
    assert "2100 becomes 2110" in result_of(shown)


def test_player_and_opponents_are_looked_up(client: Client) -> None:
    make.player(fide_id=100002, name="Nová, Ema")
    make.first_list({100001: (2200, 10), 100002: 2000, 100003: None}, kind="blitz")
    typed = address(played=(("ema nova", "1"), (100003, "0")), player="100001", kind="blitz")
    shown = client.get(typed)
    assert "2200 becomes 2202" in result_of(shown.content.decode())
    assert [outcome.counts for _row, outcome, _keys in shown.context["outcomes"]] == [True, False]


def test_rating_and_k_of_the_player_are_filled_in(client: Client) -> None:
    make.first_list({100001: (2200, 10)}, kind="blitz")
    shown = page(client, f"{ROOT}?kind=blitz&player=100001&k=40&rating=1500")
    assert 'name="rating" value="2200"' in shown
    assert 'name="k" value="10"' in shown
    assert "rated 2200, K 10" in text_of(shown)


def test_one_of_several_players_can_be_selected(client: Client) -> None:
    make.player(fide_id=100001, name="Nová, Ema")
    make.player(fide_id=100002, name="Nova, Ida")
    answer = client.get(address(played=((1700, "1"), ("", "0"), ("nova", "0.5")), rating=1800))
    shown, row = answer.content.decode(), answer.context["question"].rows[2]
    assert (bool(row.error), len(row.typed.candidates)) == (True, 2)
    query = "?rating=1800&amp;opponent=1700&amp;opponent=&amp;opponent=100002&amp;score=1&amp;score=0&amp;score=0.5"
    assert f'href="{query}"' in shown
    assert not row.typed.is_cut
    for number in range(CANDIDATES):
        make.player(name=f"Nova, {number}")
    make.first_list({100002: 2000}, kind="blitz")
    answer = client.get(address(played=(("nova", "1"),), kind="blitz"))
    typed = answer.context["question"].rows[0].typed
    # The rated one first, and those left out are not kept secret.
    assert (typed.candidates[0].pk, len(typed.candidates), typed.is_cut) == (100002, CANDIDATES, True)


def test_unrated_player_uses_the_standard_rating_7_2_1(client: Client) -> None:
    make.first_list({100001: 1700}, kind="standard")
    make.first_list({100002: 1700})
    answer = result_of(page(client, address(played=((1700, "1"),), player="100001")))
    # D-21: no completed game of the type, so K is 40.
    assert "1700 becomes 1720" in answer


def test_initial_rating_shows_what_is_missing_6_1_4(client: Client) -> None:
    answer = client.get(address("first-rating/", played=((1900, "1"), (1850, "0.5"))))
    assert answer.context["missing"] == 3


def test_7_2_2_first_tournament_without_points_counts_nowhere_on_the_pages(client: Client) -> None:
    """No initial rating, and one reason a game: not that it is counted beside that it is not."""
    lost = ((1800, "0"),) * 5
    first = client.get(address("first-rating/", played=lost))
    assert (first.context["initial"], "data-disregarded" in first.content.decode()) == (None, True)
    outcomes = client.get(address(played=lost)).context["outcomes"]
    assert {tuple(keys) for _row, _outcome, keys in outcomes} == {("disregarded-7.2.2",)}


@pytest.mark.parametrize(
    ("asks", "query"),
    [
        (PAGES, "opponent=&score=&opponent=&score=1"),
        (PAGES, "kind=bullet&opponent=1800&score=1"),
        (PAGES[:1], "rating=99999&opponent=1800&score=1"),
        (PAGES[:1], "rating=999&opponent=1800&score=1"),
        (PAGES, "rating=x&k=21&opponent=1800&score=7"),
        (PAGES[:2], "opponent=1800&score=1&player=%00"),
        (PAGES, "opponent=%00abc&score=1"),
        (PAGES, "opponent=999&score=1"),
        (PAGES, "opponent=0&score=1"),
        (PAGES, "opponent=99999999999999999999&score=0"),
        (PAGES, "opponent=²&score=1"),
        (PAGES, "opponent=%F0%9F%99%82&score=1"),
        (PAGES[:2], "player=" + "9" * 400 + "&opponent=1800&score=1"),
        (PAGES[:2], "player=" + "x" * 4000 + "&opponent=1800&score=1"),
    ],
)
def test_invalid_input_is_refused_where_it_is_asked(client: Client, asks: Sequence[str], query: str) -> None:
    for name in PAGES:
        shown = page(client, f"{ROOT}{name}?{query}")
        is_answered = 'class="calculation' in shown
        assert ("faulty" in codes(shown), is_answered) == (name in asks, name not in asks)


def test_missing_score_is_marked_and_the_score_of_an_empty_row_is_kept(client: Client) -> None:
    shown = client.get(address(played=((1800, ""), ("", "0.5")))).context["question"]
    assert [place for place, _label, _reason in shown.problems] == ["score-1"]
    assert shown.rows[1].score == "0.5"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("query", ["opponent=1800", "score=1", "opponent=&score=&more=1"])
def test_incomplete_input_is_no_error(client: Client, name: str, query: str) -> None:
    assert codes(page(client, f"{ROOT}{name}?{query}")) == []


def test_more_than_100_games_are_cut_with_a_message(client: Client) -> None:
    shown = page(client, address(played=((1800, "1"),) * 120, rating=1800))
    assert codes(shown) == ["cut"]
    assert len(rows(shown, table=1)) == 101


def test_queries_do_not_grow_with_the_opponents(client: Client) -> None:
    make.first_list({100000 + number: 1800 for number in range(40)})

    def fill(many: int) -> str:
        return address(played=tuple((100001 + number, "1") for number in range(many)), player="100000")

    assert find_growing(fill, [(ROOT, client.get)], sizes=(1, 30)) == {}


def test_games_on_the_next_list_are_included(client: Client) -> None:
    """The next list already has one rated game of 0.24 x 20. Two wins against equals add 2 x 0.5 x 20."""
    month = make.play_month(is_published=False)
    update_next_list("rapid", at=make.noon(date(2026, 1, 28)))
    answer = client.get(address(played=((1900, "1"), (1900, "1")), player=month.hero.pk))
    markup, own = answer.content.decode(), answer.context["question"].own
    assert (own.rating, own.k, own.games) == (1900, 20, 1)
    assert ("", "▲ +4.80 gain") in lines(markup)
    assert "1900 becomes 1925" in result_of(markup)


def test_earlier_games_reduce_k_of_typed_figures(client: Client) -> None:
    markup = page(client, address(played=((1800, "1"),), rating=1800, k=40, games=19))
    assert "K 35" in result_of(markup)


@pytest.mark.parametrize(
    ("own", "becomes"),
    [
        ({}, "2100 becomes 2103"),
        ({"k": 17}, "2100 becomes 2103"),
        ({"k": 19, "rules": "fide-rapid-blitz-2022"}, "2100 becomes 2102"),
        ({"k": 40, "on": "2023-12-31"}, "2100 becomes 2102"),
        ({"k": 40, "on": "2024-01-01"}, "2100 becomes 2106"),
    ],
)
def test_regulations_and_k_are_chosen(client: Client, own: dict[str, Any], becomes: str) -> None:
    markup = page(client, address(played=((1600, "1"), (1500, "1")), rating=2100, **own))
    assert becomes in result_of(markup)
    assert "exceeds" not in result_of(markup)


@pytest.mark.parametrize(
    "own",
    [
        {"on": "2021-12-31"},
        {"on": "x"},
        {"rules": "x"},
        {"rules": "fide-rapid-blitz-2022", "on": "2023-01-01"},
        {"k": 41},
    ],
)
def test_unknown_regulations_are_refused(client: Client, own: dict[str, Any]) -> None:
    assert codes(page(client, address(played=((1600, "1"),), rating=2100, **own))) == ["faulty"]


def test_player_page_links_to_the_calculator_without_games(client: Client) -> None:
    month = make.play_month()
    markup = page(client, f"/players/{month.hero.pk}/")
    link = unescape(re.findall(r'href="(/calculators/[^"]*)"', markup)[0])
    assert link == f"/calculators/?kind=rapid&player={month.hero.pk}"
    assert client.get(link).context["question"].form["rating"].value() == "1905"
