"""Members and games as arenas send them: plain JSON values read into checked ones, every fault at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from players.fide_list.values import MAX_FIDE_ID
from ratings.systems.online.values import Result

MAX_MOVES = 100_000
HIGHEST_RATING = 9_999
FIRST_YEAR, LAST_YEAR = 1990, 2999
TIME_CONTROL = re.compile(r"[0-9]{1,5}\+[0-9]{1,5}", re.ASCII)
COLOURS = ("white", "black")


class WrongValueError(ValueError):
    """A value is not what its field holds; the text says what it is not."""


class EntryError(Exception):
    """An invalid line; `reasons` has one sentence for each problem."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)


@dataclass(frozen=True, slots=True)
class MemberEntry:
    handle: str
    fide_id: int | None
    is_full_member: bool
    joined: date


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A finished game; `white` and `black` are handles, `disconnected` a colour or empty."""

    id: str
    played_at: datetime
    white: str
    black: str
    result: str
    time_control: str
    moves: int
    white_rating_at_start: int | None
    black_rating_at_start: int | None
    disconnected: str

    @property
    def order(self) -> tuple[datetime, str]:
        """What games are rated by: the end of the game, then the arena's id."""
        return self.played_at, self.id


def read_member(row: Any) -> MemberEntry:
    """Return a member from `{"handle", "fide_id", "full_member", "joined"}`; raises EntryError."""
    reader = _Reader(row)
    entry = MemberEntry(
        handle=reader.value("handle", lambda value: _text(value, 60)),
        fide_id=reader.optional("fide_id", lambda value: _whole(value, 1, MAX_FIDE_ID)),
        is_full_member=reader.value("full_member", _flag),
        joined=reader.value("joined", _day),
    )
    reader.finish()
    return entry


def read_game(row: Any) -> GameEntry:
    """Return a game from the object that `import_games` and the API take; raises EntryError."""
    reader = _Reader(row)
    entry = GameEntry(
        # Servers that number their games send numbers; `type` rather than `isinstance`, since true is an int in Python.
        id=reader.value("id", lambda value: _text(str(value) if type(value) is int else value, 100)),
        played_at=reader.value("played_at", instant),
        white=reader.value("white", lambda value: _text(value, 60)),
        black=reader.value("black", lambda value: _text(value, 60)),
        result=reader.value("result", lambda value: _one_of(value, tuple(Result))),
        time_control=reader.value("time_control", _time_control),
        moves=reader.value("moves", lambda value: _whole(value, 0, MAX_MOVES)),
        white_rating_at_start=reader.optional("white_rating_at_start", _rating),
        black_rating_at_start=reader.optional("black_rating_at_start", _rating),
        disconnected=reader.optional("disconnected", lambda value: _one_of(value, COLOURS)) or "",
    )
    if entry.white == entry.black and entry.white is not None:
        reader.reasons.append("White and Black are the same member")
    reader.finish()
    return entry


def instant(value: Any) -> datetime:
    """Return an instant in UTC from `2026-02-01T12:30:00Z` or with another offset; raises ValueError."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    if moment is None or moment.tzinfo is None or not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise WrongValueError("is not a date and time with offset, for example 2026-02-01T12:30:00Z")
    return moment.astimezone(UTC)


class _Reader:
    def __init__(self, row: Any) -> None:
        if not isinstance(row, Mapping):
            raise EntryError(["is not a JSON object"])
        self.row, self.reasons = row, list[str]()

    def value(self, name: str, read: Callable[[Any], Any]) -> Any:
        """Return a required value; record a problem and return None if it is invalid."""
        if name not in self.row:
            self.reasons.append(f"{name} is missing")
            return None
        try:
            return read(self.row[name])
        except WrongValueError as error:
            self.reasons.append(f"{name}: {_quote(self.row[name])} {error}")
        except ValueError:
            self.reasons.append(f"{name}: {_quote(self.row[name])} is not a valid date and time")
        return None

    def optional(self, name: str, read: Callable[[Any], Any]) -> Any:
        """Return a value that may be left out or null."""
        return None if self.row.get(name) is None else self.value(name, read)

    def finish(self) -> None:
        if self.reasons:
            raise EntryError(self.reasons)


def _quote(value: Any) -> str:
    return repr(value)[:40]


def _text(value: Any, longest: int) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > longest or not value.isprintable():
        raise WrongValueError(f"is not a text of 1 to {longest} printable characters")
    return value


def _whole(value: Any, lowest: int, highest: int) -> int:
    # In Python, true is an int as well.
    if type(value) is not int or not lowest <= value <= highest:
        raise WrongValueError(f"is not a whole number from {lowest} to {highest}")
    return value


def _rating(value: Any) -> int:
    return _whole(value, 0, HIGHEST_RATING)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise WrongValueError("is not true or false")
    return value


def _one_of(value: Any, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise WrongValueError(f"is not one of {', '.join(allowed)}")
    return str(value)


def _time_control(value: Any) -> str:
    if not isinstance(value, str) or TIME_CONTROL.fullmatch(value) is None:
        raise WrongValueError("is not a time control. Use minutes+seconds, for example 10+5")
    return value


def _day(value: Any) -> date:
    """Return a day; of an instant its UTC day."""
    if isinstance(value, str) and len(value) > len("2026-01-31"):
        return instant(value).date()
    day = date.fromisoformat(value) if isinstance(value, str) else None
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise WrongValueError("is not a date. Use the form 2026-01-31")
    return day
