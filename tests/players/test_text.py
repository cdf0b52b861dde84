"""Names without accents and case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.spelling import fold, words_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Müller, José", ["muller", "jose"]),
        ("O'Brien, Anna Anna", ["o", "brien", "anna"]),
        ("Øster, Łukasz", ["oster", "lukasz"]),
        # A letter of mathematics has no case; the letter that it stands for has.
        ("00𝗔", ["00a"]),
    ],
)
def test_words_of_a_name(name: str, words: list[str]) -> None:
    assert words_of(name) == words


@given(st.text(max_size=40))
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
