"""Reading the player record 001: quickly where nothing is wrong, else field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import itemgetter
from typing import Any

from tournaments.trf.columns import OddError, RecordColumn, UnreadableError
from tournaments.trf.fields import Memory, UnusualError, whole
from tournaments.trf.findings import Finding, Place, found, gettext_noop
from tournaments.trf.limits import MAX_ROUNDS
from tournaments.trf.players import (
    CELL_WIDTH,
    FIRST_ROUND,
    PlayerRecord,
    RoundResult,
    Rounds,
    column_of,
    mark_of,
)
from tournaments.trf.shift import RULED, Aligner
from tournaments.trf.tables import COLUMNS, PLAYER, ROUNDS

# Longer lines have more rounds than are read.
LONGEST = ROUNDS.column_of(MAX_ROUNDS + 1)
OPPONENT, COLOUR, CODE = ROUNDS.columns

separators_of = itemgetter(*PLAYER.separators)
ALL_BLANK = (" ",) * len(PLAYER.separators)
fields_of = itemgetter(*(column.place for column in PLAYER.columns))


class PlayerReader:
    """Reads the player lines of one report; what is alike in many lines is worked out once."""

    def __init__(self) -> None:
        self._aligner = Aligner(PLAYER)
        self._births = Memory(_quick(COLUMNS["birth"]))
        self._federations = Memory(_quick(COLUMNS["federation"]))
        self._numbers = Memory(_quick_number)
        self._points = Memory(_quick(COLUMNS["points"]))
        self._sexes = Memory(_quick(COLUMNS["sex"]))
        self._titles = Memory(_quick(COLUMNS["title"]))
        self._opponents = Memory(_quick_opponent).__getitem__
        self._marks = Memory(_quick_mark).__getitem__

    def read(self, line: str, at: int, findings: list[Finding]) -> PlayerRecord | None:
        """Return the player of a line without trailing blanks, None where it has no starting number."""
        padded = line if len(line) >= FIRST_ROUND else line.ljust(FIRST_ROUND)
        if separators_of(padded) == ALL_BLANK:
            try:
                return self._quickly(padded, self._rounds(line), at)
            except UnusualError:
                pass
        return careful_player(line, at, findings, self._aligner)

    def _quickly(self, line: str, rounds: Rounds, at: int) -> PlayerRecord:
        """Return the player of a line of all columns; `UnusualError` where a field needs a closer look."""
        number, sex, title, name, rating, federation, fide_id, birth, points, rank = fields_of(line)
        numbers = self._numbers
        starting_number = numbers[number]
        if not starting_number:
            raise UnusualError
        birth_date, birth_year = self._births[birth]
        # Directly from a tuple: the constructor would take twice as long.
        return tuple.__new__(
            PlayerRecord,
            (
                starting_number,
                name.strip(),
                self._sexes[sex],
                self._titles[title],
                numbers[rating],
                self._federations[federation],
                _quick_number(fide_id) or None,
                birth_date,
                birth_year,
                self._points[points],
                numbers[rank] or None,
                rounds,
                at,
                0,
                False,
            ),
        )

    def _rounds(self, line: str) -> Rounds:
        """Return the rounds of a line without trailing blanks; `UnusualError` where any needs a closer look."""
        number = -(-(len(line) - FIRST_ROUND) // ROUNDS.step)
        if number > MAX_ROUNDS:
            raise UnusualError
        if number <= 0:
            return NO_ROUNDS
        cells = _cells_of(number)(line)
        return Rounds(tuple(map(self._opponents, cells[:number])), tuple(map(self._marks, cells[number:])))


NO_ROUNDS = Rounds()


def _quick(column: RecordColumn) -> Callable[[str], Any]:
    """Return a reading of a column that raises `UnusualError` where there is anything to say."""

    def read(text: str) -> Any:
        text = text.strip()
        if not text:
            return column.kind.blank
        try:
            return column.kind.read(text)
        except (UnreadableError, OddError) as error:
            raise UnusualError from error

    return read


def _quick_number(text: str) -> int:
    number = whole(text)
    if number is None and text.strip():
        raise UnusualError
    return number or 0


def _quick_opponent(text: str) -> int | None:
    return _quick_number(text) or None


def _quick_mark(text: str) -> str:
    cell = text.ljust(6)
    if cell[0] + cell[2] + cell[4:] != "    ":
        raise UnusualError
    return mark_of(_quick(COLOUR)(cell[1]), _quick(CODE)(cell[3]))


@cache
def _cells_of(rounds: int) -> Callable[[str], tuple[str, ...]]:
    """Return what cuts a line into the opponents and then the marks of all rounds, all at once."""
    starts = [column_of(number) - 1 for number in range(1, rounds + 1)]
    opponents = (slice(start, start + OPPONENT.last) for start in starts)
    marks = (slice(start + OPPONENT.last, start + ROUNDS.step) for start in starts)
    return itemgetter(*opponents, *marks)


def is_aligned(line: str) -> bool:
    """Return whether every field and every round of a player line is in its columns."""
    padded = line.ljust(FIRST_ROUND)
    texts = ((column, column.text(padded)) for column in PLAYER.columns)
    return (
        separators_of(padded) == ALL_BLANK
        and all(not text or column.kind.is_like(text) for column, text in texts if column.name in IN_DIGITS)
        and all(
            RULED.match(cell := line[start : start + ROUNDS.step].ljust(ROUNDS.step))
            and not cell[CELL_WIDTH:].strip()
            for start in ROUNDS.starts(line)
        )
    )


IN_DIGITS = frozenset({"number", "rating", "fide_id", "rank"})


def careful_player(line: str, at: int, findings: list[Finding], aligner: Aligner) -> PlayerRecord | None:
    """Return the player of a line field by field, noting what cannot be read; None without a starting number."""
    moved = None if is_aligned(line) or len(line) > LONGEST else aligner.shift_of(line)
    if moved:
        place = Place(at, _first_difference(line, moved.line))
        direction = gettext_noop("to the right") if moved.by > 0 else gettext_noop("to the left")
        name = COLUMNS["name"].text(moved.line)
        shift = {"column": moved.column, "by": abs(moved.by)}
        shifted = found("shifted-columns", place, **shift, direction=direction, name=name)
        findings.append(shifted.with_fix(moved.line))
        line = moved.line
    else:
        findings += _check_separators(line, at)
    rounds = _careful_rounds(line, at, findings)
    values = _careful_values(line.ljust(FIRST_ROUND), at, findings)
    if values is None:
        return None
    birth_date, birth_year = values.pop("birth")
    values |= {"rating": values["rating"] or 0} | {name: values[name] or None for name in ("fide_id", "rank")}
    return PlayerRecord(
        **values,
        birth_date=birth_date,
        birth_year=birth_year,
        results=rounds,
        line=at,
        shift=-moved.last if moved else 0,
        is_moved=moved is not None,
    )


def _careful_values(line: str, at: int, findings: list[Finding]) -> dict[str, Any] | None:
    """Return the values of the fields by name, blank where one cannot be read; None without a starting number."""
    values: dict[str, Any] = {}
    for column in PLAYER.columns:
        raw = line[column.place]
        text = raw.strip()
        values[column.name] = column.kind.blank
        place = Place(at, column.first, column.width)
        try:
            if text or column.is_required:
                values[column.name] = column.kind.read(text)
        except OddError as error:
            values[column.name] = error.value
            findings.append(found(error.code, place, text=text))
        except UnreadableError:
            findings.append(found(column.unread, place, text=text))
        if column.is_required and not values[column.name]:
            return None
    return values


def _careful_rounds(line: str, at: int, findings: list[Finding]) -> Rounds:
    """Return the rounds of a line with what is wrong in each; what cannot be read is left empty."""
    starts = ROUNDS.starts(line)
    if len(starts) > MAX_ROUNDS:
        findings.append(found("too-many-rounds", Place(at, starts[MAX_ROUNDS] + 1), limit=MAX_ROUNDS))
        starts = starts[:MAX_ROUNDS]
    cells = (line[start : start + ROUNDS.step] for start in starts)
    return Rounds.of(_careful_cell(cell, number, at, findings) for number, cell in enumerate(cells, 1))


def _careful_cell(text: str, number: int, at: int, findings: list[Finding]) -> RoundResult:
    cell, start = text.ljust(ROUNDS.step), column_of(number)
    if any(cell[gap - 1].strip() for gap in ROUNDS.gaps):
        place = Place(at, start, len(text.rstrip()))
        findings.append(found("round-unreadable", place, text=text.rstrip(), round=number))
        return RoundResult(number, None, "", "")
    values: list[Any] = []
    for column in ROUNDS.columns:
        written = column.text(cell)
        value = column.kind.blank
        place = Place(at, start + column.first - 1, column.width)
        try:
            value = column.kind.read(written) if written else value
        except OddError as error:
            value = error.value
            more = {"meant": value} if value else {}
            findings.append(found(error.code, place, text=written, round=number, **more))
        except UnreadableError:
            findings.append(found(column.unread, place, text=written, round=number))
        values.append(value)
    opponent, colour, code = values
    return RoundResult(number, opponent or None, colour, code)


def _first_difference(line: str, other: str) -> int:
    pairs = enumerate(zip(line, other, strict=False), 1)
    return next((column for column, (one, two) in pairs if one != two), min(len(line), len(other)) + 1)


def _check_separators(line: str, at: int) -> Iterator[Finding]:
    for position in PLAYER.separators:
        if line[position : position + 1].strip():
            yield found("column-occupied", Place(at, position + 1, 1), column=position + 1)
