"""Questions to the apps above: each function answers, in order."""

from __future__ import annotations

import pytest

from core.questions import Question


def test_each_function_answers_in_order() -> None:
    question = Question[[int], int]()
    question.answered_by(lambda number: number + 1)
    question.answered_by(lambda number: number * 2)

    assert question.answers(5) == [6, 10]
    with pytest.raises(LookupError):
        question.answer(5)


def test_one_function_gives_the_answer() -> None:
    question = Question[[], str]()

    with pytest.raises(LookupError):
        question.answer()
    question.answered_by(lambda: "yes")
    assert question.answer() == "yes"
