"""The header: 012 to 132 and 222. Each line comes once save the deputy arbiters and the dates of rounds."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from tournaments.trf.days import DayTexts, event_days, readings
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.limits import MAX_ROUNDS
from tournaments.trf.tables import ROUNDS

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

    @property
    def first(self) -> str:
        """The name of the tournament."""
        return self._texts.get("012", "")

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

    def values(self, *, on: date | None = None) -> dict[str, Any]:
        """Return the values of the header by the fields of the report, noting what cannot be read.

        `on` is the day on which the report is read, None where it is not known.
        """
        texts = {name: self._texts.get(tag, "") for tag, name in TEXTS.items()}
        days = DayTexts(self._texts.get("042", ""), self._texts.get("052", ""), tuple(self._round_texts))
        return {
            **texts,
            **{name: self._count(tag) for tag, name in COUNTS.items()},
            "encoded_time_control": texts["encoded_time_control"] or None,
            "deputy_arbiters": tuple(self._deputies),
            "day_texts": days,
            **read_days(days, on=on),
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
        if line[3 : ROUNDS.first - 1].strip():
            text = line[3:]
            texts = [one.strip() for one in text.split(";")] if ";" in text else text.split()
            self._round_texts += texts[:MAX_ROUNDS]
            return
        starts = ROUNDS.starts(line)[:MAX_ROUNDS]
        cells = [line[start : start + ROUNDS.step].strip() for start in starts]
        words = line[3:].split()
        if not all(map(readings, filter(None, cells))) and all(map(readings, words)):
            # A blank more or less between two dates moves all that follow.
            cells = words[:MAX_ROUNDS]
        kept = self._round_texts + [""] * (len(cells) - len(self._round_texts))
        cells += [""] * (len(kept) - len(cells))
        self._round_texts = [old or new for old, new in zip(kept, cells, strict=True)]

    def _count(self, tag: str) -> int | None:
        text = self._texts.get(tag, "")
        match = COUNT.fullmatch(text)
        if text and not match:
            place = Place(self.lines[tag], 5, len(text))
            self._findings.append(found("count-unreadable", place, text=text, tag=tag))
        return int(match[1]) if match and len(match[1]) <= 9 else None


def read_days(
    texts: DayTexts, registered: tuple[date, date] | None = None, *, on: date | None = None
) -> dict[str, Any]:
    """Return first and last day and the days of the rounds by the fields of the report."""
    days = event_days(texts, registered, on=on)
    rounds = days.rounds
    while rounds and rounds[-1] is None:
        rounds = rounds[:-1]
    return {"start": days.start, "end": days.end, "round_dates": rounds}
