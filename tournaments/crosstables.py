"""Crosstables in CSV and spreadsheets, read as TRF.

The columns and the spellings of a cell are documented in docs/for-arbiters.md.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from io import StringIO

from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from core.text_values import read_number
from core.web.csv_reader import decode_text
from core.web.sheet_cells import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS
from core.web.sheet_reader import SheetError, is_packed, read_sheet
from tournaments.models import Tournament
from tournaments.trf import Report as TrfReport
from tournaments.trf.checks.pairings import HALF_POINTS
from tournaments.trf.days import birth_of
from tournaments.trf.fields import SEXES, TITLES
from tournaments.trf.limits import MAX_ROUNDS
from tournaments.trf.players import PlayerRecord, RoundResult
from tournaments.trf.tables import row as record_row
from tournaments.trf.writer import write_report

# Other names of the columns, as programs write them in English, French, German and Spanish, without a full stop.
COLUMNS = {
    "no": ("no", "nr", "sno", "#", "number", "n°", "nº", "num", "snr", "startnr", "ini", "ni"),
    "name": ("name", "nom", "player", "spieler", "nombre", "jugador", "joueur"),
    "fide_id": ("fide_id", "fide id", "fideid", "fide-id", "id", "code fide", "código fide", "codigo fide", "id fide"),
    "national_number": ("national number", "national id", "mitgliedsnr", "code ffe", "nº licencia", "licencia",
                        "licence", "member no"),
    "federation": ("federation", "fed", "land", "verband", "país", "pais", "pays"),
    "sex": ("sex", "sexe", "sexo", "geschlecht"),
    "title": ("title", "titre", "tit", "titel", "título", "titulo"),
    "rating": ("rating", "rtg", "rtgi", "elo", "eloi"),
    "birth_year": ("birth_year", "born", "year", "geb", "geburtsjahr", "geburtsdatum", "jahrgang", "nacimiento",
                   "naissance"),
    "points": ("points", "pts", "pkt", "punkte", "ptos", "puntos"),
    "rank": ("rank", "rk", "place", "pl", "rg", "rang", "platz", "pos", "puesto"),
}  # fmt: skip
NAMES = {other: name for name, others in COLUMNS.items() for other in others}
ROUND = re.compile(
    r"(?:r|rd|rnd|round|ronde|runde|ronda)?[ .]*(\d{1,2})(?:[ .]*(?:r|rd|rnd|runde|ronda))?\.?", re.ASCII
)
# `5w1` as crosstables of Swiss programs have it, and `+ 5B` as Papi does: B is White (blancs), N is Black (noirs).
# A German table has W and S, a Spanish one B (blancas) and N. A pairing without a result ends with its colour.
NUMBER_FIRST = re.compile(r"(\d{1,4})\s*([wbsn])\s*(1/2|0[.,]5|[10=½+\-*])?", re.ASCII)
SIGN_FIRST = re.compile(r"([+=\-])\s*(\d{1,4})\s*([bn])", re.ASCII)
CODES = {"1/2": "=", "0.5": "=", "0,5": "=", "½": "=", None: "", "*": ""}
# Where a player would meet themselves a table of all against all has one of these.
OWN_FIELD = re.compile(r"[*x#■█/\\]+", re.IGNORECASE)
FRENCH = {"+": "1", "=": "=", "-": "0"}
UNPLAYED = {
    "": "Z", "-": "Z", "z": "Z", "0": "Z", "-0": "Z", "h": "H", "½": "H", "=": "H", "-½": "H", "f": "F", "u": "U",
    "bye": "U", "exe": "U", "+": "U", "-1": "U",
}  # fmt: skip
FORFEITS = ("+", "-")
MAX_REFUSALS = 20
# The head is in one of so many rows.
HEAD_ROWS = 20


@dataclass(slots=True)
class _TableReading:
    """What is read of a table, and what is wrong in it."""

    white: str = "w"
    refusals: list[Refusal] = field(default_factory=list)

    def refuse(self, row: int, column: str, value: str, allowed: str) -> None:
        text = _("Row %(row)d, %(column)s: “%(value)s” is not valid. %(allowed)s")
        facts = {"row": row, "column": column, "value": value[:40], "allowed": allowed}
        self.refusals.append(Refusal("table-cell", text % facts, "report"))


def trf_of_table(tournament: Tournament, content: bytes) -> str:
    """Return a crosstable as TRF, with the data of the registration; `RefusedError` as above."""
    rows = _rows_of(content)
    head, columns = _head(rows)
    below = [(at, row) for at, row in enumerate(rows, 1) if at > head and any(row)]
    _refuse_round_robin(below, columns)
    reading = _TableReading(white=_letter_of_white(below, columns))
    players = [*_players(below, columns, reading)]
    if not players and not reading.refusals:
        raise refused("table-empty", _("The table has no players below its head."), "report")
    if reading.refusals:
        raise RefusedError(reading.refusals[:MAX_REFUSALS])
    days = [date.fromisoformat(str(day)) for day in tournament.schedule if day]
    return write_report(
        TrfReport(
            name=tournament.name,
            city=tournament.city,
            federation=tournament.federation_id,
            start=tournament.start,
            end=tournament.end,
            number_of_players=len(players),
            number_of_rated_players=sum(player.rating > 0 for player, _number in players),
            tournament_type="Individual",
            chief_arbiter=tournament.chief_arbiter,
            time_control=tournament.time_control,
            round_dates=tuple(days),
            players=tuple(player for player, _number in players),
            # The national record of who has a number in the federation's register.
            records=tuple(
                record_row(tournament.federation_id, player.number, "", "", "", None, "", number, "")
                for player, number in players
                if number
            ),
        )
    )


def _rows_of(content: bytes) -> list[list[str]]:
    """Return the cells of a file; `RefusedError` for one that is no table, or too large."""
    try:
        # An archive is never a CSV: a damaged one is refused as a spreadsheet.
        rows = read_sheet(content) if is_packed(content) else _csv_rows(content)
    except (SheetError, csv.Error) as error:
        raise refused("table", str(error), "report") from error
    # Line ends within a cell would begin another record of the report.
    return [[" ".join(cell.split()) for cell in row] for row in rows]


def _csv_rows(content: bytes) -> list[list[str]]:
    text = decode_text(content)
    if "\x00" in text:
        raise SheetError(
            _("This file cannot be read as a table. Save the table as CSV or XLSX and upload that file.")
        )
    # Excel separates by semicolons wherever the comma is the decimal sign; above the table a title may have commas.
    lines = text.split("\n", HEAD_ROWS)[:HEAD_ROWS]
    separator = max(";,\t", key=lambda mark: max(line.count(mark) for line in lines))
    rows: list[list[str]] = []
    for row in csv.reader(StringIO(text, newline=""), delimiter=separator):
        if (
            len(rows) >= MAX_ROWS
            or len(row) > MAX_COLUMNS
            or any(len(cell) > MAX_CELL_LENGTH for cell in row)
        ):
            raise SheetError(_("The table is too large: at most %(rows)d rows.") % {"rows": MAX_ROWS})
        rows.append(row)
    return rows


def _head(rows: Sequence[Sequence[str]]) -> tuple[int, dict[str, int]]:
    """Return the number of the row with the names of the columns, and each column by its name; rounds as numbers."""
    # Pairing programs write the name, place and dates of the tournament above the table.
    for at, row in enumerate(rows[:HEAD_ROWS], 1):
        columns: dict[str, int] = {}
        for index, cell in enumerate(row):
            if name := _column(cell):
                columns.setdefault(name, index)
        # A line of text above may contain one of these words by chance.
        if "name" in columns and any(name.isdecimal() for name in columns):
            return at, _with_title(row, columns, rows[at:])
    message = _(
        "No row has the column names. A column “name” and a column for each round (1, 2, 3) are required."
    )
    raise refused("table-head", message, "report")


def _with_title(
    head: Sequence[str], columns: Mapping[str, int], below: Sequence[Sequence[str]]
) -> dict[str, int]:
    """Return the columns with one of titles beside the name that has no name of its own, as Chess-Results writes it."""
    for index in (columns["name"] - 1, columns["name"] + 1):
        if "title" not in columns and 0 <= index < len(head) and not head[index].strip():
            cells = {row[index].upper() for row in below if index < len(row)}
            if cells - {""} and cells <= TITLES.keys():
                return {**columns, "title": index}
    return dict(columns)


def _games(rows: Sequence[tuple[int, Sequence[str]]], columns: Mapping[str, int]) -> Iterator[str]:
    """Yield the cells of the rounds."""
    places = [index for name, index in columns.items() if name.isdecimal()]
    return (row[index] for _at, row in rows for index in places if index < len(row))


def _letter_of_white(rows: Sequence[tuple[int, Sequence[str]]], columns: Mapping[str, int]) -> str:
    """Return the letter of White: W, or B (blancas) in a table that has N (negras) beside it."""
    found = (NUMBER_FIRST.fullmatch(cell.lower()) for cell in _games(rows, columns))
    letters = {match[2] for match in found if match}
    return "b" if "n" in letters and "w" not in letters else "w"


def _refuse_round_robin(rows: Sequence[tuple[int, Sequence[str]]], columns: Mapping[str, int]) -> None:
    """Raise `RefusedError` for a table whose numbered columns are the players and not the rounds."""
    own = sum(bool(OWN_FIELD.fullmatch(cell)) for cell in _games(rows, columns))
    numbered = sum(name.isdecimal() for name in columns)
    if numbered > 1 and own == numbered:
        message = _(
            "This is the table of a round robin: it has a column for each player, and neither rounds nor colours. "
            "Export the tournament as TRF, or the crosstable by rounds."
        )
        raise refused("table-round-robin", message, "report")


def _column(cell: str) -> str:
    text = cell.strip().lower()
    if (name := text.rstrip(".")) in NAMES:
        return NAMES[name]
    found = ROUND.fullmatch(text)
    number = int(found[1]) if found else 0
    return str(number) if 1 <= number <= MAX_ROUNDS else ""


def _players(
    rows: Sequence[tuple[int, Sequence[str]]], columns: Mapping[str, int], reading: _TableReading
) -> Iterator[tuple[PlayerRecord, str]]:
    """Yield the players by starting rank with their national numbers.

    Cells name opponents by `no`, else by `rank`, else by the order of rows.
    """
    by = next((name for name in ("no", "rank") if name in columns), "")
    found: dict[int, tuple[PlayerRecord, str]] = {}
    for order, (at, row) in enumerate(rows, 1):
        cells = {name: row[index] if index < len(row) else "" for name, index in columns.items()}
        if not cells["name"] and not any(cell for name, cell in cells.items() if name.isdecimal()):
            # A line of text below the table.
            continue
        # Starting ranks have four columns in TRF.
        number = _number(cells, by, at, reading, most=9999) if by else order
        if number is None:
            reading.refuse(at, by, cells[by], _("Enter the number of the player."))
            continue
        if number in found:
            reading.refuse(at, by or "name", cells.get(by, ""), _("Each number is used once."))
            continue
        # The field in TRF has 11 columns; a part of a longer number may be another player's.
        national = cells.get("national_number", "")
        found[number] = _player(number, cells, at, reading), "" if len(national) > 11 else national
    # Tables come sorted by rank, a TRF by starting rank.
    yield from (found[number] for number in sorted(found))


def _player(number: int, cells: Mapping[str, str], at: int, reading: _TableReading) -> PlayerRecord:
    rounds = sorted(int(name) for name in cells if name.isdecimal())
    results = tuple(_result(played, cells[str(played)], at, reading) for played in rounds)
    if not cells["name"]:
        reading.refuse(at, "name", "", _("Enter the name of the player."))
    gained = sum(HALF_POINTS.get(result.code, 0) for result in results)
    federation = cells.get("federation", "").upper()
    if federation and not re.fullmatch("[A-Z]{3}", federation):
        reading.refuse(at, "federation", federation, _("Enter the code of 3 letters, for example SUI."))
        federation = ""
    text = cells.get("birth_year", "")
    born = birth_of(text)
    if born is None:
        reading.refuse(at, "birth_year", text, _("Enter a year such as 1990."))
    return PlayerRecord(
        number,
        # The field of a name in TRF has 33 columns; a longer one would reach into the rating.
        name=cells["name"][:33].strip(),
        sex=_one_of(SEXES, cells, "sex", at, reading),
        title=_one_of(TITLES, cells, "title", at, reading),
        rating=_number(cells, "rating", at, reading, most=3999) or 0,
        federation=federation,
        # The field in TRF has 11 columns; that a number is no FIDE ID is a finding of the check.
        fide_id=_number(cells, "fide_id", at, reading, most=10**11 - 1),
        birth_year=born[1] if born else None,
        points=_points(cells, gained, at, reading),
        rank=_number(cells, "rank", at, reading, most=9999),
        results=results,
    )


def _number(cells: Mapping[str, str], name: str, at: int, reading: _TableReading, *, most: int) -> int | None:
    text = cells.get(name, "").rstrip(".")
    if not text:
        return None
    if (number := read_number(text, most=most)) is not None:
        # A 0 stands for nothing: no rating, no FIDE ID.
        return number or None
    reading.refuse(at, name, text, _("Enter a whole number of at most %(most)d.") % {"most": most})
    return None


def _one_of(
    known: Mapping[str, str], cells: Mapping[str, str], name: str, at: int, reading: _TableReading
) -> str:
    text = cells.get(name, "").upper()
    if text not in known:
        allowed = ", ".join(sorted(key for key in known if len(key) > 1)) or "M, F"
        reading.refuse(at, name, text, _("Allowed: %(values)s.") % {"values": allowed})
    return known.get(text, "")


def _points(cells: Mapping[str, str], gained: int, at: int, reading: _TableReading) -> int:
    """Return the points in halves as the table has them, else as its results add up."""
    text = cells.get("points", "").replace(",", ".").replace("½", ".5")
    if not text:
        return gained
    found = re.fullmatch(r"(\d{0,3})(?:\.(0|5)0?)?", text, re.ASCII)
    if found is None:
        reading.refuse(at, "points", text, _("Enter points such as 4 or 4.5."))
        return gained
    return 2 * int(found[1] or 0) + (found[2] == "5")


def _result(number: int, cell: str, at: int, reading: _TableReading) -> RoundResult:
    """Return one round of a player: a game, a forfeit, or a bye."""
    text = " ".join(cell.lower().split())
    if text in UNPLAYED:
        return RoundResult(number, None, "", UNPLAYED[text])
    if found := NUMBER_FIRST.fullmatch(text):
        code = CODES.get(found[3], found[3])
        colour = "w" if found[2] == reading.white else "b"
        return RoundResult(number, int(found[1]), "" if code in FORFEITS else colour, code)
    if found := SIGN_FIRST.fullmatch(text):
        return RoundResult(number, int(found[2]), "w" if found[3] == "b" else "b", FRENCH[found[1]])
    reading.refuse(at, str(number), cell, _("Enter for example 5w1, 5b½, 5w0, 5b+, or bye."))
    return RoundResult(number, None, "", "Z")
