"""The words by which players are found."""

from __future__ import annotations

import pytest

from players.models import FormerName, NameWord, Player
from players.name_refusals import rename_players, write_name_words

pytestmark = pytest.mark.django_db


def words() -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for fide_id, word in NameWord.objects.values_list("player", "word"):
        found.setdefault(fide_id, set()).add(word)
    return found


@pytest.fixture
def people() -> list[tuple[int, str]]:
    names = [(101, "Brännström, Åsa"), (102, "O'Tool, Ann Ann"), (103, "")]
    for fide_id, name in names:
        Player.objects.create(fide_id=fide_id, name=name, federation_id="SUI")
    return names


def test_words_are_written_without_accents_once_each(people: list[tuple[int, str]]) -> None:
    write_name_words(people)
    assert words() == {101: {"brannstrom", "asa"}, 102: {"o", "tool", "ann"}}


def test_a_player_is_found_by_the_name_and_by_former_ones(people: list[tuple[int, str]]) -> None:
    write_name_words(people)
    rename_players([(102, "Hammer, Ann", "O'Tool, Ann Ann"), (103, "Nemo", "")])
    assert words() == {101: {"brannstrom", "asa"}, 102: {"hammer", "ann", "o", "tool"}, 103: {"nemo"}}
    rename_players([(102, "O'Tool-Hammer, Ann", "Hammer, Ann"), (101, "BRANNSTROM Asa", "Brännström, Åsa")])
    assert words()[102] == {"hammer", "ann", "o", "tool"}
    assert {*FormerName.objects.values_list("player", "name")} == {(102, "O'Tool, Ann Ann")}
