"""Records as tables of columns: a table reads a line into a row, writes it, and knows where each field stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from tournaments.trf.fields import FieldError, half_points, laid_out, points_text, whole

AFTER_TAG = 4


class UnreadableError(ValueError):
    """A text is not what its column holds."""


class OddError(ValueError):
    """A text was read in a way that deserves the finding of a code; `value` is what it means."""

    def __init__(self, value: Any, code: str) -> None:
        super().__init__(code)
        self.value, self.code = value, code


@dataclass(frozen=True, slots=True)
class ColumnKind:
    """What a column holds: reads its text without blanks around it, and writes a value in so many columns.

    `read` raises `UnreadableError` or `OddError`. `is_like` is a quick look whether a text can be of the kind.
    A text `is_left` or else right-aligned.
    """

    read: Callable[[str], Any]
    write: Callable[[Any, int], str]
    is_like: Callable[[str], bool] = bool
    blank: Any = None
    is_left: bool = False


def _number(text: str) -> int:
    number = whole(text)
    if number is None:
        raise UnreadableError(text)
    return number


def _points(text: str) -> int:
    points = half_points(text)
    if points is None:
        raise UnreadableError(text)
    return points


def _read_signed(text: str) -> int:
    return -_points(text[1:]) if text.startswith("-") else _points(text)


def _written_points(value: int | None, width: int) -> str:
    return "" if value is None else f"{points_text(value, width=width):>{width}}"


def is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


TEXT = ColumnKind(str, lambda value, _width: str(value), blank="")
CODE = ColumnKind(str.upper, lambda value, width: f"{value:>{width}}", blank="")
RIGHT_TEXT = ColumnKind(str, lambda value, width: f"{value:>{width}}", blank="")
NUMBER = ColumnKind(_number, lambda value, width: f"{'' if value is None else value:>{width}}", is_digits)
POINTS = ColumnKind(_points, _written_points)
SIGNED_POINTS = ColumnKind(_read_signed, _written_points)


def one_of(*allowed: str) -> ColumnKind:
    """Return the kind of a column with one of some codes, in small or capital letters."""

    def read(text: str) -> str:
        if text.upper() not in allowed:
            raise UnreadableError(text)
        return text.upper()

    return ColumnKind(read, lambda value, _width: str(value), blank="")


@dataclass(frozen=True, slots=True)
class RecordColumn:
    """The columns `first` to `last`, counted from 1: a field, its label on a ruler, the code of what cannot be read."""

    name: str
    first: int
    last: int
    kind: ColumnKind = TEXT
    is_required: bool = False
    label: str = ""
    unread: str = ""

    @property
    def width(self) -> int:
        return self.last - self.first + 1

    @property
    def place(self) -> slice:
        """The field in a line."""
        return slice(self.first - 1, self.last)

    def text(self, line: str, *, at: int = 0) -> str:
        """Return the text of the field without blanks around it, `at` columns to the right."""
        return line[max(0, self.first - 1 + at) : max(0, self.last + at)].strip()

    def value(self, line: str, *, at: int = 0) -> Any:
        """Return the value of the field; `FieldError` where it cannot be read or is missing."""
        text = self.text(line, at=at)
        if not text and not self.is_required:
            return self.kind.blank
        try:
            return self.kind.read(text)
        except UnreadableError as error:
            raise FieldError(self.first + at, self.width) from error


@dataclass(frozen=True)
class Repeat:
    """Columns that come again every `step` columns to the end of the line, the first time from `first` on.

    Of one column the values are a tuple, of several a tuple of tuples.
    """

    name: str
    first: int
    step: int
    columns: tuple[RecordColumn, ...]
    label: str = ""

    @cached_property
    def gaps(self) -> tuple[int, ...]:
        """The columns of one time, counted from 1, that are blank."""
        return tuple(sorted({*range(1, self.step + 1)} - _covered_columns(self.columns)))

    def starts(self, line: str) -> range:
        """Return how far each time is to the right."""
        return range(self.first - 1, len(line), self.step)

    def values(self, line: str) -> tuple[Any, ...]:
        """Return the values of each time; `FieldError` where one cannot be read."""
        found = []
        for at in self.starts(line):
            if any(line[at + gap - 1 : at + gap].strip() for gap in self.gaps):
                raise FieldError(at + 1, self.step)
            values = tuple(column.value(line, at=at) for column in self.columns)
            found.append(values if len(self.columns) > 1 else values[0])
        return tuple(found)

    def pieces(self, values: Sequence[Any]) -> Iterator[tuple[int, str]]:
        """Yield each value with its column."""
        for index, item in enumerate(values):
            at = self.first - 1 + index * self.step
            for column, value in zip(self.columns, item if len(self.columns) > 1 else (item,), strict=True):
                yield at + column.first, column.kind.write(value, column.width)

    def column_of(self, number: int) -> int:
        """Return the first column of a time, counted from 1, in a line."""
        return self.first + self.step * (number - 1)


@dataclass(frozen=True, slots=True)
class Words:
    """Values that are words after the tag, in no columns; a single one is the value itself."""

    name: str
    kind: ColumnKind
    is_single: bool = False

    def values(self, line: str) -> Any:
        """Return the values; `FieldError` where one cannot be read."""
        if self.is_single:
            return self._value(line, line[3:].strip(), AFTER_TAG)
        return tuple(self._value(line, text, line.index(text, 3)) for text in line[3:].split())

    def _value(self, line: str, text: str, at: int) -> Any:
        try:
            return self.kind.read(text)
        except UnreadableError as error:
            raise FieldError(at + 1, max(len(text), 1)) from error


@dataclass(frozen=True)
class RecordTable:
    """The columns of a record. The columns between the fields are blank.

    `ends` is whether nothing may follow the last field.
    """

    columns: tuple[RecordColumn, ...] = ()
    repeat: Repeat | None = None
    words: Words | None = None
    is_rest: bool = False
    ends: bool = False

    @cached_property
    def names(self) -> tuple[str, ...]:
        more = [part.name for part in (self.repeat, self.words) if part]
        return (*(column.name for column in self.columns), *more, *(["rest"] if self.is_rest else []))

    @cached_property
    def separators(self) -> tuple[int, ...]:
        """The positions in a line, from 0, that part the fields and are blank."""
        last = self.repeat.first - 1 if self.repeat else self.columns[-1].last if self.columns else 0
        return tuple(sorted({*range(3, last)} - {column - 1 for column in _covered_columns(self.columns)}))

    def loads(self, line: str) -> RecordRow:
        """Return the row of a line; `FieldError` where a field cannot be read or a column must be blank."""
        values: list[Any] = []
        for position in self.separators if self.columns else ():
            if line[position : position + 1].strip():
                raise FieldError(position + 1, 1)
        if self.ends and len(line) > self.columns[-1].last:
            raise FieldError(self.columns[-1].last + 1, len(line) - self.columns[-1].last)
        values += (column.value(line) for column in self.columns)
        values += [self.repeat.values(line)] if self.repeat else []
        values += [self.words.values(line)] if self.words else []
        values += [line[3:]] if self.is_rest else []
        return RecordRow(line[:3], tuple(values), self)

    def dumps(self, tag: str, values: Sequence[Any]) -> str:
        """Return values as a line; `ValueError` where one does not fit its columns."""
        if self.is_rest:
            return f"{tag}{values[0]}"
        if self.words:
            given = (values[0],) if self.words.is_single else values[0]
            return " ".join([tag, *(self.words.kind.write(value, 4) for value in given)])
        pieces = [(1, tag)]
        pieces += (
            (column.first, column.kind.write(value, column.width))
            for column, value in zip(self.columns, values, strict=False)
        )
        if self.columns:
            pieces.append((self.columns[-1].last + 1, ""))
        if self.repeat:
            pieces += self.repeat.pieces(values[-1])
        return laid_out(*pieces).rstrip()


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record as values: `row["round"]` is the field of that name in the table of its tag."""

    tag: str
    values: tuple[Any, ...]
    table: RecordTable = field(compare=False, repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.values[self.table.names.index(name)]

    def __contains__(self, name: str) -> bool:
        return name in self.table.names

    def get(self, name: str, default: Any = None) -> Any:
        """Return a field, or something else where the table has none of the name."""
        return self[name] if name in self.table.names else default

    @property
    def text(self) -> str:
        """The text after the tag of a record without columns."""
        return str(self.get("rest", "")).strip()

    def dumps(self) -> str:
        """Return the record as a line."""
        return self.table.dumps(self.tag, self.values)


def _covered_columns(columns: Sequence[RecordColumn]) -> set[int]:
    return {number for column in columns for number in range(column.first, column.last + 1)}


def ruler(columns: Sequence[RecordColumn]) -> tuple[str, str, str]:
    """Return three lines over a line of columns: their first numbers, their labels, and how far each reaches."""
    numbers, labels, ticks = "", "", ""
    for column, after in [*pairwise(columns), (columns[-1], None)] if columns else ():
        start = column.first - 1
        width = (after.first - 1 if after else column.last) - start
        numbers = numbers.ljust(start) + f"{column.first:<{width}}"[: max(width, len(str(column.first)))]
        labels = labels.ljust(start) + f"{column.label:<{width}}"[:width]
        tick = "│" if column.width == 1 else f"├{'─' * (column.width - 2)}┤"
        ticks = ticks.ljust(start) + tick
    return numbers, labels, ticks
