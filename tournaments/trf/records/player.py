"""The player record 001: fixed columns for the player, then ten columns a round."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date

from tournaments.trf.dates import spelled
from tournaments.trf.fields import laid_out, points_text, right
from tournaments.trf.records.rounds import RoundResult, cell_text, column_of

TAG = "001"


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player of the report. Points are half points; `line` and `shift` say where the record was read.

    `sex` is M, F or empty, `title` GM to WCM or empty, `rating` 0 for none, `birth_date` None where only the
    year is known. Where the record was written is no part of what it says: it does not count in comparisons.
    """

    number: int
    name: str = ""
    sex: str = ""
    title: str = ""
    rating: int = 0
    federation: str = ""
    fide_id: int | None = None
    birth_date: date | None = None
    birth_year: int | None = None
    points: int | None = None
    rank: int | None = None
    results: tuple[RoundResult, ...] = ()
    line: int = field(default=0, compare=False)
    shift: int = field(default=0, compare=False)

    def column_of(self, round_number: int) -> int:
        """Return the column of a round in the line as it was written, counted from 1."""
        return column_of(round_number) - self.shift

    def with_results(self, results: tuple[RoundResult, ...]) -> PlayerRecord:
        """Return the player with other rounds."""
        return replace(self, results=results)

    def dumps(self) -> str:
        """Return the record as a line; `ValueError` where a value does not fit its columns."""
        pieces = [
            (1, TAG),
            (5, right(self.number, 4)),
            (10, {"M": "m", "F": "w"}.get(self.sex, " ")),
            (11, f"{self.title:>3}"),
            (15, self.name),
            (49, right(self.rating, 4)),
            (54, self.federation),
            (58, right(self.fide_id, 11)),
            (70, self._birth()),
            (81, "" if self.points is None else f"{points_text(self.points, width=4):>4}"),
            (86, right(self.rank, 4)),
            (90, ""),
        ]
        pieces += [(column_of(result.round), cell_text(result)) for result in self.results]
        return laid_out(*pieces).rstrip()

    def _birth(self) -> str:
        if self.birth_date:
            return spelled(self.birth_date)
        return f"{self.birth_year:04d}/00/00" if self.birth_year else ""
