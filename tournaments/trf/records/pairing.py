"""Records of TRF26 on pairing: byes, accelerations, forbidden pairs, abnormal points, line-ups, forfeits."""

from __future__ import annotations

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
    signed_points_at,
    text_at,
)
from tournaments.trf.records.other import points_piece


@dataclass(frozen=True, slots=True)
class ByeRecord:
    """240: players, or teams of a team event, with a bye F, H or Z in a round."""

    kind: str
    round: int
    numbers: tuple[int, ...]
    tag = "240"

    @classmethod
    def loads(cls, line: str) -> ByeRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 6, 10)
        kind = _one_of(line, 5, 5, "FHZ")
        return cls(kind, required_at(line, 7, 9), numbers_from(line, 11, width=4, step=5))

    def dumps(self) -> str:
        """Return the record as a line."""
        head = [(1, self.tag), (5, self.kind), (7, right(self.round, 3))]
        return laid_out(*head, *listed(self.numbers, 11, width=4, step=5))


@dataclass(frozen=True, slots=True)
class AccelerationRecord:
    """250: half points added for pairing to the players, or teams, `first` to `last` in a span of rounds."""

    match_points: int | None
    points: int | None
    first_round: int | None
    last_round: int | None
    first: int | None
    last: int | None
    tag = "250"

    @classmethod
    def loads(cls, line: str) -> AccelerationRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 9, 14, 18, 22, 27)
        return cls(
            match_points=points_at(line, 5, 8),
            points=points_at(line, 10, 13),
            first_round=number_at(line, 15, 17),
            last_round=number_at(line, 19, 21),
            first=number_at(line, 23, 26),
            last=number_at(line, 28, 31),
        )

    def dumps(self) -> str:
        """Return the record as a line."""
        return laid_out(
            (1, self.tag),
            (5, points_piece(self.match_points, 4)),
            (10, points_piece(self.points, 4)),
            (15, right(self.first_round, 3)),
            (19, right(self.last_round, 3)),
            (23, right(self.first, 4)),
            (28, right(self.last, 4)),
        ).rstrip()


@dataclass(frozen=True, slots=True)
class ForbiddenRecord:
    """260: players, or teams, who must not be paired in a span of rounds."""

    first_round: int | None
    last_round: int | None
    numbers: tuple[int, ...]
    tag = "260"

    @classmethod
    def loads(cls, line: str) -> ForbiddenRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 8, 12)
        numbers = numbers_from(line, 13, width=4, step=5)
        return cls(number_at(line, 5, 7), number_at(line, 9, 11), numbers)

    def dumps(self) -> str:
        """Return the record as a line."""
        head = [(1, self.tag), (5, right(self.first_round, 3)), (9, right(self.last_round, 3))]
        return laid_out(*head, *listed(self.numbers, 13, width=4, step=5)).rstrip()


@dataclass(frozen=True, slots=True)
class AbnormalRecord:
    """299: half points that differ from those of the result, for players, or teams, in a round."""

    kind: str
    match_points: int | None
    points: int | None
    round: int | None
    numbers: tuple[int, ...]
    tag = "299"

    @classmethod
    def loads(cls, line: str) -> AbnormalRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 6, 7, 12, 13, 18, 19, 23)
        return cls(
            kind=_one_of(line, 5, 5, "WDLFHZ+-"),
            match_points=signed_points_at(line, 8, 11),
            points=signed_points_at(line, 14, 17),
            round=number_at(line, 20, 22),
            numbers=numbers_from(line, 24, width=4, step=5),
        )

    def dumps(self) -> str:
        """Return the record as a line."""
        return laid_out(
            (1, self.tag),
            (5, self.kind),
            (8, points_piece(self.match_points, 4)),
            (14, points_piece(self.points, 4)),
            (20, right(self.round, 3)),
            *listed(self.numbers, 24, width=4, step=5),
        ).rstrip()


@dataclass(frozen=True, slots=True)
class LineupRecord:
    """300: the players of a team, by board, against another in a round; 0 is an empty board."""

    round: int
    team: int
    opponent: int
    players: tuple[int, ...]
    tag = "300"

    @classmethod
    def loads(cls, line: str) -> LineupRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 8, 12, 16)
        players = numbers_from(line, 17, width=4, step=5)
        return cls(required_at(line, 5, 7), required_at(line, 9, 11), required_at(line, 13, 15), players)

    def dumps(self) -> str:
        """Return the record as a line."""
        head = [
            (1, self.tag),
            (5, right(self.round, 3)),
            (9, right(self.team, 3)),
            (13, right(self.opponent, 3)),
        ]
        return laid_out(*head, *listed(self.players, 17, width=4, step=5))


@dataclass(frozen=True, slots=True)
class TeamByeRecord:
    """320: the team with the pairing-allocated bye in each round, and its half points."""

    match_points: int | None
    game_points: int | None
    teams: tuple[int, ...]
    tag = "320"

    @classmethod
    def loads(cls, line: str) -> TeamByeRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 9, 14)
        return cls(points_at(line, 5, 8), points_at(line, 10, 13), numbers_from(line, 15, width=3, step=4))

    def dumps(self) -> str:
        """Return the record as a line."""
        head = [
            (1, self.tag),
            (5, points_piece(self.match_points, 4)),
            (10, points_piece(self.game_points, 4)),
        ]
        return laid_out(*head, *listed(self.teams, 15, width=3, step=4)).rstrip()


@dataclass(frozen=True, slots=True)
class MatchForfeitRecord:
    """330: a match of two teams that was forfeited by one or both in a round."""

    kind: str
    round: int
    white: int
    black: int
    tag = "330"

    @classmethod
    def loads(cls, line: str) -> MatchForfeitRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 7, 11, 15)
        kind = text_at(line, 5, 6)
        if kind not in ("+-", "-+", "--"):
            raise FieldError(5, 2)
        return cls(kind, required_at(line, 8, 10), required_at(line, 12, 14), required_at(line, 16, 18))

    def dumps(self) -> str:
        """Return the record as a line."""
        numbers = ((8, right(self.round, 3)), (12, right(self.white, 3)), (16, right(self.black, 3)))
        return laid_out((1, self.tag), (5, self.kind), *numbers)


@dataclass(frozen=True, slots=True)
class AddedPointsRecord:
    """XXA of JaVaFo: half points added for pairing to a player, round by round; None is blank."""

    number: int
    points: tuple[int | None, ...]
    tag = "XXA"

    @classmethod
    def loads(cls, line: str) -> AddedPointsRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        blank_at(line, 4, 9)
        starts = range(10, len(line) + 1, 5)
        return cls(required_at(line, 5, 8), tuple(points_at(line, start, start + 3) for start in starts))

    def dumps(self) -> str:
        """Return the record as a line."""
        texts = ["" if points is None else points_text(points, width=4) for points in self.points]
        pieces = [(10 + 5 * index, f"{text:>4}") for index, text in enumerate(texts)]
        return laid_out((1, self.tag), (5, right(self.number, 4)), *pieces).rstrip()


def _one_of(line: str, first: int, last: int, allowed: str) -> str:
    text = text_at(line, first, last).upper()
    if text and text not in allowed:
        raise FieldError(first, last - first + 1)
    return text
