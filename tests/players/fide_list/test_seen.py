"""The set of numbers behaves as a set."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from players.fide_list.pieces import SeenNumbers
from players.fide_list.values import MAX_FIDE_ID

numbers = st.integers(0, MAX_FIDE_ID) | st.integers(4_090, 4_110)


@given(st.lists(numbers))
def test_number_is_new_once(values: list[int]) -> None:
    seen, model, answers = SeenNumbers(), set[int](), []
    for value in values:
        answers.append((seen.add(value), value not in model))
        model.add(value)
    assert all(found is wanted for found, wanted in answers)
