"""The records of TRF16, what TRF26 adds to them, and the extensions of pairing programs, as tables of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from tournaments.trf.columns import (
    CODE,
    NUMBER,
    POINTS,
    RIGHT_TEXT,
    SIGNED_POINTS,
    TEXT,
    ColumnKind,
    OddError,
    RecordColumn,
    RecordRow,
    RecordTable,
    Repeat,
    UnreadableError,
    Words,
    is_digits,
    one_of,
)
from tournaments.trf.days import birth_of, spell_day
from tournaments.trf.fields import (
    SEXES,
    TITLES,
    FieldError,
    half_points,
    is_federation_code,
    points_text,
    whole,
)
from tournaments.trf.limits import MAX_ROUNDS

CODES = frozenset("1=0WDL+-HFUZ")
GAME_CODES = frozenset("1=0")
# A game that is adjourned or not entered yet: read as no result, with a warning.
OPEN_CODES = frozenset("X?*")
COLOURS = {"w": "w", "b": "b", "-": "", "": ""}
# Signs that can mean nothing else.
SPELLINGS = {"½": "=", "–": "-", "−": "-", "A": "Z"}


def _one_of(values: Mapping[str, str]) -> Any:
    def read(text: str) -> str:
        if text.upper() not in values:
            raise UnreadableError(text)
        return values[text.upper()]

    return read


def _number_or_dashes(text: str) -> int | None:
    number = whole(text)
    # Some programs fill a blank field with dashes.
    if number is None and text.strip(" -"):
        raise UnreadableError(text)
    return number


def _starting_number(text: str) -> int:
    number = whole(text)
    if not number:
        raise UnreadableError(text)
    return number


def _federation(text: str) -> str:
    if is_federation_code(text):
        return text
    if is_federation_code(text.upper()):
        raise OddError(text.upper(), "federation-lower-case")
    raise OddError(text, "federation-code")


def _birth(text: str) -> tuple[date | None, int | None]:
    birth = birth_of(text)
    if birth is None:
        raise UnreadableError(text)
    return birth


def _colour(text: str) -> str:
    if text.lower() not in COLOURS:
        raise UnreadableError(text)
    return COLOURS[text.lower()]


def _code(text: str) -> str:
    code = text.upper()
    if code in CODES:
        return code
    if code in SPELLINGS:
        raise OddError(SPELLINGS[code], "result-spelling")
    if code in OPEN_CODES:
        raise OddError("", "result-unknown")
    raise UnreadableError(text)


def _number_of_rounds(text: str) -> int:
    rounds = whole(text)
    if rounds is None or rounds > MAX_ROUNDS:
        raise UnreadableError(text)
    return rounds


def _short_number(text: str) -> int:
    number = whole(text) if len(text) <= 9 else None
    if number is None:
        raise UnreadableError(text)
    return number


def _score(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    points = half_points(value)
    if not name or points is None:
        raise UnreadableError(text)
    return name.upper(), points


def _right(value: Any, width: int) -> str:
    return f"{value or '':>{width}}"


def _written_birth(birth: tuple[date | None, int | None], _width: int) -> str:
    day, year = birth
    return spell_day(day) if day else f"{year:04d}/00/00" if year else ""


def _written_sex(sex: str, _width: int) -> str:
    return {"M": "m", "F": "w"}.get(sex, " ")


SEX = ColumnKind(_one_of(SEXES), _written_sex, lambda text: text.upper() in SEXES, "")
TITLE = ColumnKind(_one_of(TITLES), RIGHT_TEXT.write, lambda text: text.upper() in TITLES, "")
STARTING_NUMBER = ColumnKind(_starting_number, lambda value, width: f"{value:>{width}}", is_digits)
PERHAPS_NUMBER = ColumnKind(_number_or_dashes, _right, lambda text: is_digits(text) or not text.strip("-"))
FEDERATION = ColumnKind(
    _federation, TEXT.write, lambda text: len(text) == 3 and text.isalpha(), "", is_left=True
)
BIRTH = ColumnKind(
    _birth, _written_birth, lambda text: birth_of(text) is not None, (None, None), is_left=True
)
PLAYERS_POINTS = ColumnKind(POINTS.read, POINTS.write, lambda text: half_points(text) is not None)
COLOUR = ColumnKind(_colour, lambda value, _width: value or "-", lambda text: text.lower() in COLOURS, "")
RESULT = ColumnKind(_code, lambda value, _width: value or " ", lambda text: len(text) == 1, "")

# 001 of both: what is not a number, and what is none of the known codes, has a finding of its own.
PLAYER = RecordTable(
    (
        RecordColumn("number", 5, 8, STARTING_NUMBER, is_required=True, label="No.", unread="player-number"),
        RecordColumn("sex", 10, 10, SEX, label="s", unread="sex-unknown"),
        RecordColumn("title", 11, 13, TITLE, label="Tit", unread="title-unknown"),
        RecordColumn("name", 15, 47, label="Name"),
        RecordColumn("rating", 49, 52, PERHAPS_NUMBER, label="Rtg", unread="rating-unreadable"),
        RecordColumn("federation", 54, 56, FEDERATION, label="Fed", unread="federation-code"),
        RecordColumn("fide_id", 58, 68, PERHAPS_NUMBER, label="FIDE ID", unread="fide-id-unreadable"),
        RecordColumn("birth", 70, 79, BIRTH, label="Born", unread="birth-unreadable"),
        RecordColumn("points", 81, 84, PLAYERS_POINTS, label="Pts", unread="points-unreadable"),
        RecordColumn("rank", 86, 89, PERHAPS_NUMBER, label="Rank", unread="rank-unreadable"),
    ),
    Repeat(
        "results",
        92,
        10,
        (
            RecordColumn("opponent", 1, 4, NUMBER, unread="opponent-unreadable"),
            RecordColumn("colour", 6, 6, COLOUR, unread="colour-unreadable"),
            RecordColumn("code", 8, 8, RESULT, unread="result-unreadable"),
        ),
        label="Round",
    ),
)
COLUMNS = {column.name: column for column in PLAYER.columns}
ROUNDS = PLAYER.repeat or Repeat("results", 92, 10, ())


def _numbers(name: str, first: int, *, width: int = 4) -> Repeat:
    """Return a list of numbers in columns of a width, with a blank between them."""
    return Repeat(
        name, first, width + 1, (RecordColumn("", 1, width, ColumnKind(NUMBER.read, NUMBER.write, blank=0)),)
    )


def _scores(letters: int) -> RecordTable:
    columns = (
        RecordColumn("code", 1, 2, CODE, is_required=True),
        RecordColumn("points", 3, 6, POINTS, is_required=True),
    )
    return RecordTable(repeat=Repeat("scores", 5, 9, columns))


ROUND_NUMBER = ColumnKind(_number_of_rounds, lambda value, _width: str(value))
REST = RecordTable(is_rest=True)
NUMBER_OF_ROUNDS = RecordTable(words=Words("rounds", ROUND_NUMBER, is_single=True))
ONE_SCORE = RecordTable(words=Words("points", POINTS, is_single=True))
NUMBERS = RecordTable(words=Words("numbers", ColumnKind(_short_number, lambda value, _width: str(value))))
XXS_SCORE = ColumnKind(_score, lambda value, width: f"{value[0]}={points_text(value[1], width=width)}")

# A record is read by the first of its tables under which all its fields can be read, and written by the first.
Tables = Sequence[RecordTable]
TRF16: Mapping[str, Tables] = {
    "001": (PLAYER,),
    # Sharly Chess 4 writes the players one column to the right.
    "013": tuple(
        RecordTable((RecordColumn("name", 5, 36),), _numbers("players", first)) for first in (37, 38)
    ),
}
TRF26: Mapping[str, Tables] = {
    **TRF16,
    "142": (NUMBER_OF_ROUNDS,),
    "152": (REST,),
    "162": (_scores(1),),
    # Some programs leave the federation out: `172 FIDON`.
    "172": (
        RecordTable((RecordColumn("federation", 5, 7), RecordColumn("method", 9, 13)), ends=True),
        RecordTable((RecordColumn("federation", 4, 4), RecordColumn("method", 5, 9)), ends=True),
    ),
    "182": (REST,),
    "192": (REST,),
    "202": (REST,),
    "212": (REST,),
    "240": (
        RecordTable(
            (
                RecordColumn("kind", 5, 5, one_of("F", "H", "Z")),
                RecordColumn("round", 7, 9, NUMBER, is_required=True),
            ),
            _numbers("numbers", 11),
        ),
    ),
    "250": (
        RecordTable(
            (
                RecordColumn("match_points", 5, 8, POINTS),
                RecordColumn("points", 10, 13, POINTS),
                RecordColumn("first_round", 15, 17, NUMBER),
                RecordColumn("last_round", 19, 21, NUMBER),
                RecordColumn("first", 23, 26, NUMBER),
                RecordColumn("last", 28, 31, NUMBER),
            )
        ),
    ),
    "260": (
        RecordTable(
            (RecordColumn("first_round", 5, 7, NUMBER), RecordColumn("last_round", 9, 11, NUMBER)),
            _numbers("numbers", 13),
        ),
    ),
    "299": (
        RecordTable(
            (
                RecordColumn("kind", 5, 5, one_of(*"WDLFHZ+-")),
                RecordColumn("match_points", 8, 11, SIGNED_POINTS),
                RecordColumn("points", 14, 17, SIGNED_POINTS),
                RecordColumn("round", 20, 22, NUMBER),
            ),
            _numbers("numbers", 24),
        ),
    ),
    "300": (
        RecordTable(
            (
                RecordColumn("round", 5, 7, NUMBER, is_required=True),
                RecordColumn("team", 9, 11, NUMBER, is_required=True),
                RecordColumn("opponent", 13, 15, NUMBER, is_required=True),
            ),
            _numbers("players", 17),
        ),
    ),
    "310": (
        RecordTable(
            (
                RecordColumn("number", 5, 7, NUMBER, is_required=True),
                RecordColumn("name", 9, 40),
                RecordColumn("nick", 42, 46),
                RecordColumn("strength", 48, 53, RIGHT_TEXT),
                RecordColumn("match_points", 55, 60, POINTS),
                RecordColumn("game_points", 62, 67, POINTS),
                RecordColumn("rank", 69, 71, NUMBER),
            ),
            _numbers("players", 74),
        ),
    ),
    "320": (
        RecordTable(
            (RecordColumn("match_points", 5, 8, POINTS), RecordColumn("game_points", 10, 13, POINTS)),
            _numbers("teams", 15, width=3),
        ),
    ),
    "330": (
        RecordTable(
            (
                RecordColumn("kind", 5, 6, one_of("+-", "-+", "--"), is_required=True),
                RecordColumn("round", 8, 10, NUMBER, is_required=True),
                RecordColumn("white", 12, 14, NUMBER, is_required=True),
                RecordColumn("black", 16, 18, NUMBER, is_required=True),
            )
        ),
    ),
    "352": (REST,),
    "362": (_scores(2),),
    "801": (REST,),
    "802": (REST,),
}
# Of JaVaFo, bbpPairings, gnutterts and Tornelo.
EXTENSIONS: Mapping[str, Tables] = {
    "XXR": (NUMBER_OF_ROUNDS,),
    "XXZ": (NUMBERS,),
    "XXP": (NUMBERS,),
    "XXS": (RecordTable(words=Words("scores", XXS_SCORE)),),
    "XXA": (
        RecordTable(
            (RecordColumn("number", 5, 8, NUMBER, is_required=True),),
            Repeat("points", 10, 5, (RecordColumn("", 1, 4, POINTS),)),
        ),
    ),
    "DAT": (REST,),
    **dict.fromkeys(("XXC", "XXY", "XXB", "XXM", "XXT", "XXG", "XXK"), (REST,)),
    **dict.fromkeys(("BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"), (ONE_SCORE,)),
}
# `IND` and its like: the national rating of the player of a starting number.
NATIONAL: Tables = (
    RecordTable(
        (
            RecordColumn("number", 5, 8, NUMBER, is_required=True),
            RecordColumn("sex", 10, 10),
            RecordColumn("title", 11, 13, RIGHT_TEXT),
            RecordColumn("name", 15, 47),
            RecordColumn("rating", 49, 52, NUMBER),
            RecordColumn("origin", 54, 56),
            RecordColumn("national_id", 58, 68, RIGHT_TEXT),
            RecordColumn("birth", 70, 79),
        ),
        ends=True,
    ),
)
KNOWN: Mapping[str, Tables] = {**TRF26, **EXTENSIONS}
# Records of the event as a whole, in writing before the players.
OF_EVENT = frozenset(
    {"142", "152", "162", "172", "182", "192", "202", "212", "352", "362", "XXR", "XXZ", "XXP", "XXS"}
    | {tag for tag in EXTENSIONS if tag.startswith("BB") or (EXTENSIONS[tag] == (REST,) and tag != "DAT")}
)
TEAMS_16, TEAMS_26 = "013", "310"


def tables_of(line: str) -> Tables | None:
    """Return what reads a line beside the header and the players, None where its record is not known."""
    tag = line[:3]
    if tag in KNOWN:
        return KNOWN[tag]
    is_code = len(tag) == 3 and tag.isascii() and tag.isalpha() and tag.isupper()
    return NATIONAL if is_code and line[3:8].strip().isdigit() else None


def loads(line: str) -> RecordRow:
    """Return the row of a line of a known record; `FieldError` where it cannot be read under any of its tables."""
    tables = tables_of(line)
    if tables is None:
        raise FieldError(1, 3)
    first: FieldError | None = None
    for table in tables:
        try:
            row = table.loads(line)
        except FieldError as error:
            first = first or error
        else:
            return RecordRow(row.tag, row.values, tables[0])
    raise first or FieldError(1, 3)


def row(tag: str, *values: Any) -> RecordRow:
    """Return a row of values in the order of the table of a known tag."""
    tables = KNOWN.get(tag, NATIONAL)
    return RecordRow(tag, values, tables[0])
