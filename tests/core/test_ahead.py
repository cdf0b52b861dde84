"""Items made in a thread, one ahead."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from ratings.imports.importing import produce_ahead


@given(st.lists(st.none() | st.integers()))
def test_items_come_as_they_are_in_their_order(items: list[int | None]) -> None:
    assert list(produce_ahead(items)) == items


def test_the_next_item_is_made_while_one_is_used() -> None:
    began = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        began.set()
        yield 2

    ahead = produce_ahead(items())

    assert next(ahead) == 1
    assert began.wait(60)
    assert list(ahead) == [2]


def test_an_error_comes_in_its_turn() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("the second")

    ahead = produce_ahead(items())

    assert next(ahead) == 1
    with pytest.raises(ValueError, match="the second"):
        next(ahead)


def test_the_thread_ends_with_who_uses_it() -> None:
    before = threading.active_count()
    ahead = produce_ahead(iter(range(10)))
    assert next(ahead) == 0

    ahead.close()  # type: ignore[attr-defined]  # a generator has it

    assert threading.active_count() == before


def test_the_language_is_that_of_who_uses_it() -> None:
    with translation.override("fr"):
        assert list(produce_ahead(translation.get_language() for _ in range(2))) == ["fr", "fr"]
