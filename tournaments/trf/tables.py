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
    Column,
    Kind,
    OddError,
    Repeat,
    Row,
    Table,
    UnreadableError,
    Words,
    is_digits,
    one_of,
)
from tournaments.trf.fields import (
    SEXES,
    TITLES,
    FieldError,
    birth_of,
    half_points,
    is_federation_code,
    points_text,
    spelled,
    whole,
)
from tournaments.trf.limits import MAX_ROUNDS

CODES = frozenset("1=0WDL+-HFUZ")
GAME_CODES = frozenset("1=0")
OPEN_CODES = frozenset("X?*")
COLOURS = {"w": "w", "b": "b", "-": "", "": ""}
SPELLINGS = {"½": "=", "–": "-", "−": "-", "A": "Z"}


def _known(values: Mapping[str, str]) -> Any:
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


def _points(text: str) -> int | None:
    points = half_points(text)
    if points is None:
        raise UnreadableError(text)
    return points


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
    return spelled(day) if day else f"{year:04d}/00/00" if year else ""


def _written_sex(sex: str, _width: int) -> str:
    return {"M": "m", "F": "w"}.get(sex, " ")


def _is_birth(text: str) -> bool:
    return birth_of(text) is not None


def _is_federation(text: str) -> bool:
    return len(text) == 3 and text.isalpha()


def _is_points(text: str) -> bool:
    return half_points(text) is not None


SEX = Kind(_known(SEXES), _written_sex, lambda text: text.upper() in SEXES, "")
TITLE = Kind(_known(TITLES), RIGHT_TEXT.write, lambda text: text.upper() in TITLES, "")
STARTING_NUMBER = Kind(_starting_number, lambda value, width: f"{value:>{width}}", is_digits)
PERHAPS_NUMBER = Kind(_number_or_dashes, _right, lambda text: is_digits(text) or not text.strip("-"))
FEDERATION = Kind(_federation, TEXT.write, _is_federation, "", is_left=True)
BIRTH = Kind(_birth, _written_birth, _is_birth, (None, None), is_left=True)
PLAYERS_POINTS = Kind(_points, POINTS.write, _is_points)
COLOUR = Kind(_colour, lambda value, _width: value or "-", lambda text: text.lower() in COLOURS, "")
RESULT = Kind(_code, lambda value, _width: value or " ", lambda text: len(text) == 1, "")

# 001 of both: what is not a number, and what is none of the known codes, has a finding of its own.
PLAYER = Table(
    (
        Column("number", 5, 8, STARTING_NUMBER, is_required=True, label="No.", unread="player-number"),
        Column("sex", 10, 10, SEX, label="s", unread="sex-unknown"),
        Column("title", 11, 13, TITLE, label="Tit", unread="title-unknown"),
        Column("name", 15, 47, label="Name"),
        Column("rating", 49, 52, PERHAPS_NUMBER, label="Rtg", unread="rating-unreadable"),
        Column("federation", 54, 56, FEDERATION, label="Fed", unread="federation-code"),
        Column("fide_id", 58, 68, PERHAPS_NUMBER, label="FIDE ID", unread="fide-id-unreadable"),
        Column("birth", 70, 79, BIRTH, label="Born", unread="birth-unreadable"),
        Column("points", 81, 84, PLAYERS_POINTS, label="Pts", unread="points-unreadable"),
        Column("rank", 86, 89, PERHAPS_NUMBER, label="Rank", unread="rank-unreadable"),
    ),
    Repeat(
        "results",
        92,
        10,
        (
            Column("opponent", 1, 4, NUMBER, unread="opponent-unreadable"),
            Column("colour", 6, 6, COLOUR, unread="colour-unreadable"),
            Column("code", 8, 8, RESULT, unread="result-unreadable"),
        ),
        label="Round",
    ),
)
COLUMNS = {column.name: column for column in PLAYER.columns}
ROUNDS = PLAYER.repeat or Repeat("results", 92, 10, ())


def _numbers(name: str, first: int, *, width: int = 4) -> Repeat:
    """Return a list of numbers in columns of a width, with a blank between them."""
    return Repeat(name, first, width + 1, (Column("", 1, width, Kind(NUMBER.read, NUMBER.write, blank=0)),))


def _scores(letters: int) -> Table:
    columns = (Column("code", 1, 2, CODE, is_required=True), Column("points", 3, 6, POINTS, is_required=True))
    return Table(repeat=Repeat("scores", 5, 9, columns))


ROUND_NUMBER = Kind(_number_of_rounds, lambda value, _width: str(value))
REST = Table(is_rest=True)
NUMBER_OF_ROUNDS = Table(words=Words("rounds", ROUND_NUMBER, is_single=True))
ONE_SCORE = Table(words=Words("points", Kind(_points, POINTS.write), is_single=True))
NUMBERS = Table(words=Words("numbers", Kind(_short_number, lambda value, _width: str(value))))
XXS_SCORE = Kind(_score, lambda value, width: f"{value[0]}={points_text(value[1], width=width)}")

