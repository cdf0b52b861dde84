"""Search by name: bounded work, complete where one word is rare, honest where all are common."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from players import names
from players.models import NameWord
from players.names import find_ids
from players.spelling import has_mixed_word, words_of
from ratings import search
from ratings.search import find_players, find_players_or_alike, ratings_of
from tests import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a word common that more than three players have, so that few rows show what many do."""
    monkeypatch.setattr(names, "MAX_FOUND", 3)


def ids(*people: str) -> list[int]:
    return [make.player(name=name).pk for name in people]


def test_rare_word_is_asked_first_and_the_others_of_its_players(few: None) -> None:
    common = ids(*(f"Garcia, Jose {letter}" for letter in "abcdefgh"))
    rare = ids("Garcia, Zacarias")
    assert find_ids("jose garcia") == (common[:3], True)
    assert find_ids("garcia zac") == (rare, False)
    assert find_ids("zac jose") == ([], False)


def test_common_words_together_give_as_many_as_are_looked_at(few: None) -> None:
    both = ids(*(f"Garcia, Jose {letter}" for letter in "ab"))
    ids(*(f"Garcia, Pedro {letter}" for letter in "abcd"), *(f"Lopez, Jose {letter}" for letter in "abcd"))
    assert find_ids("garcia jose") == (both, True)


def test_whole_words_come_before_longer_ones(few: None) -> None:
    ids(*(f"Lindqvist, L{place}" for place in range(4)))
    whole = ids("Lin, Long")
    assert find_ids("lin")[0][0] == whole[0]


def test_of_very_many_only_so_many_are_looked_up_on_the_lists(
    few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "RANKED_OF_MANY", 2)
    newest = make.rating_list()
    people = [
        make.entry(rating_list=newest, rating=rating, player__name="Garcia, Jose").player
        for rating in (1500, 1900, 1700, 1600)
    ]
    found = find_players("garcia", newest=[newest])
    assert ([one.player for one in found.players], found.is_cut) == ([people[1], people[0]], True)
    rare = find_players(f"{people[2].pk}", newest=[newest])
    assert ([one.player for one in rare.players], rare.is_cut) == ([people[2]], False)


def test_highest_rated_come_first_and_the_rest_is_said_to_be_there() -> None:
    first = make.rating_list()
    rated = [
        make.entry(rating_list=first, rating=rating, player__name=f"Same, S{rating}").player
        for rating in (1500, 1900, 1700)
    ]
    unrated = make.player(name="Same, Una")
    found = find_players("same", newest=[first], shown=3)
    assert [one.player for one in found.players] == [rated[1], rated[2], rated[0]]
    assert found.is_cut
    whole = find_players("same", newest=[first])
    assert ([one.player for one in whole.players][3:], whole.is_cut) == ([unrated], False)


def test_order_is_the_same_however_many_ratings_are_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MANY", 3)
    lists = [make.rating_list(kind=kind) for kind in ("rapid", "blitz")]
    people = [make.player(name=f"Common, C{number}") for number in range(20)]
    for number, player in enumerate(people[:12]):
        make.entry(rating_list=lists[number % 2], rating=1500 + number // 2 * 10, player=player)
        make.entry(rating_list=lists[1 - number % 2], rating=1900 - number * 7 % 50, player=player)
    best = sorted(people[:12], key=lambda one: (-max(ratings_of([one.pk], lists)[one.pk].values()), one.pk))
    for top, typed, shown in product((1, 4, 9, 100), ("common", "comon"), (2, 8, 15)):
        monkeypatch.setattr(search, "TOP_OF_A_LIST", top)
        search.forget_top_ratings()
        found = find_players_or_alike(typed, newest=lists, shown=shown)
        assert [one.player for one in found.players] == [*best, *people[12:]][:shown]


def test_new_list_and_merger_change_the_order_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MANY", 1)
    people = [make.player(name="Common, Carl") for _ in range(3)]
    successor = make.player(name="Successor, Sam")
    for day, ratings in ((date(2026, 1, 1), (1500, 1600, 1700)), (date(2026, 2, 1), (1800, 1600, 1700))):
        newest = make.rating_list(date=day)
        for player, rating in zip(people, ratings, strict=True):
            make.entry(rating_list=newest, rating=rating, player=player)
        make.entry(rating_list=newest, rating=2000, player=successor)
        found = find_players("common", newest=[newest], shown=1).players
        assert [one.player for one in found] == [people[ratings.index(max(ratings))]]
    people[1].merged_into = successor
    people[1].save()
    found = find_players("common", newest=[newest], shown=1).players
    assert [one.player for one in found] == [successor]


@pytest.mark.parametrize("text", ["", "   ", ",.-", "\U0010ffff", "0", "12345678901234567890"])
def test_text_that_names_nobody_finds_nobody(text: str) -> None:
    ids("Somebody, Sam")
    assert find_ids(text) == ([], False)


@pytest.mark.parametrize("name", ["µ Anna-Lena", "Ждан, Анна"])
def test_name_in_another_script_is_found_as_it_is_written(name: str) -> None:
    player = make.player(name=name)
    assert find_ids(name) == ([player.pk], False)


@given(st.data())
def test_every_beginning_of_the_words_in_any_order_finds_the_player(data: st.DataObject) -> None:
    NameWord.objects.all().delete()
    name = data.draw(st.text(st.characters(categories=("L", "Nd")), min_size=1, max_size=12)) + " Anna-Lena"
    # Such a name is not taken.
    assume(not has_mixed_word(name))
    player = make.player(name=name)
    words = data.draw(st.permutations(words_of(name)[: names.MAX_WORDS]))
    typed = " ".join(word[: data.draw(st.integers(1, len(word)))] for word in words)
    if not typed.isdecimal():
        assert find_ids(typed) == ([player.pk], False)
