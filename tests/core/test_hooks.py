"""Hooks for the apps above: each function answers, in order."""

from __future__ import annotations

import pytest

from core.hooks import Hook


def test_each_function_answers_in_order() -> None:
    hook = Hook[[int], int]()
    hook.answered_by(lambda number: number + 1)
    hook.answered_by(lambda number: number * 2)

    assert hook.answers(5) == [6, 10]
    with pytest.raises(LookupError):
        hook.answer(5)


def test_one_function_gives_the_answer() -> None:
    hook = Hook[[], str]()

    with pytest.raises(LookupError):
        hook.answer()
    hook.answered_by(lambda: "yes")
    assert hook.answer() == "yes"
