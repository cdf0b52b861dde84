"""Team records (013 of TRF16, 310 of TRF26), national rating lines, and lines that are kept as they are.

Those are comments, extensions without columns, and records that cannot be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tournaments.trf.fields import (
    FieldError,
    blank_at,
    laid_out,
    listed,
    number_at,
    numbers_from,
    points_at,
    points_text,
    required_at,
    right,
    text_at,
)


def points_piece(points: int | None, width: int) -> str:
    """Return half points right-aligned, blanks for None."""
    return "" if points is None else f"{points_text(points, width=width):>{width}}"


@dataclass(frozen=True, slots=True)
class TeamRecord13:
    """013: a team's name and its players."""

    name: str
    players: tuple[int, ...]
    tag = "013"

    @classmethod
    def loads(cls, line: str) -> TeamRecord13:
        """Return the record of a line; `FieldError` where a column cannot be read.

        Sharly Chess 4 writes the players one column to the right: there 41 is a digit, which is blank otherwise.
        """
        blank_at(line, 4)
        first = 38 if line[40:41].isdigit() else 37
        return cls(text_at(line, 5, 36), numbers_from(line, first, width=4, step=5))

    def dumps(self) -> str:
        """Return the record as a line."""
        return laid_out((1, self.tag), (5, self.name), *listed(self.players, 37, width=4, step=5))


@dataclass(frozen=True, slots=True)
class TeamRecord310:
    """310: a team's number, names, strength, points, rank and players. Points are half points."""

    number: int
    name: str
    nick: str
    strength: str
    match_points: int | None
    game_points: int | None
    rank: int | None
    players: tuple[int, ...]
    tag = "310"

    @classmethod
    def loads(cls, line: str) -> TeamRecord310:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 8, 41, 47, 54, 61, 68, 72, 73)
        return cls(
            number=required_at(line, 5, 7),
            name=text_at(line, 9, 40),
            nick=text_at(line, 42, 46),
            strength=text_at(line, 48, 53),
            match_points=points_at(line, 55, 60),
            game_points=points_at(line, 62, 67),
            rank=number_at(line, 69, 71),
            players=numbers_from(line, 74, width=4, step=5),
        )

    def dumps(self) -> str:
        """Return the record as a line."""
        return laid_out(
            (1, self.tag),
            (5, right(self.number, 3)),
            (9, self.name),
            (42, self.nick),
            (48, f"{self.strength:>6}"),
            (55, points_piece(self.match_points, 6)),
            (62, points_piece(self.game_points, 6)),
            (69, right(self.rank, 3)),
            *listed(self.players, 74, width=4, step=5),
        ).rstrip()


LAST_COLUMN = 79


@dataclass(frozen=True, slots=True)
class NationalRecord:
    """A player's national rating and number; `number` is the starting number of the 001 that it belongs to."""

    tag: str
    number: int
    sex: str
    title: str
    name: str
    rating: int | None
    origin: str
    national_id: str
    birth: str

    @classmethod
    def loads(cls, line: str) -> NationalRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        if len(line) > LAST_COLUMN:
            raise FieldError(LAST_COLUMN + 1, len(line) - LAST_COLUMN)
        blank_at(line, 4, 9, 14, 48, 53, 57, 69)
        return cls(
            tag=line[:3],
            number=required_at(line, 5, 8),
            sex=text_at(line, 10, 10),
            title=text_at(line, 11, 13),
            name=text_at(line, 15, 47),
            rating=number_at(line, 49, 52),
            origin=text_at(line, 54, 56),
            national_id=text_at(line, 58, 68),
            birth=text_at(line, 70, 79),
        )

    def dumps(self) -> str:
        """Return the record as a line."""
        return laid_out(
            (1, self.tag),
            (5, right(self.number, 4)),
            (10, self.sex),
            (11, f"{self.title:>3}"),
            (15, self.name),
            (49, right(self.rating, 4)),
            (54, self.origin),
            (58, f"{self.national_id:>11}"),
            (70, self.birth),
        ).rstrip()


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """A line that is kept and written again, but not used."""

    text: str

    @property
    def tag(self) -> str:
        """The first three characters."""
        return self.text[:3]

    def dumps(self) -> str:
        """Return the line."""
        return self.text


@dataclass(frozen=True, slots=True)
class TextRecord:
    """A record that is a text after its tag: 182, 192, 202, 212, 352, XXC, DAT and their like.

    `rest` is all after the tag, since in some it has columns.
    """

    tag: str
    rest: str

    @property
    def text(self) -> str:
        """The text without blanks around it."""
        return self.rest.strip()

    @classmethod
    def loads(cls, line: str) -> TextRecord:
        """Return the record of a line."""
        return cls(line[:3], line[3:])

    def dumps(self) -> str:
        """Return the record as a line."""
        return f"{self.tag}{self.rest}"


SIDE = "1/2|[10½=+-]"
PAIR = re.compile(rf"({SIDE})\s*[-/]\s*({SIDE})")
RESULT = rf"(?:{SIDE})\s*[-/]\s*(?:{SIDE})|[=½]"
CORRECTION = re.compile(
    r"###\s*Rating correction\s*@\s*Round\s+(?P<round>\d{1,3})\s*:\s*(?P<white>\d{1,4})-(?P<black>\d{1,4})"
    rf"(?::\s*(?P<former>{RESULT})\s*=>\s*(?P<new>{RESULT})"
    rf"|\s+recorded as\s+(?P<only>{RESULT})\s+for rating"
    rf"|\s+(?P<first>{RESULT})\s+recorded for rating)(?![-+\d])",
    re.ASCII | re.IGNORECASE,
)
SIDES = {"1": "1", "0": "0", "1/2": "=", "½": "=", "=": "=", "+": "+", "-": "-"}


@dataclass(frozen=True, slots=True)
class CorrectionRecord:
    """A comment such as `### Rating correction @ Round 4: 6-17: 1-0 => 0-1`: a result corrected only for rating.

    The players' lines have the corrected result, their points and the later pairings the former one. `codes` are
    the corrected results of White and Black.
    """

    text: str
    round: int
    white: int
    black: int
    codes: tuple[str, str]
    tag = "###"

    def dumps(self) -> str:
        """Return the line."""
        return self.text


def comment_of(line: str) -> CorrectionRecord | OtherRecord:
    """Return a comment, as a correction for rating where it is one."""
    match = CORRECTION.match(line)
    if match is None:
        return OtherRecord(line)
    result = match["new"] or match["only"] or match["first"]
    pair = PAIR.fullmatch(result)
    codes = pair.groups() if pair else (result, result)
    white, black = (SIDES[code] for code in codes)
    return CorrectionRecord(
        line, int(match["round"]), int(match["white"]), int(match["black"]), (white, black)
    )
