"""Reading a line 001: the usual line quickly, any other with a closer look at where it is shifted."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.limits import MAX_ROUNDS
from tournaments.trf.records.memory import UnusualError
from tournaments.trf.records.player import PlayerRecord
from tournaments.trf.records.player_fields import QuickFields, player_of
from tournaments.trf.records.rounds import (
    FIRST_COLUMN,
    QuickRounds,
    careful_results,
    column_of,
    first_bad_round,
)

STATIC = FIRST_COLUMN - 1
NAME_END = 47
# Longer lines have more rounds than are read.
LONGEST = column_of(MAX_ROUNDS + 1)
# Columns 4, 9, 14, 48, 53, 57, 69, 80, 85, 90 and 91 part the fields and are blank.
SEPARATORS = (3, 8, 13, 47, 52, 56, 68, 79, 84, 89, 90)
separators_of = itemgetter(*SEPARATORS)
ALL_BLANK = (" ",) * len(SEPARATORS)
DIGIT_FIELDS = ((4, 8), (48, 52), (57, 68), (85, 89))


class PlayerReader:
    """Reads the player lines of one report; what is alike in many lines is worked out once."""

    __slots__ = ("_fields", "_rounds")

    def __init__(self) -> None:
        self._fields = QuickFields()
        self._rounds = QuickRounds()

    def read(self, line: str, at: int, findings: list[Finding]) -> PlayerRecord | None:
        """Return the player of a line without trailing blanks, None where it has no starting number."""
        padded = line if len(line) >= STATIC else line.ljust(STATIC)
        if separators_of(padded) != ALL_BLANK:
            return _read_closely(line, at, findings)
        try:
            return self._fields.player(padded, self._rounds.read(line), at=at)
        except UnusualError:
            return _read_closely(line, at, findings)


def is_aligned(line: str) -> bool:
    """Whether every field and every round of a player line stands in its columns."""
    padded = line.ljust(STATIC)
    return (
        separators_of(padded) == ALL_BLANK
        and all(_is_number(padded[first:last]) for first, last in DIGIT_FIELDS)
        and first_bad_round(line) is None
    )


def _read_closely(line: str, at: int, findings: list[Finding]) -> PlayerRecord | None:
    candidates = _realignments(line) if len(line) <= LONGEST else iter(())
    aligned = line if is_aligned(line) else next(filter(is_aligned, candidates), None)
    if aligned is None:
        findings += _occupied(line, at)
        aligned = line
    elif aligned != line:
        findings.append(
            found("shifted-columns", Place(at, _first_difference(line, aligned))).with_fix(aligned)
        )
    results, problems = careful_results(aligned, at=at)
    findings += problems
    shift = len(aligned) - len(line)
    return player_of(aligned.ljust(STATIC), results, findings, at=at, shift=shift)


def _is_number(text: str) -> bool:
    text = text.strip()
    return not text or (text.isascii() and text.isdigit())


def _realignments(line: str) -> Iterator[str]:
    """Yield what the line may have been: padded by bytes, pushed aside after the name or before a round."""
    yield line.lstrip()
    name = line[14:NAME_END]
    if extra := len(name.encode(errors="replace")) - len(name):
        yield _pushed(line, NAME_END - extra, extra)
    for width in (1, 2, 3, 4, 5, 6):
        yield from _either_way(line, NAME_END, width)
    yield from _either_way(line, 3, 1)
    bad = first_bad_round(line)
    for round_number in (bad, bad - 1) if bad else ():
        start = max(column_of(round_number) - 1, STATIC)
        for width in (1, 2):
            yield from _either_way(line, start, width)


def _either_way(line: str, position: int, width: int) -> Iterator[str]:
    yield _pushed(line, position, width)
    if not line[position - width : position].strip():
        yield line[: position - width] + line[position:]
    if not line[position : position + width].strip():
        yield line[:position] + line[position + width :]


def _pushed(line: str, position: int, width: int) -> str:
    return line[:position] + " " * width + line[position:]


def _first_difference(line: str, other: str) -> int:
    pairs = enumerate(zip(line, other, strict=False), 1)
    return next((column for column, (one, two) in pairs if one != two), min(len(line), len(other)) + 1)


def _occupied(line: str, at: int) -> Iterator[Finding]:
    for position in SEPARATORS:
        if line[position : position + 1].strip():
            yield found("column-occupied", Place(at, position + 1, 1), column=position + 1)
