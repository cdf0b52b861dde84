"""Records of the event beside the header: scoring, methods, colours, numbers of rounds, extensions."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.trf.fields import FieldError, half_points, laid_out, points_at, points_text, text_at, whole
from tournaments.trf.limits import MAX_ROUNDS


@dataclass(frozen=True, slots=True)
class RoundsRecord:
    """142 of TRF26 and XXR of JaVaFo: the number of rounds."""

    tag: str
    rounds: int

    @classmethod
    def loads(cls, line: str) -> RoundsRecord:
        """Return the record of a line; `FieldError` where it is no number of rounds."""
        rounds = whole(line[3:])
        if rounds is None or rounds > MAX_ROUNDS:
            raise FieldError(5, max(len(line) - 4, 1))
        return cls(line[:3], rounds)

    def dumps(self) -> str:
        """Return the record as a line."""
        return f"{self.tag} {self.rounds}"


@dataclass(frozen=True, slots=True)
class ScoringRecord:
    """162 and 362 of TRF26: codes of one or two letters, each with its half points."""

    tag: str
    scores: tuple[tuple[str, int], ...]

    @classmethod
    def loads(cls, line: str) -> ScoringRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        scores = []
        for start in range(5, len(line) + 1, 9):
            code, points = text_at(line, start, start + 1), points_at(line, start + 2, start + 5)
            if not code or points is None or line[start + 5 : start + 8].strip():
                raise FieldError(start, 9)
            scores.append((code.upper(), points))
        return cls(line[:3], tuple(scores))

    def dumps(self) -> str:
        """Return the record as a line."""
        pieces = [(1, self.tag)]
        for index, (code, points) in enumerate(self.scores):
            pieces.append((5 + 9 * index, f"{code:>2}{points_text(points, width=4):>4}"))
        return laid_out(*pieces)


@dataclass(frozen=True, slots=True)
class ScoreListRecord:
    """XXS of JaVaFo: scores such as `WW=1.0`, each a name and its half points."""

    scores: tuple[tuple[str, int], ...]
    tag = "XXS"

    @classmethod
    def loads(cls, line: str) -> ScoreListRecord:
        """Return the record of a line; `FieldError` where one of the scores cannot be read."""
        scores = []
        for text in line[3:].split():
            name, _, value = text.partition("=")
            points = half_points(value)
            if not name or points is None:
                raise FieldError(line.index(text, 3) + 1, len(text))
            scores.append((name.upper(), points))
        return cls(tuple(scores))

    def dumps(self) -> str:
        """Return the record as a line."""
        return " ".join(
            [self.tag, *(f"{name}={points_text(points, width=4)}" for name, points in self.scores)]
        )


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    """BBW, BBD, BBL, BBZ, BBF and BBU of bbpPairings: the half points of one kind of result."""

    tag: str
    points: int

    @classmethod
    def loads(cls, line: str) -> ScoreRecord:
        """Return the record of a line; `FieldError` where the value cannot be read."""
        points = half_points(line[3:])
        if points is None:
            raise FieldError(5, max(len(line) - 4, 1))
        return cls(line[:3], points)

    def dumps(self) -> str:
        """Return the record as a line."""
        return f"{self.tag} {points_text(self.points, width=4):>4}"


@dataclass(frozen=True, slots=True)
class NumberListRecord:
    """XXZ and XXP of JaVaFo: players who are absent, or must not meet."""

    tag: str
    numbers: tuple[int, ...]

    @classmethod
    def loads(cls, line: str) -> NumberListRecord:
        """Return the record of a line; `FieldError` where one of the numbers cannot be read."""
        numbers = []
        for text in line[3:].split():
            number = whole(text) if len(text) <= 9 else None
            if number is None:
                raise FieldError(line.index(text, 3) + 1, len(text))
            numbers.append(number)
        return cls(line[:3], tuple(numbers))

    def dumps(self) -> str:
        """Return the record as a line."""
        return " ".join([self.tag, *map(str, self.numbers)])


LONGEST_METHOD = 5


@dataclass(frozen=True, slots=True)
class RankMethodRecord:
    """172 of TRF26: how starting ranks were given, a federation and a method."""

    federation: str
    method: str
    tag = "172"

    @classmethod
    def loads(cls, line: str) -> RankMethodRecord:
        """Return the record of a line; `FieldError` where the columns hold something else."""
        if line[7:8].strip():
            # Some programs leave the federation out: `172 FIDON`.
            method = line[3:].strip()
            if len(method) > LONGEST_METHOD or " " in method:
                raise FieldError(5, max(len(line) - 4, 1))
            return cls("", method)
        if len(line) > 13:
            raise FieldError(5, max(len(line) - 4, 1))
        return cls(text_at(line, 5, 7), text_at(line, 9, 13))

    def dumps(self) -> str:
        """Return the record as a line."""
        return laid_out((1, self.tag), (5, self.federation), (9, self.method)).rstrip()
