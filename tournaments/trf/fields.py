"""Single fields of records: numbers, points, titles, sexes."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
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


FEDERATIONS = Path(__file__).resolve().parents[2] / "players" / "data" / "federations.csv"
TITLES = {
    **{title: title for title in ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")},
    "G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM", "GF": "WGM",
    "MF": "WIM", "FF": "WFM", "CF": "WCM", "-": "", "": "",
}  # fmt: skip
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
    """Return whether a text is three capital letters."""
    return len(text) == 3 and text.isascii() and text.isalpha() and text.isupper()


@cache
def federation_codes() -> frozenset[str]:
    """Return the codes that federations have or had, from the portal's own list of them."""
    with FEDERATIONS.open(encoding="utf-8", newline="") as file:
        return frozenset(row["code"] for row in csv.DictReader(file))


def half_points(text: str) -> int | None:
    """Return points such as `11.5`, `11,5` or `11` in half points, None for anything else."""
    before, _, after = text.strip().replace(",", ".").partition(".")
    if before[-1:].isspace():
        return None
    points = whole(before) if before else 0 if after else None
    half = HALF_POINTS.get(after)
    return None if points is None or half is None else 2 * points + half


def points_text(points: int, *, width: int) -> str:
    """Return half points as `11.5`, without decimals where they would not fit."""
    sign, whole_points = "-" if points < 0 else "", abs(points) // 2
    text = f"{sign}{whole_points}.{5 * (points % 2)}"
    return text if len(text) <= width or points % 2 else f"{sign}{whole_points}"


def laid_out(*pieces: tuple[int, str]) -> str:
    """Return a line with each text at its column, counted from 1; `ValueError` where two would overlap."""
    line = ""
    for column, text in pieces:
        if len(line) > column - 1:
            raise ValueError(f"{line!r} reaches into column {column}")
        line = line.ljust(column - 1) + text
    return line


def in_ranges(numbers: Sequence[int]) -> str:
    """Return numbers in rising order as text, consecutive ones together: `1–3, 5`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1] = [ranges[-1][0], number]
        else:
            ranges.append([number])
    return ", ".join("–".join(map(str, some)) for some in ranges)


def numbers_in(text: str) -> list[int]:
    """Return the numbers of a text that `in_ranges` has made."""
    ends = [list(map(int, part.split("–"))) for part in text.split(", ") if part]
    return [number for one in ends for number in range(one[0], one[-1] + 1)]
