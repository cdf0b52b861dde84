"""Single fields: numbers, points, titles and sexes as programs write them, and as they are meant."""

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


TITLES = {
    **{title: title for title in ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")},
    "G": "GM",
    "M": "IM",
    "F": "FM",
    "C": "CM",
    "WG": "WGM",
    "WM": "WIM",
    "WF": "WFM",
    "WC": "WCM",
    "GF": "WGM",
    "MF": "WIM",
    "FF": "WFM",
    "CF": "WCM",
    "-": "",
    "": "",
}
SEXES = {"M": "M", "W": "F", "F": "F", "U": "", "-": "", "": ""}
LONGEST_NUMBER = 15
HALF_POINTS = {"": 0, "0": 0, "5": 1, "50": 1, "00": 0}


class FieldError(ValueError):
    """A field of a record cannot be read: the columns `column` to `column + length - 1`, counted from 1."""

    def __init__(self, column: int, length: int) -> None:
        super().__init__(f"columns {column}-{column + length - 1}")
        self.column = column
        self.length = length


def whole(text: str) -> int | None:
    """Return a number of at most 15 digits 0 to 9, None for anything else."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


def is_federation_code(text: str) -> bool:
    """Whether a text is three capital letters."""
    return len(text) == 3 and text.isascii() and text.isalpha() and text.isupper()


def half_points(text: str) -> int | None:
    """Return points such as `11.5`, `11,5` or `11` in half points, None for anything else."""
    before, _, after = text.strip().replace(",", ".").partition(".")
    points = whole(before) if before else 0 if after else None
    half = HALF_POINTS.get(after)
    return None if points is None or half is None else 2 * points + half


def points_text(points: int, *, width: int) -> str:
    """Return half points as `11.5`, without decimals where they would not fit."""
    text = f"{points // 2}.{5 * (points % 2)}"
    return text if len(text) <= width or points % 2 else str(points // 2)


def text_at(line: str, first: int, last: int) -> str:
    """Return the text of the columns `first` to `last`, counted from 1, without blanks around it."""
    return line[first - 1 : last].strip()


def number_at(line: str, first: int, last: int) -> int | None:
    """Return the number in the columns, None where they are blank; `FieldError` for anything else."""
    text = text_at(line, first, last)
    if not text:
        return None
    number = whole(text)
    if number is None:
        raise FieldError(first, last - first + 1)
    return number


def required_at(line: str, first: int, last: int) -> int:
    """Return the number in the columns; `FieldError` for anything else, blanks too."""
    number = number_at(line, first, last)
    if number is None:
        raise FieldError(first, last - first + 1)
    return number


def points_at(line: str, first: int, last: int) -> int | None:
    """Return the half points in the columns, None where they are blank; `FieldError` for anything else."""
    text = text_at(line, first, last)
    if not text:
        return None
    points = half_points(text)
    if points is None:
        raise FieldError(first, last - first + 1)
    return points


def blank_at(line: str, *columns: int) -> None:
    """Raise `FieldError` where one of the columns, counted from 1, is not blank: a field beside it is shifted."""
    for column in columns:
        if line[column - 1 : column].strip():
            raise FieldError(column, 1)


def numbers_from(line: str, first: int, *, width: int, step: int) -> tuple[int, ...]:
    """Return the numbers of a list of columns, to the end of the line; a blank among them is 0.

    `FieldError` where a column cannot be read or something stands between two.
    """
    starts = range(first, len(line) + 1, step)
    numbers = []
    for start in starts:
        if line[start + width - 1 : start + step - 1].strip():
            raise FieldError(start, step)
        numbers.append(number_at(line, start, start + width - 1) or 0)
    return tuple(numbers)


def laid_out(*pieces: tuple[int, str]) -> str:
    """Return a line with each text at its column, counted from 1; `ValueError` where two would overlap."""
    line = ""
    for column, text in pieces:
        if len(line) > column - 1:
            raise ValueError(f"{line!r} reaches into column {column}")
        line = line.ljust(column - 1) + text
    return line


def listed(numbers: tuple[int, ...], first: int, *, width: int, step: int) -> list[tuple[int, str]]:
    """Return numbers as pieces for `laid_out`, right-aligned in columns of a width, `step` columns apart."""
    return [(first + step * index, f"{number:>{width}}") for index, number in enumerate(numbers)]


def right(number: int | None, width: int) -> str:
    """Return a number right-aligned, blanks for None."""
    return f"{'' if number is None else number:>{width}}"
