"""The player record 001 as values: the player, and the rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple, overload

from tournaments.trf.tables import PLAYER, ROUNDS

TAG = "001"
FIRST_ROUND = ROUNDS.first - 1
CELL_WIDTH = ROUNDS.columns[-1].last
# The first column of a round, counted from 1.
column_of = ROUNDS.column_of


class RoundResult(NamedTuple):
    """One round of one player.

    `opponent` is a starting number or None, `colour` w, b or empty, `code` one of 1 = 0 W D L + - H F U Z or
    empty where nothing was written.
    """

    round: int
    opponent: int | None
    colour: str
    code: str


# Colour and code of a round in one text of two letters, `w1` or `-Z`: so a report has few, each made once.
BLANK_MARK = "- "


@cache
def mark_of(colour: str, code: str) -> str:
    return f"{colour or '-'}{code or ' '}"


@cache
def parts_of(mark: str) -> tuple[str, str]:
    """Return colour and code of a mark, empty where there are none."""
    return mark[0].replace("-", ""), mark[1].replace(" ", "")


class Rounds(Sequence[RoundResult]):
    """The rounds of a player, from the first on, as two columns: opponents, and marks."""

    __slots__ = ("marks", "opponents")

    def __init__(self, opponents: tuple[int | None, ...] = (), marks: tuple[str, ...] = ()) -> None:
        self.opponents = opponents
        self.marks = marks

    @classmethod
    def of(cls, results: Iterable[RoundResult]) -> Rounds:
        """Return rounds as columns; they are in order and none is left out."""
        if isinstance(results, cls):
            return results
        results = tuple(results)
        opponents = tuple(result.opponent for result in results)
        return cls(opponents, tuple(mark_of(result.colour, result.code) for result in results))

    def __len__(self) -> int:
        return len(self.marks)

    def __iter__(self) -> Iterator[RoundResult]:
        pairs = zip(self.opponents, self.marks, strict=True)
        return (
            RoundResult(number, opponent, *parts_of(mark)) for number, (opponent, mark) in enumerate(pairs, 1)
        )

    @overload
    def __getitem__(self, place: int) -> RoundResult: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[RoundResult, ...]: ...

    def __getitem__(self, place: int | slice) -> RoundResult | tuple[RoundResult, ...]:
        if isinstance(place, slice):
            return tuple(self)[place]
        number = range(1, len(self.marks) + 1)[place]
        return RoundResult(number, self.opponents[place], *parts_of(self.marks[place]))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rounds):
            return (self.opponents, self.marks) == (other.opponents, other.marks)
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        return hash((self.opponents, self.marks))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def of_length(self, number: int) -> Rounds:
        """Return so many rounds: those there are, then blank ones."""
        missing = number - len(self.marks)
        if missing == 0:
            return self
        opponents = self.opponents[:number] + (None,) * missing
        return Rounds(opponents, self.marks[:number] + (BLANK_MARK,) * missing)

    @property
    def last(self) -> int:
        """The last round in which anything is written."""
        number = len(self.marks)
        while number and self.marks[number - 1] == BLANK_MARK and self.opponents[number - 1] is None:
            number -= 1
        return number


class PlayerRecord(NamedTuple):
    """A player of the report. Points are half points; `line`, `shift` and `is_moved` are the place of the record.

    `sex` is M, F or empty, `title` GM to WCM or empty, `rating` 0 for none, `birth_date` None if only the
    year is known. The place of the record does not count in comparisons. A tuple, because a report has thousands.
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
    results: Sequence[RoundResult] = ()
    line: int = 0
    shift: int = 0
    is_moved: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlayerRecord) and self[:VALUES] == other[:VALUES]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:VALUES])

    @property
    def rounds(self) -> Rounds:
        return Rounds.of(self.results)

    def column_of(self, round_number: int) -> int:
        """Return the column of a round in the line as it was written, counted from 1."""
        return column_of(round_number) - self.shift

    def dumps(self) -> str:
        """Return the record as a line; `ValueError` where a value does not fit its columns."""
        birth = (self.birth_date, self.birth_year)
        head = (self.number, self.sex, self.title, self.name, self.rating, self.federation, self.fide_id)
        line = PLAYER.dumps(TAG, (*head, birth, self.points, self.rank, ()))
        cells = [cell_text(result) for result in self.results]
        return (line.ljust(FIRST_ROUND) + "".join(cell.ljust(ROUNDS.step) for cell in cells)).rstrip()


def are_of_one_person(first: PlayerRecord, second: PlayerRecord) -> bool:
    """Return whether two lines with a FIDE ID of one person can be joined: one name, and no round in common."""
    if _letters(first.name) != _letters(second.name):
        return False
    pairs = zip(first.results, second.results, strict=False)
    return all(is_absence(one) or is_absence(other) for one, other in pairs)


def is_absence(result: RoundResult) -> bool:
    """Return whether a round has neither an opponent nor a bye that was granted."""
    return result.opponent is None and result.code in ("", "Z", "-")


def _letters(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalpha())


VALUES = len(PlayerRecord._fields) - len(("line", "shift", "is_moved"))


def cell_text(result: RoundResult) -> str:
    """Return the eight columns of a round."""
    if result.opponent is None and not result.code and not result.colour:
        return " " * CELL_WIDTH
    opponent = f"{result.opponent:>4}" if result.opponent else "0000"
    return f"{opponent} {result.colour or '-'} {result.code or ' '}"
