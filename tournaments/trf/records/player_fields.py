"""The fields of a player line before its rounds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from tournaments.trf.dates import birth_of
from tournaments.trf.fields import SEXES, TITLES, half_points, is_federation_code, whole
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.records.memory import Memory, UnusualError, Value
from tournaments.trf.records.player import PlayerRecord
from tournaments.trf.records.rounds import RoundResult


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
    if number is None and text.strip():
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
