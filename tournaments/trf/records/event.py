"""Records of the event: the header (012 to 132 and 222), scoring, methods, colours, numbers of rounds, extensions.

Each line of the header comes once save the deputy arbiters and round dates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from tournaments.trf.fields import (
    DayTexts,
    FieldError,
    event_days,
    half_points,
    laid_out,
    points_at,
    points_text,
    text_at,
    whole,
)
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.limits import MAX_ROUNDS
from tournaments.trf.records.rounds import FIRST_COLUMN, WIDTH

TEXTS = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "092": "tournament_type",
    "102": "chief_arbiter",
    "122": "time_control",
    "222": "encoded_time_control",
}
DAYS = {"042": "start", "052": "end"}
COUNTS = {"062": "number_of_players", "072": "number_of_rated_players", "082": "number_of_teams"}
DEPUTIES = "112"
ROUND_DATES = "132"
ONCE = {**TEXTS, **DAYS, **COUNTS}
TAGS = {*ONCE, DEPUTIES, ROUND_DATES}
COUNT = re.compile(r"(\d+)\s*(?:\(\s*\d+\s*\))?", re.ASCII)


class Header:
    """The header lines of one report, and the values that they give."""

    def __init__(self, findings: list[Finding]) -> None:
        self.lines: dict[str, int] = {}
        self._findings = findings
        self._texts: dict[str, str] = {}
        self._deputies: list[str] = []
        self._round_texts: list[str] = []

    @staticmethod
    def knows(line: str) -> bool:
        """Return whether a line is a record of the header."""
        return line[:3] in TAGS

    def takes(self, line: str, at: int) -> bool:
        """Store the line if it is a record of the header, and return whether it is."""
        if not self.knows(line):
            return False
        tag, text = line[:3], line[3:].strip()
        if tag in ONCE:
            self._take_once(tag, text, at)
            return True
        self.lines.setdefault(tag, at)
        if tag == DEPUTIES:
            self._deputies += [text] if text else []
        else:
            self._take_round_dates(line)
        return True

    def values(self) -> dict[str, Any]:
        """Return the values of the header by the fields of the report, noting what cannot be read."""
        texts = {name: self._texts.get(tag, "") for tag, name in TEXTS.items()}
        days = DayTexts(self._texts.get("042", ""), self._texts.get("052", ""), tuple(self._round_texts))
        return {
            **texts,
            **{name: self._count(tag) for tag, name in COUNTS.items()},
            "encoded_time_control": texts["encoded_time_control"] or None,
            "deputy_arbiters": tuple(self._deputies),
            "day_texts": days,
            **read_days(days),
        }

    def _take_once(self, tag: str, text: str, at: int) -> None:
        if self._texts.get(tag):
            if text:
                first = self.lines[tag]
                self._findings.append(found("record-duplicate", Place(at, 1, 3), tag=tag, first=first))
            return
        self._texts[tag] = text
        self.lines[tag] = at

    def _take_round_dates(self, line: str) -> None:
        if line[3 : FIRST_COLUMN - 1].strip():
            text = line[3:]
            texts = [one.strip() for one in text.split(";")] if ";" in text else text.split()
            self._round_texts += texts[:MAX_ROUNDS]
            return
        starts = range(FIRST_COLUMN - 1, len(line), WIDTH)[:MAX_ROUNDS]
        cells = [line[start : start + WIDTH].strip() for start in starts]
        kept = self._round_texts + [""] * (len(cells) - len(self._round_texts))
        cells += [""] * (len(kept) - len(cells))
        self._round_texts = [old or new for old, new in zip(kept, cells, strict=True)]

    def _count(self, tag: str) -> int | None:
        text = self._texts.get(tag, "")
        match = COUNT.fullmatch(text)
        if text and not match:
            self._findings.append(_at_value("count-unreadable", self.lines[tag], text, tag=tag))
        return int(match[1]) if match and len(match[1]) <= 9 else None


def read_days(texts: DayTexts, registered: tuple[date, date] | None = None) -> dict[str, Any]:
    """Return first and last day and the days of the rounds by the fields of the report."""
    days = event_days(texts, registered)
    rounds = days.rounds
    while rounds and rounds[-1] is None:
        rounds = rounds[:-1]
    return {"start": days.start, "end": days.end, "round_dates": rounds}


def _at_value(code: str, line: int, text: str, **params: str) -> Finding:
    return found(code, Place(line, 5, len(text)), text=text, **params)


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
        """Return the record of a line; `FieldError` if the columns have other content."""
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
