"""The rounds of a player record: ten columns a round from column 92, `  65 w 1  `."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from tournaments.trf.fields import Memory, UnusualError, whole
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.limits import MAX_ROUNDS

FIRST_COLUMN = 92
WIDTH = 10
CODES = frozenset("1=0WDL+-HFUZ")
GAME_CODES = frozenset("1=0")
OPEN_CODES = frozenset("X?*")
COLOURS = {"w": "w", "W": "w", "b": "b", "B": "b", "-": "", " ": ""}
SPELLINGS = {"½": "=", "–": "-", "−": "-", "A": "Z"}
CELL = re.compile(r"(.{4}) (.) (.)  ")
SHAPE = re.compile(r"[ \d]{4} . .  ", re.ASCII)


class RoundResult(NamedTuple):
    """One round of one player. A tuple, because a report has tens of thousands and they are made in one go.

    `opponent` is a starting number or None, `colour` w, b or empty, `code` one of 1 = 0 W D L + - H F U Z or
    empty where nothing was written.
    """

    round: int
    opponent: int | None
    colour: str
    code: str

    @property
    def column(self) -> int:
        """The first column of the round, counted from 1."""
        return column_of(self.round)


def column_of(round_number: int) -> int:
    """Return the first column of a round, counted from 1."""
    return FIRST_COLUMN + WIDTH * (round_number - 1)


class QuickRounds:
    """Reads the rounds of usual lines; each opponent and each mark is worked out once."""

    __slots__ = ("_marks", "_opponents")

    def __init__(self) -> None:
        self._opponents = Memory(_opponent).__getitem__
        self._marks = Memory(_mark).__getitem__

    def read(self, line: str) -> tuple[RoundResult, ...]:
        """Return the rounds of a line without trailing blanks; `UnusualError` where any needs a closer look."""
        rounds = -(-(len(line) - FIRST_COLUMN + 1) // WIDTH)
        if rounds > MAX_ROUNDS:
            raise UnusualError
        if rounds <= 0:
            return ()
        cells = _cells_of(rounds)(line)
        opponents = map(self._opponents, cells[:rounds])
        marks = map(self._marks, cells[rounds:])
        numbered = zip(range(1, rounds + 1), opponents, marks, strict=False)
        # Directly from tuples: the constructor would take as long as everything else.
        new = tuple.__new__
        return tuple(
            [
                new(RoundResult, (number, opponent, colour, code))
                for number, opponent, (colour, code) in numbered
            ]
        )


def careful_results(line: str, *, at: int) -> tuple[tuple[RoundResult, ...], list[Finding]]:
    """Return the rounds of a line with what is wrong in each; what cannot be read is left empty."""
    findings: list[Finding] = []
    starts = range(FIRST_COLUMN - 1, len(line), WIDTH)
    if len(starts) > MAX_ROUNDS:
        findings.append(found("too-many-rounds", Place(at, starts[MAX_ROUNDS] + 1), limit=MAX_ROUNDS))
        starts = starts[:MAX_ROUNDS]
    results = []
    for number, start in enumerate(starts, 1):
        result, problems = _cell(line[start : start + WIDTH], number, at=at)
        results.append(result)
        findings += problems
    return tuple(results), findings


def first_bad_round(line: str) -> int | None:
    """Return the first round that is not in its columns, None where all are."""
    for number, start in enumerate(range(FIRST_COLUMN - 1, len(line), WIDTH), 1):
        if not SHAPE.fullmatch(line[start : start + WIDTH].ljust(WIDTH)):
            return number
    return None


def cell_text(result: RoundResult) -> str:
    """Return the eight columns of a round."""
    if result.opponent is None and not result.code and not result.colour:
        return " " * 8
    opponent = f"{result.opponent:>4}" if result.opponent else "0000"
    return f"{opponent} {result.colour or '-'} {result.code or ' '}"


@cache
def _cells_of(rounds: int) -> Callable[[str], tuple[str, ...]]:
    """Return what cuts a line into the opponents and then the marks of all rounds, all at once."""
    starts = [column_of(number) - 1 for number in range(1, rounds + 1)]
    opponents = (slice(start, start + 4) for start in starts)
    marks = (slice(start + 4, start + WIDTH) for start in starts)
    return itemgetter(*opponents, *marks)


def _opponent(text: str) -> int | None:
    number = whole(text) if text.strip() else 0
    if number is None:
        raise UnusualError
    return number or None


def _mark(text: str) -> tuple[str, str]:
    cell = text.ljust(6)
    colour, code = COLOURS.get(cell[1]), cell[3].upper().strip()
    if cell[0] + cell[2] + cell[4:] != "    " or colour is None or (code and code not in CODES):
        raise UnusualError
    return colour, code


def _cell(text: str, number: int, *, at: int) -> tuple[RoundResult, list[Finding]]:
    column = column_of(number)
    match = CELL.fullmatch(text.ljust(WIDTH))
    if not match:
        return _unreadable(text, number, at=at)
    findings: list[Finding] = []
    opponent = whole(match[1]) if match[1].strip() else None
    if match[1].strip() and opponent is None:
        written = match[1].strip()
        findings.append(found("opponent-unreadable", Place(at, column, 4), text=written, round=number))
    colour = COLOURS.get(match[2])
    if colour is None:
        findings.append(found("colour-unreadable", Place(at, column + 5, 1), text=match[2], round=number))
    code, problem = _code(match[3], number, at=at)
    findings += [problem] if problem else []
    return RoundResult(number, opponent or None, colour or "", code), findings


def _unreadable(text: str, number: int, *, at: int) -> tuple[RoundResult, list[Finding]]:
    problem = found(
        "round-unreadable",
        Place(at, column_of(number), len(text.rstrip())),
        text=text.rstrip(),
        round=number,
    )
    return RoundResult(number, None, "", ""), [problem]


def _code(text: str, number: int, *, at: int) -> tuple[str, Finding | None]:
    code = text.upper().strip()
    if not code or code in CODES:
        return code, None
    place = Place(at, column_of(number) + 7, 1)
    if code in SPELLINGS:
        meant = SPELLINGS[code]
        return meant, found("result-spelling", place, text=text, meant=meant, round=number)
    if code in OPEN_CODES:
        return "", found("result-unknown", place, text=text, round=number)
    return "", found("result-unreadable", place, text=text, round=number)
