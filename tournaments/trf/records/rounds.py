"""The rounds of a player record: ten columns a round from column 92, `  65 w 1  `."""

from __future__ import annotations

import re
from typing import NamedTuple

from tournaments.trf.fields import whole
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


class UnusualCellError(Exception):
    """A cell that the quick reading does not understand."""


class Opponents(dict[str, int | None]):
    """Opponents by the four columns that name them, so that each text is read once a report."""

    def __missing__(self, text: str) -> int | None:
        digits = text.strip()
        if digits and not (digits.isascii() and digits.isdigit()):
            raise UnusualCellError
        value = self[text] = int(digits or 0) or None
        return value


class Marks(dict[str, tuple[str, str]]):
    """Colour and code by the six columns after the opponent."""

    def __missing__(self, text: str) -> tuple[str, str]:
        cell = text.ljust(6)
        colour, code = COLOURS.get(cell[1]), cell[3].upper().strip()
        if cell[0] + cell[2] + cell[4:] != "    " or colour is None or (code and code not in CODES):
            raise UnusualCellError
        value = self[text] = colour, code
        return value


def column_of(round_number: int) -> int:
    """Return the first column of a round, counted from 1."""
    return FIRST_COLUMN + WIDTH * (round_number - 1)


def quick_results(
    line: str, opponents: Opponents, marks: Marks, *, new: type[RoundResult] = RoundResult
) -> tuple[RoundResult, ...]:
    """Return the rounds of a line without trailing blanks; `UnusualCellError` where any needs a closer look."""
    starts = range(FIRST_COLUMN - 1, len(line), WIDTH)
    if len(starts) > MAX_ROUNDS:
        raise UnusualCellError
    return tuple(
        [
            new(number, opponents[line[start : start + 4]], *marks[line[start + 4 : start + 10]])
            for number, start in enumerate(starts, 1)
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
