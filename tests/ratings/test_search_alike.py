"""Search past slips of typing and by ear: only where nobody is called as was asked."""

from __future__ import annotations

import pytest
from django.test import Client

from players import names
from players.models import NameSound
from players.name_refusals import rename_players
from players.names import find_similar_names, similar_words
from ratings.search import find_players_or_alike
from tests import make
from tests.public.pages import page, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "typed",
    [
        "Fitzgerld, Meyer",
        "meier fitzgerald",
        "fizgerald mayer",
        "FITZGEARLD",
        "maier fitz",
        "mayr fitzgerakd",
    ],
)
def test_slip_or_another_spelling_finds_the_player(typed: str) -> None:
    player = make.player(name="Fitzgerald-Meyer, Ann")
    make.player(name="Hammer, Meyer")
    make.player(name="Fitzroy, Ann")
    found = find_players_or_alike(typed, newest=[])
    assert ([one.player for one in found.players], found.is_cut) == ([player], False)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Al-Sayed, Omar", "el sayed"),
        ("Van der Berg, Piet", "van den berg"),
        ("De la Cruz, Ana", "cruz del ana"),
    ],
)
def test_particles_are_left_out_where_nobody_has_them_so(name: str, typed: str) -> None:
    player = make.player(name=name)
    assert [one.player for one in find_players_or_alike(typed, newest=[]).players] == [player]


def test_exact_names_are_found_without_those_alike() -> None:
    player = make.player(name="Meyer, Ann")
    make.player(name="Meier, Ann")
    found = find_players_or_alike("ann meyer", newest=[])
    assert ([one.player for one in found.players], found.is_alike) == ([player], False)


def test_nearest_come_first() -> None:
    far = make.player(name="Mayr, Ann")
    near = make.player(name="Meyer, Ann")
    found = find_players_or_alike("meier ann", newest=[])
    assert ([one.player for one in found.players], found.is_alike) == ([near, far], True)


@pytest.mark.parametrize("typed", ["", ",.-", "zzzzzzz", "x", "7654321", "\U0010ffff", "a" * 200])
def test_what_is_like_nobody_finds_nobody(typed: str) -> None:
    make.player(name="Meyer, Ann")
    found = find_players_or_alike(typed, newest=[])
    assert ([*found.players], found.is_alike) == ([], False)


def test_words_alike_are_one_query_however_many_words(django_assert_max_num_queries: object) -> None:
    make.player(name="Meyer, Anna")
    with django_assert_max_num_queries(1):  # type: ignore[operator]
        assert similar_words(["mayer", "ana"]) == {"mayer": {"meyer": 1}, "ana": {"anna": 1}}


def test_players_of_common_words_are_looked_at_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "MAX_EXAMINED", 3)
    for letter in "abcde":
        make.player(name=f"Meyer, A{letter}")
    assert len(find_similar_names("mayer")) == 3


def test_sounds_are_written_once_a_word_and_with_a_new_name() -> None:
    player = make.player(name="Meyer, Ann")
    make.player(name="Meyer, Bob")
    rename_players([(player.pk, "Smith, Ann", "Meyer, Ann")])
    rows = NameSound.objects.order_by("word").values_list("word", "sound")
    assert list(rows) == [("ann", "an"), ("bob", "bub"), ("meyer", "mir"), ("smith", "smt")]


def test_pages_say_that_nobody_is_called_so(client: Client) -> None:
    make.player(name="Meyer, Ann")
    for address in ("/players/?q=maier", "/search?q=maier"):
        markup = text_of(page(client, address))
        assert "“maier”" in markup
        assert "Meyer, Ann" in markup
