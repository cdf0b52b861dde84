"""How words sound, and slips of typing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.spelling import LONGEST_SOUND, edit_distance, one_edit_variants, sound_of

LETTERS = st.text("abcdefghijklmnopqrstuvwxyz", max_size=9)


@pytest.mark.parametrize(
    ("words", "sound"),
    [
        ("meier meyer maier mayer mayr", "mir"),
        ("schmid schmidt schmitt", "smt"),
        ("yusupov jusupow youssoupov", "jspf"),
        ("tchigorin chigorin tschigorin", "sgrn"),
        ("alexander aleksandr alexandre", "alksntr"),
        ("mohammed muhammad mohamed", "mmt"),
        ("petroff petrov petrow", "ptrf"),
        ("sergey sergei serguei", "srg"),
        ("philip filip phillip", "flp"),
        ("khalid halid", "hlt"),
        ("catherine katharina kathrin", "ktrn"),
        ("li lee", "li"),
        ("lu loo", "lu"),
    ],
)
def test_spellings_of_one_name_sound_the_same(words: str, sound: str) -> None:
    assert {word: sound_of(word) for word in words.split()} == dict.fromkeys(words.split(), sound)


@pytest.mark.parametrize("word", ["", "123", "иван", "王"])
def test_word_without_latin_letters_has_no_sound(word: str) -> None:
    assert sound_of(word) == ""


@given(LETTERS.filter(bool))
def test_every_latin_word_has_a_short_sound(word: str) -> None:
    assert 1 <= len(sound_of(word)) <= LONGEST_SOUND


@pytest.mark.parametrize(
    ("first", "second", "slips"),
    [("carlsen", "carlsen", 0), ("carlsen", "calrsen", 1), ("carlsen", "karlson", 2), ("", "abc", 3)],
)
def test_slips_between_two_words(first: str, second: str, slips: int) -> None:
    assert (edit_distance(first, second), edit_distance(second, first)) == (slips, slips)


@given(LETTERS)
def test_words_one_slip_away_are_at_most_one_slip_away(word: str) -> None:
    assert {edit_distance(word, other) for other in one_edit_variants(word)} <= {0, 1}


@given(LETTERS, LETTERS)
def test_every_word_at_one_slip_is_among_them(word: str, other: str) -> None:
    assert (edit_distance(word, other) == 1) == (word != other and other in set(one_edit_variants(word)))