# A record is read by the first of its tables under which all its fields can be read, and written by the first.
Tables = Sequence[Table]
TRF16: Mapping[str, Tables] = {
    "001": (PLAYER,),
    # Sharly Chess 4 writes the players one column to the right.
    "013": tuple(Table((Column("name", 5, 36),), _numbers("players", first)) for first in (37, 38)),
}
TRF26: Mapping[str, Tables] = {
    **TRF16,
    "142": (NUMBER_OF_ROUNDS,),
    "152": (REST,),
    "162": (_scores(1),),
    # Some programs leave the federation out: `172 FIDON`.
    "172": (
        Table((Column("federation", 5, 7), Column("method", 9, 13)), ends=True),
        Table((Column("federation", 4, 4), Column("method", 5, 9)), ends=True),
    ),
    "182": (REST,),
    "192": (REST,),
    "202": (REST,),
    "212": (REST,),
    "240": (
        Table(
            (Column("kind", 5, 5, one_of("F", "H", "Z")), Column("round", 7, 9, NUMBER, is_required=True)),
            _numbers("numbers", 11),
        ),
    ),
    "250": (
        Table(
            (
                Column("match_points", 5, 8, POINTS),
                Column("points", 10, 13, POINTS),
                Column("first_round", 15, 17, NUMBER),
                Column("last_round", 19, 21, NUMBER),
                Column("first", 23, 26, NUMBER),
                Column("last", 28, 31, NUMBER),
            )
        ),
    ),
    "260": (
        Table(
            (Column("first_round", 5, 7, NUMBER), Column("last_round", 9, 11, NUMBER)),
            _numbers("numbers", 13),
        ),
    ),
    "299": (
        Table(
            (
                Column("kind", 5, 5, one_of(*"WDLFHZ+-")),
                Column("match_points", 8, 11, SIGNED_POINTS),
                Column("points", 14, 17, SIGNED_POINTS),
                Column("round", 20, 22, NUMBER),
            ),
            _numbers("numbers", 24),
        ),
    ),
    "300": (
        Table(
            (
                Column("round", 5, 7, NUMBER, is_required=True),
                Column("team", 9, 11, NUMBER, is_required=True),
                Column("opponent", 13, 15, NUMBER, is_required=True),
            ),
            _numbers("players", 17),
        ),
    ),
    "310": (
        Table(
            (
                Column("number", 5, 7, NUMBER, is_required=True),
                Column("name", 9, 40),
                Column("nick", 42, 46),
                Column("strength", 48, 53, RIGHT_TEXT),
                Column("match_points", 55, 60, POINTS),
                Column("game_points", 62, 67, POINTS),
                Column("rank", 69, 71, NUMBER),
            ),
            _numbers("players", 74),
        ),
    ),
    "320": (
        Table(
            (Column("match_points", 5, 8, POINTS), Column("game_points", 10, 13, POINTS)),
            _numbers("teams", 15, width=3),
        ),
    ),
    "330": (
        Table(
            (
                Column("kind", 5, 6, one_of("+-", "-+", "--"), is_required=True),
                Column("round", 8, 10, NUMBER, is_required=True),
                Column("white", 12, 14, NUMBER, is_required=True),
                Column("black", 16, 18, NUMBER, is_required=True),
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
    "XXS": (Table(words=Words("scores", XXS_SCORE)),),
    "XXA": (
        Table(
            (Column("number", 5, 8, NUMBER, is_required=True),),
            Repeat("points", 10, 5, (Column("", 1, 4, POINTS),)),
        ),
    ),
    "DAT": (REST,),
    **dict.fromkeys(("XXC", "XXY", "XXB", "XXM", "XXT", "XXG", "XXK"), (REST,)),
    **dict.fromkeys(("BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"), (ONE_SCORE,)),
}
# `IND` and its like: the national rating of the player of a starting number.
NATIONAL: Tables = (
    Table(
        (
            Column("number", 5, 8, NUMBER, is_required=True),
            Column("sex", 10, 10),
            Column("title", 11, 13, RIGHT_TEXT),
            Column("name", 15, 47),
            Column("rating", 49, 52, NUMBER),
            Column("origin", 54, 56),
            Column("national_id", 58, 68, RIGHT_TEXT),
            Column("birth", 70, 79),
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


def loads(line: str) -> Row:
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
            return Row(row.tag, row.values, tables[0])
    raise first or FieldError(1, 3)


def row(tag: str, *values: Any) -> Row:
    """Return a row of values in the order of the table of a known tag."""
    tables = KNOWN.get(tag, NATIONAL)
    return Row(tag, values, tables[0])
