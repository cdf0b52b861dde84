"""Team records: 013 of TRF16 and 310 of TRF26."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.trf.fields import (
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
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4)
        return cls(text_at(line, 5, 36), numbers_from(line, 37, width=4, step=5))

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
