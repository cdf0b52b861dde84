"""What is known of a small rating world: everything that a list follows from, each with the list that first knows it.

`since` is the date of the first list for which a fact is known. Nothing here is a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

# Half points of White and Black in a game that was played; a result that is not here is a forfeit.
PLAYED = {"1-0": (2, 0), "0-1": (0, 2), "1/2": (1, 1)}
SHIPPED = ((date(2022, 1, 1), "2022"), (date(2024, 1, 1), "2024"))


@dataclass(frozen=True, slots=True)
class Person:
    """A player under one FIDE ID."""

    fide_id: int
    federation: str = "SUI"
    birth_year: int | None = 1980


@dataclass(frozen=True, slots=True)
class Imported:
    """A player's figures on an imported list."""

    rating: int
    k: int = 20
    is_inactive: bool = False


@dataclass(frozen=True, slots=True)
class StandardList:
    """Standard ratings by FIDE ID; one that comes late is known to later lists only."""

    on: date
    since: date
    ratings: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Game:
    """A pairing of two FIDE IDs: a result of `PLAYED`, or a forfeit (`+-`, `-+`)."""

    round: int
    white: int
    black: int
    result: str

    @property
    def pair(self) -> tuple[int, int, int]:
        return self.round, self.white, self.black


@dataclass(frozen=True, slots=True)
class Report:
    """The games of an event as they stand from a list on; none: withdrawn."""

    since: date
    games: tuple[Game, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A decision that a game (round, white, black) is not rated, or is rated again."""

    since: date
    pair: tuple[int, int, int]
    is_rated: bool


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament: the list that takes it, and its reports and marks in the order in which they were entered."""

    event_id: str
    start: date
    end: date
    taken_by: date
    reports: tuple[Report, ...]
    marks: tuple[Mark, ...] = ()
    is_match: bool = False


@dataclass(frozen=True, slots=True)
class Death:
    """A death that was recorded, or (no day) undone."""

    since: date
    fide_id: int
    day: date | None


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A federation is no member from a day on until, if it is known, another one."""

    since: date
    federation: str
    first: date
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Merger:
    """The person with one FIDE ID is the one with another, which stays."""

    since: date
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Facts:
    """A world: people, imported lists, what was played, and the dates of the lists that are published."""

    people: tuple[Person, ...]
    imported: Mapping[date, Mapping[int, Imported]]
    published: tuple[date, ...]
    events: tuple[Event, ...] = ()
    standard: tuple[StandardList, ...] = ()
    deaths: tuple[Death, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    mergers: tuple[Merger, ...] = ()
    adopted: tuple[tuple[date, str], ...] = field(default=SHIPPED)
