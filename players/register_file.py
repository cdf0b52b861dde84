"""The file of a federation's register: what its columns are, and what a row says of a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import Any

from django.utils.translation import gettext_noop

from core.stated import Sentences
from core.text_values import read_number
from core.web.tables import HEAD_ROWS, TableRow
from players.choices import Sex, Title
from players.fide_list.values import MAX_FIDE_ID
from players.members import NUMBER
from players.models.federation import known_federations
from players.name_doubts import name_of_fields
from players.name_refusals import NAMES, name_refusals, text_refusals
from players.person_names import split_name
from players.registration import check_digit
from players.spelling import fold

# The columns, each with the heads that registers in English, French, German and Spanish give it, in letters and digits.
HEADS = {
    "fide_id": "fideid idfide codefide fidecode fidenr nrfide fidenumber fideno codigofide numerofide fideidnr",
    "number": "number nationalnumber nationalid nationalno memberno membernumber membershipnumber memberid "
    "licence license licencenumber mitgliedsnummer mitgliedsnr mitgliednr mglnr spielernummer passnummer passnr "
    "lizenznummer numero numeronational nnational nffe codeffe numerolicence nlicence numerodelicence matricule "
    "licencia numerolicencia numerodelicencia nlicencia numeronacional codigonacional idnacional numerosocio",
    "name": "name fullname playername spielername player spieler joueur jugador nomprenom nometprenom namevorname "
    "nombrecompleto nomcomplet apellidosnombre apellidosynombre",
    "surname": "surname lastname familyname nachname familienname zuname nom nomdefamille apellido apellidos",
    "given": "givennames givenname given firstname firstnames forename vorname vornamen prenom prenoms nombre nombres",
    "sex": "sex gender geschlecht sexe genre sexo genero",
    "birth": "birthdate birthday dateofbirth dob born birth birthyear yearofbirth year geburtsdatum geburtstag geb "
    "gebdatum geburtsjahr jahrgang gebjahr datedenaissance naissance nele neele anneedenaissance fechadenacimiento "
    "fechanacimiento nacimiento fnac anodenacimiento anonacimiento",
    "federation": "federation fed land country pays pais nation",
    "club": "club clubname verein vereinsname association societe cercle nomduclub nombredelclub",
    "district": "district region bezirk landesverband verband kreis ligue comite departement departamento provincia "
    "delegacion zona",
    "title": "title tit titel titre titulo",
}  # fmt: skip
COLUMNS = tuple(HEADS)
HEADS_KNOWN = {head: name for name, heads in HEADS.items() for head in heads.split()}
# TRF files, and many lists in German, write W for F; French ones H for M.
SEXES = {
    **dict.fromkeys(("m", "h", "male", "mannlich", "masculin", "masculino", "homme", "hombre"), Sex.MALE),
    **dict.fromkeys(
        ("f", "w", "female", "weiblich", "feminin", "femenino", "femme", "mujer", "dame"), Sex.FEMALE
    ),
}
# Whoever says so in place of a FIDE ID has checked that the person is none of those who are like it.
NEW_PERSON = ("new", "neu", "nouveau", "nuevo")
DAY = re.compile(r"(\d{4})[-./](\d\d?)[-./](\d\d?)|(\d\d?)[-./](\d\d?)[-./](\d{4})", re.ASCII)
OLDEST_YEAR = 1900
# What is written of a person; what stands in place of bytes that are no letter must not be.
WRITTEN, DAMAGED = ("name", "surname", "given", "club", "district"), "\ufffd"
LONGEST_NAME, LONGEST_CLUB = 100, 80
# What stands for no club or district.
NO_TEXT = ("-", "–", "—", "n/a")
# The columns of a table without a head are told by so many rows, and by so many of them that agree.
LOOKED_AT, ENOUGH = 200, 0.9

SENTENCES = Sentences(
    {
        **NAMES.templates,
        "damaged": gettext_noop("A letter is damaged. Correct it, or save the file again as UTF-8."),
        "fide-id": gettext_noop("Enter the FIDE ID in digits, or nothing."),
        "number": gettext_noop("Enter at most 20 letters and digits."),
        "sex": gettext_noop("Enter M or F."),
        "birth": gettext_noop("Enter the date of birth, for example 2011-05-30, or the year."),
        "name-too-long": gettext_noop("The name must have 100 characters or fewer."),
        "club-too-long": gettext_noop("Shorten the text to 80 characters."),
        "text-empty": gettext_noop("Enter this in letters or digits."),
        "text-hidden": gettext_noop("The text contains invisible characters. Type it instead of pasting it."),
        "text-scripts": gettext_noop(
            "A word has letters of different alphabets that look alike. Type it in one alphabet."
        ),
        "federation": gettext_noop("The register is that of %(federation)s. Remove the row, or correct the code."),
        "sex-missing": gettext_noop("This player is new: enter M or F."),
        "birth-missing": gettext_noop("This player is new: enter the whole date of birth."),
        "number-again": gettext_noop("Several rows have this number. Correct or remove the wrong ones."),
        "id-unknown": gettext_noop("The portal does not know this FIDE ID. Correct it, or import FIDE's newest list."),
        "id-of-another": gettext_noop("This FIDE ID belongs to a player of another name or age. Correct the row."),
        "number-of-another": gettext_noop("This number belongs to another player. Correct the row."),
        "other-federation": gettext_noop("This player is of another federation. Request a transfer first."),
        "same-player": gettext_noop("Line %(line)d is of the same player. Remove one of the rows."),
        "namesakes": gettext_noop("More than one player or row has this name. Enter the FIDE ID, or “new”."),
        "other-number": gettext_noop("This player has another number. Enter the FIDE ID, or “new”."),
        "alike": gettext_noop("This may be a player who has a FIDE ID. Enter that ID, or “new”."),
        "alike-in-file": gettext_noop("Line %(line)d is of a like person. Enter “new” as FIDE ID of this row."),
        "waits-for-staff": gettext_noop("FIDE staff decide on the application for a FIDE ID."),
        "needs-user": gettext_noop("Only FIDE staff can decide. Register this player on the page."),
        "refused-by-staff": gettext_noop("FIDE staff refused a FIDE ID. Enter the FIDE ID of the player."),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Columns:
    """Which cells of a table are what: the column by its place, from 0, and the line of the head, 0 without one."""

    fields: Mapping[int, str]
    head: int = 0
    heads: Sequence[str] = ()
    # No head says what they are: they are told by their cells.
    is_guessed: bool = False

    def mapping(self) -> dict[str, str]:
        """Return what is kept for the next file: the columns by their heads, or by their numbers from 1 on."""
        keys = keys_of(self.heads) if self.head else ()
        return {
            keys[place] if place < len(keys) else str(place + 1): name for place, name in self.fields.items()
        }

    def are(self, given: Mapping[str, str]) -> bool:
        """Return whether these are the columns that were given by their heads or numbers, or by both."""
        return len(given) == len(self.fields) and self.fields == _selected(self.heads, _by_key(given))


# Why a row is left out: line, name, column, what stands there, and what to do (`why`, items of `SENTENCES`).
Problem = dict[str, Any]


def problem_of(line: int, name: str, code: str, column: str, value: str = "", **facts: Any) -> Problem:
    """Return what is wrong with a cell in the row of a name."""
    why = SENTENCES.say(code, **facts).items
    return {"line": line, "name": name[:LONGEST_NAME], "column": column, "value": value[:80], "why": why}


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """A person as a row has them. `club` and `district` are None where the file has no such column."""

    line: int
    name: str
    fide_id: int | None = None
    is_new: bool = False
    number: str = ""
    sex: str = ""
    birth_year: int | None = None
    birth_date: date | None = None
    club: str | None = None
    district: str | None = None


def columns_of(
    rows: Iterator[TableRow], *, kept: Mapping[str, str], today: date, is_given: bool = False
) -> Columns:
    """Return the columns of a table: those that are kept for the federation where they fit, else by heads or cells.

    `is_given` where `kept` was selected for this very table: numbers are then meant also where there are heads.
    """
    first = [*islice(rows, LOOKED_AT)]
    wanted = _by_key(kept)
    width = max((len(cells) for _line, cells in first), default=0)
    numbers = {key for key in wanted if key.isdecimal() and 0 < int(key) <= width}
    for line, cells in first[:HEAD_ROWS]:
        keys = {*map(_plain, keys_of(cells))}
        is_there = {*wanted} <= keys | (numbers if is_given else set())
        if is_there and not all(key.isdecimal() for key in wanted):
            return Columns(_selected(cells, wanted), line, cells)
    numbered = {int(key) - 1: name for key, name in wanted.items()} if numbers == {*wanted} else {}
    for line, cells in first[:HEAD_ROWS]:
        below = [row for number, row in first if number > line]
        if (named := _by_heads(cells, below, today)) and len(
            fields := _with_ids(named, below, len(cells))
        ) > 1:
            return Columns((is_given and numbered) or fields, line, cells)
    head, heads = next(
        ((line, cells) for line, cells in first[:1] if _is_unknown_head(cells, first[1:])), (0, ())
    )
    fields = _by_cells([cells for line, cells in first if line > head], width, today)
    return Columns(numbered or fields, head, heads, is_guessed=not numbered)


def _is_unknown_head(cells: Sequence[str], below: Sequence[TableRow]) -> bool:
    """Return whether a first row without figures has a column of figures below it: numbers or dates of birth."""
    rows = [row for _line, row in below]
    columns = (_filled(rows, place) for place in range(len(cells)))
    is_of_words = all(cells) and not any(map(_has_digit, cells))
    return is_of_words and any(column and _do_most(_has_digit, column) for column in columns)


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


def missing_columns(rows: Iterator[TableRow], given: Mapping[str, str]) -> list[str]:
    """Return which columns, given by their heads or numbers, the head that fits best has not, or has several times."""
    found = [*given]
    for _line, cells in islice(rows, HEAD_ROWS):
        keys = {*map(_plain, keys_of(cells)), *map(str, range(1, len(cells) + 1))}
        found = min(found, [key for key in given if _plain(key) not in keys], key=len)
    return found


def _selected(heads: Sequence[str], wanted: Mapping[str, str]) -> dict[int, str]:
    """Return the columns that are wanted by their heads or numbers."""
    places = {_plain(key): place for place, key in enumerate(keys_of(heads))}
    found = ((places.get(key, int(key) - 1 if key.isdecimal() else -1), name) for key, name in wanted.items())
    return dict(sorted(found))


def keys_of(heads: Sequence[str]) -> list[str]:
    """Return by what each column is selected: its head, or its number where that names no column, or several."""
    plain = [*map(_plain, heads)]
    return [
        head if key and not key.isdecimal() and plain.count(key) == 1 else str(number)
        for number, (head, key) in enumerate(zip(heads, plain, strict=True), 1)
    ]


def _by_key(columns: Mapping[str, str]) -> dict[str, str]:
    return {_plain(head): name for head, name in columns.items()}


def _plain(head: str) -> str:
    # Not the sign of a number, which folds to a letter.
    return re.sub("[^a-z0-9]", "", fold(head.replace("º", "")))


def _by_heads(cells: Sequence[str], rows: Sequence[Sequence[str]], today: date) -> dict[int, str]:
    fields: dict[int, str] = {}
    for place, head in enumerate(map(_plain, cells)):
        if (name := HEADS_KNOWN.get(head)) and name not in fields.values():
            fields[place] = name
    fields |= _by_words_in_heads(cells, fields, rows, today) if fields else {}
    # Of a name beside given names it is the surname, of a surname alone the whole name.
    has_given = "given" in fields.values()
    meant = {"name": "surname"} if has_given else {"surname": "name"}
    return {place: meant.get(name, name) for place, name in fields.items()}


def _by_words_in_heads(
    cells: Sequence[str], fields: Mapping[int, str], rows: Sequence[Sequence[str]], today: date
) -> dict[int, str]:
    """Return the columns whose heads have a known word among others, as `Matricule FLDE`, where their cells fit.

    One column only, for what no other one is called.
    """
    found: dict[str, list[int]] = {}
    tests = _cell_tests(today) | {"name": bool}
    for place, head in enumerate(cells):
        names = {*_names_within(re.findall("[a-z0-9]+", fold(head.replace("º", ""))))}
        if place in fields or len(names) != 1:
            continue
        name = names.pop()
        if _do_most(tests.get(name, bool), _filled(rows, place)):
            found.setdefault(name, []).append(place)
    # A name beside a surname, as in the head of a player's number, is none.
    taken, whole = {*fields.values()}, {"name", "surname"}
    taken |= whole if whole & taken else {"name"} if "surname" in found else set()
    return {places[0]: name for name, places in found.items() if name not in taken and len(places) == 1}


def _names_within(words: Sequence[str]) -> Iterator[str]:
    """Yield what the words of a head name, the longest of each place: `date of birth (dd.mm.)` a birth."""
    start = 0
    while start < len(words):
        ends = range(len(words), start, -1)
        end = next((end for end in ends if "".join(words[start:end]) in HEADS_KNOWN), None)
        if end is not None:
            yield HEADS_KNOWN["".join(words[start:end])]
        start = end or start + 1


def _filled(rows: Sequence[Sequence[str]], place: int) -> list[str]:
    return [row[place] for row in rows if place < len(row) and row[place]]


def _do_most(test: Callable[[str], bool], cells: Sequence[str]) -> bool:
    return sum(map(test, cells)) >= ENOUGH * len(cells)


def _with_ids(fields: dict[int, str], rows: Sequence[Sequence[str]], width: int) -> dict[int, str]:
    """Return the columns with the one of FIDE IDs, which may be called by any name, such as ID."""
    for place in range(width):
        cells = _filled(rows, place)
        if (
            "fide_id" not in fields.values()
            and place not in fields
            and cells
            and all(map(_is_fide_id, cells))
        ):
            return {**fields, place: "fide_id"}
    return fields


def _by_cells(rows: Sequence[Sequence[str]], width: int, today: date) -> dict[int, str]:
    """Return the columns of a table without a head, by what its cells look like."""
    columns = [_filled(rows, place) for place in range(width)]
    fields: dict[int, str] = {}
    for name, test in _cell_tests(today).items():
        for place, cells in enumerate(columns):
            if place not in fields and cells and _do_most(test, cells):
                fields[place] = name
                break
    left = [
        place
        for place, cells in enumerate(columns)
        if place not in fields and cells and _do_most(lambda cell: any(map(str.isalpha, cell)), cells)
    ]
    others = ("club", "district") if "name" in fields.values() else ("surname", "given", "club", "district")
    return fields | dict(zip(left, others, strict=False))


def _cell_tests(today: date) -> dict[str, Callable[[str], bool]]:
    """Return by what the cells of a column are told."""
    return {
        "sex": lambda cell: fold(cell) in SEXES,
        "birth": lambda cell: _birth(cell, today) is not None,
        "federation": known_federations().__contains__,
        "title": Title.values.__contains__,
        "fide_id": _is_fide_id,
        "name": lambda cell: "," in cell and any(map(str.isalpha, cell)),
        "number": lambda cell: any(map(str.isdecimal, cell)) and NUMBER.fullmatch(cell.upper()) is not None,
    }


def _is_fide_id(cell: str) -> bool:
    number = read_number(cell, most=MAX_FIDE_ID) or 0
    return number > 100_000 and check_digit(number // 10) == number % 10


def read_row(row: TableRow, columns: Columns, *, federation: str, today: date) -> RegisterRow | list[Problem]:
    """Return what a row says, or all that is wrong in it."""
    line, cells = row
    values = {name: cells[place] if place < len(cells) else "" for place, name in columns.fields.items()}
    name, name_column = _name_in(values), "name" if "name" in values else "surname"
    problems: list[Problem] = []

    def refuse(code: str, column: str, **facts: Any) -> None:
        problems.append(problem_of(line, name, code, column, values.get(column, ""), **facts))

    for column in WRITTEN:
        if DAMAGED in values.get(column, ""):
            refuse("damaged", column)
    for refusal in name_refusals(name):
        refuse(refusal.code, name_column)
    if len(name) > LONGEST_NAME:
        refuse("name-too-long", name_column)
    if values.get("federation", "").upper() not in ("", federation):
        refuse("federation", "federation", federation=federation)
    is_new = fold(values.get("fide_id", "")) in NEW_PERSON
    fide_id = read_number(values.get("fide_id", ""), most=MAX_FIDE_ID)
    if values.get("fide_id", "") and fide_id is None and not is_new:
        refuse("fide-id", "fide_id")
    number = values.get("number", "").upper()
    if number and not NUMBER.fullmatch(number):
        refuse("number", "number")
    sex = SEXES.get(fold(values.get("sex", "")), "")
    if values.get("sex") and not sex:
        refuse("sex", "sex")
    born = _birth(values.get("birth", ""), today)
    if values.get("birth") and born is None:
        refuse("birth", "birth")
    for column in [name for name in ("club", "district") if name in values]:
        if values[column].casefold() in NO_TEXT:
            values[column] = ""
        for code in _wrong_in(values[column]):
            refuse(code, column)
    if problems:
        return problems
    year, day = born or (None, None)
    return RegisterRow(
        line=line,
        name=name,
        # A 0 stands for none.
        fide_id=fide_id or None,
        is_new=is_new,
        number=number,
        sex=sex,
        birth_year=year,
        birth_date=day,
        club=values.get("club"),
        district=values.get("district"),
    )


@lru_cache(maxsize=10_000)
def _wrong_in(text: str) -> tuple[str, ...]:
    """Return the codes of what is wrong with a club or a district: what the page refuses, too."""
    too_long = ["club-too-long"] if len(text) > LONGEST_CLUB else []
    return (*too_long, *(refusal.code for refusal in text_refusals({"text": text})))


def _name_in(values: Mapping[str, str]) -> str:
    if "name" in values:
        return split_name(values["name"]).listed
    return name_of_fields(values.get("surname", ""), values.get("given", "")).listed


def _birth(text: str, today: date) -> tuple[int, date | None] | None:
    """Return the year of a birth, and the day where the text has one."""
    if (year := read_number(text, most=today.year)) is not None:
        return (year, None) if year >= OLDEST_YEAR else None
    if (found := DAY.fullmatch(text)) is None:
        return None
    year, month, number = map(int, found.groups()[:3] if found[1] else found.groups()[:2:-1])
    try:
        day = date(year, month, number)
    except ValueError:
        return None
    return (year, day) if year >= OLDEST_YEAR and day <= today else None
