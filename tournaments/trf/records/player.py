"""The player record 001: fixed columns for the player, then ten columns a round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from operator import itemgetter

from tournaments.trf.fields import (
    SEXES,
    TITLES,
    Memory,
    UnusualError,
    Value,
    birth_of,
    half_points,
    is_federation_code,
    laid_out,
    points_text,
    right,
    spelled,
    whole,
)
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.limits import MAX_ROUNDS
from tournaments.trf.records.rounds import (
    FIRST_COLUMN,
    QuickRounds,
    RoundResult,
    careful_results,
    cell_text,
    column_of,
    first_bad_round,
)


class QuickFields:
    """Makes players of lines without a fault; each text of a field is worked out once."""

    __slots__ = ("_births", "_federations", "_numbers", "_points", "_sexes", "_titles")

    def __init__(self) -> None:
        self._births = Memory(_known(birth_of))
        self._federations = Memory(_quick_federation)
        self._numbers = Memory(_quick_number)
        self._points = Memory(_quick_points)
        self._sexes = Memory(_known(lambda text: SEXES.get(text.upper().strip())))
        self._titles = Memory(_known(lambda text: TITLES.get(text.upper().strip())))

    def player(self, line: str, results: tuple[RoundResult, ...], *, at: int) -> PlayerRecord:
        """Return the player of a line of at least 91 columns; `UnusualError` where a field needs a closer look."""
        numbers = self._numbers
        number = numbers[line[4:8]]
        if not number:
            raise UnusualError
        birth_date, birth_year = self._births[line[69:79]]
        return PlayerRecord(
            number,
            line[14:47].strip(),
            self._sexes[line[9]],
            self._titles[line[10:13]],
            numbers[line[48:52]],
            self._federations[line[53:56]],
            _quick_number(line[57:68]) or None,
            birth_date,
            birth_year,
            self._points[line[80:84]],
            numbers[line[85:89]] or None,
            results,
            at,
        )


def player_of(
    line: str, results: tuple[RoundResult, ...], findings: list[Finding], *, at: int, shift: int = 0
) -> PlayerRecord | None:
    """Return the player of a line of at least 91 columns, noting each field that cannot be read.

    None where the starting number cannot be read.
    """
    number = whole(line[4:8])
    if not number:
        findings.append(found("player-number", Place(at, 5, 4), text=line[4:8].strip()))
        return None
    note = _Notes(findings, at)
    birth_date, birth_year = _birth(line[69:79], note)
    return PlayerRecord(
        number,
        line[14:47].strip(),
        _sex(line[9], note),
        _title(line[10:13], note),
        _number(line, 48, 52, "rating-unreadable", note) or 0,
        _federation(line[53:56], note),
        _number(line, 57, 68, "fide-id-unreadable", note) or None,
        birth_date,
        birth_year,
        _points(line[80:84], note),
        _number(line, 85, 89, "rank-unreadable", note) or None,
        results,
        at,
        shift,
    )


class _Notes:
    __slots__ = ("_findings", "_line")

    def __init__(self, findings: list[Finding], line: int) -> None:
        self._findings = findings
        self._line = line

    def __call__(self, code: str, column: int, text: str) -> None:
        place = Place(self._line, column, len(text))
        self._findings.append(found(code, place, text=text.strip()))


def _known(read: Callable[[str], Value | None]) -> Callable[[str], Value]:
    """Return a reading that raises `UnusualError` where the other has no value."""

    def known(text: str) -> Value:
        value = read(text)
        if value is None:
            raise UnusualError
        return value

    return known


def _quick_number(text: str) -> int:
    number = whole(text)
    if number is None and text.strip():
        raise UnusualError
    return number or 0


def _quick_points(text: str) -> int | None:
    points = half_points(text)
    if points is None and text.strip():
        raise UnusualError
    return points


def _quick_federation(text: str) -> str:
    code = text.strip()
    if code and not is_federation_code(code):
        raise UnusualError
    return code


def _birth(text: str, note: _Notes) -> tuple[date | None, int | None]:
    birth = birth_of(text)
    if birth is None:
        note("birth-unreadable", 70, text)
    return birth or (None, None)


def _sex(text: str, note: _Notes) -> str:
    sex = SEXES.get(text.upper().strip())
    if sex is None:
        note("sex-unknown", 10, text)
    return sex or ""


def _title(text: str, note: _Notes) -> str:
    title = TITLES.get(text.upper().strip())
    if title is None:
        note("title-unknown", 11, text)
    return title or ""


def _number(line: str, first: int, last: int, code: str, note: _Notes) -> int | None:
    text = line[first:last]
    number = whole(text)
    # Some programs fill a blank field with dashes.
    if number is None and text.strip(" -"):
        note(code, first + 1, text)
    return number


def _federation(text: str, note: _Notes) -> str:
    code = text.strip()
    if not code or is_federation_code(code):
        return code
    if is_federation_code(code.upper()):
        note("federation-lower-case", 54, text)
        return code.upper()
    note("federation-code", 54, text)
    return code


def _points(text: str, note: _Notes) -> int | None:
    points = half_points(text)
    if points is None and text.strip():
        note("points-unreadable", 81, text)
    return points


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
    """Return whether every field and every round of a player line is in its columns."""
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


TAG = "001"


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player of the report. Points are half points; `line` and `shift` are the place of the record.

    `sex` is M, F or empty, `title` GM to WCM or empty, `rating` 0 for none, `birth_date` None if only the
    year is known. The place of the record does not count in comparisons.
    """

    number: int
    name: str = ""
    sex: str = ""
    title: str = ""
    rating: int = 0
    federation: str = ""
    fide_id: int | None = None
    birth_date: date | None = None
    birth_year: int | None = None
    points: int | None = None
    rank: int | None = None
    results: tuple[RoundResult, ...] = ()
    line: int = field(default=0, compare=False)
    shift: int = field(default=0, compare=False)

    def column_of(self, round_number: int) -> int:
        """Return the column of a round in the line as it was written, counted from 1."""
        return column_of(round_number) - self.shift

    def with_results(self, results: tuple[RoundResult, ...]) -> PlayerRecord:
        """Return the player with other rounds."""
        return replace(self, results=results)

    def dumps(self) -> str:
        """Return the record as a line; `ValueError` where a value does not fit its columns."""
        pieces = [
            (1, TAG),
            (5, right(self.number, 4)),
            (10, {"M": "m", "F": "w"}.get(self.sex, " ")),
            (11, f"{self.title:>3}"),
            (15, self.name),
            (49, right(self.rating, 4)),
            (54, self.federation),
            (58, right(self.fide_id, 11)),
            (70, self._birth()),
            (81, "" if self.points is None else f"{points_text(self.points, width=4):>4}"),
            (86, right(self.rank, 4)),
            (90, ""),
        ]
        pieces += [(column_of(result.round), cell_text(result)) for result in self.results]
        return laid_out(*pieces).rstrip()

    def _birth(self) -> str:
        if self.birth_date:
            return spelled(self.birth_date)
        return f"{self.birth_year:04d}/00/00" if self.birth_year else ""
