"""Hooks: what an app asks of those above it, which it does not import. Functions of these answer, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class Hook(Generic[Asked, Answer]):
    """A hook with the functions that answer it, in the order in which their modules are imported.

    `Hook[[date], int]()` is answered by functions of a date that return a number.
    """

    def __init__(self) -> None:
        self._functions: list[Callable[Asked, Answer]] = []

    def answered_by(self, function: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
        """Add a function to those that answer; for use as a decorator."""
        self._functions.append(function)
        return function

    def answers(self, *args: Asked.args, **kwargs: Asked.kwargs) -> list[Answer]:
        return [function(*args, **kwargs) for function in self._functions]

    def answer(self, *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        """Return the only answer; `LookupError` where not exactly one function answers."""
        if len(self._functions) != 1:
            raise LookupError(f"{len(self._functions)} functions answer where one should")
        return self._functions[0](*args, **kwargs)
