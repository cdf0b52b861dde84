"""The fields of a player line before its rounds."""

from __future__ import annotations

from datetime import date

from tournaments.trf.dates import birth_of
from tournaments.trf.fields import SEXES, TITLES, half_points, whole
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.records.player import PlayerRecord
from tournaments.trf.records.rounds import RoundResult

LARGEST_ID = 10**11 - 1


class Births(dict[str, tuple[date | None, int | None] | None]):
    """Births by the ten columns that give them."""

    def __missing__(self, text: str) -> tuple[date | None, int | None] | None:
        value = self[text] = birth_of(text)
        return value


class PlayerFields:
    """Makes players of aligned lines and notes what cannot be read in them."""

    __slots__ = ("_births",)

    def __init__(self) -> None:
        self._births = Births()

    def player(
        self,
        line: str,
        results: tuple[RoundResult, ...],
        findings: list[Finding],
        *,
        at: int,
        shift: int = 0,
    ) -> PlayerRecord | None:
        """Return the player of a line of at least 91 columns, None where the starting number cannot be read."""
        number = whole(line[4:8])
        if not number:
            text = line[4:8].strip()
            findings.append(found("player-number", Place(at, 5, 4), text=text))
            return None
        note = _Notes(findings, at)
        birth_date, birth_year = self._birth(line[69:79], note)
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

    def _birth(self, text: str, note: _Notes) -> tuple[date | None, int | None]:
        birth = self._births[text]
        if birth is None:
            note("birth-unreadable", 70, text)
        return birth or (None, None)


class _Notes:
    __slots__ = ("_findings", "_line")

    def __init__(self, findings: list[Finding], line: int) -> None:
        self._findings = findings
        self._line = line

    def __call__(self, code: str, column: int, text: str) -> None:
        place = Place(self._line, column, len(text))
        self._findings.append(found(code, place, text=text.strip()))


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
    federation = text.strip()
    if federation and not (len(federation) == 3 and federation.isascii() and federation.isalpha()):
        note("federation-code", 54, text)
    elif not federation.isupper() and federation:
        note("federation-lower-case", 54, text)
        return federation.upper()
    return federation


def _points(text: str, note: _Notes) -> int | None:
    points = half_points(text)
    if points is None and text.strip():
        note("points-unreadable", 81, text)
    return points
