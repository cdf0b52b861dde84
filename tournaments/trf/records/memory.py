"""What short texts mean, worked out once a report: most fields of its lines are alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


class UnusualError(Exception):
    """A text that the quick reading does not understand."""


class Memory(dict[str, Value]):
    """Values by the text of a field. `read` makes the value of a new text, or raises `UnusualError`."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[str], Value]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> Value:
        value = self[text] = self._read(text)
        return value
