"""A player's position before a list, by the reports, data and mergers of the day of a correction (D-11, D-101)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from ratings.systems.otb.listing import Entry, EntryStatus
from ratings.systems.otb.period import CorrectionShare
from ratings.systems.otb.values import PoolShare

POINT = 100
RATED = (EntryStatus.LISTED, EntryStatus.WITHHELD)


class PooledRow(NamedTuple):
    """An event in a pool, with the tournament and the stored participation that it comes from."""

    share: PoolShare
    tournament: int
    participant_rating: int

    def to_list(self) -> list[Any]:
        """Return the event as plain values."""
        event_id, start, end, *sums = self.share
        return [event_id, start.isoformat(), end.isoformat(), *sums, *self[1:]]

    @classmethod
    def from_list(cls, row: list[Any]) -> PooledRow:
        """Return the event that `to_list` wrote."""
        event_id, start, end, *sums, tournament, participant_rating = row
        share = PoolShare(event_id, date.fromisoformat(start), date.fromisoformat(end), *sums)
        return cls(share, tournament, participant_rating)


class Position(NamedTuple):
    """A player's figures after the newest list by current data. `rating` is in hundredths, None while unrated."""

    rating: int | None = None
    completed: int = 0
    reached_2300: bool = False
    reached_2400: bool = False
    last_played: date | None = None
    pool: tuple[PooledRow, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the position as plain values."""
        return {
            **self._asdict(),
            "last_played": self.last_played.isoformat() if self.last_played else None,
            "pool": [row.to_list() for row in self.pool],
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Position:
        """Return the position that `to_dict` wrote."""
        last_played = row["last_played"]
        return cls(
            **{
                **row,
                "last_played": date.fromisoformat(last_played) if last_played else None,
                "pool": tuple(PooledRow.from_list(item) for item in row["pool"]),
            }
        )

    def after_import(self, entry: Entry | None) -> Position:
        """Return the position after an imported list: its figures count (D-12), and an open pool remains."""
        held = entry or Entry(EntryStatus.UNRATED)
        is_rated = held.rating is not None and held.status in RATED
        return Position(
            rating=POINT * (held.rating or 0) if is_rated else None,
            completed=held.completed,
            reached_2300=held.reached_2300,
            reached_2400=held.reached_2400,
            last_played=held.last_played,
            pool=() if is_rated else self.pool,
        )

    def corrected(self, entry: Entry | None) -> Entry | None:
        """Return the entry of the list before with the games, highest ratings and activity of the position.

        The rating stays: the difference is the correction's (`share`).
        """
        if entry is None or entry.status not in RATED:
            if self.rating is None and not (self.reached_2300 or self.reached_2400):
                return None
            entry = Entry(EntryStatus.UNRATED)
        return entry._replace(
            completed=self.completed,
            reached_2300=self.reached_2300,
            reached_2400=self.reached_2400,
            last_played=self.last_played,
        )

    def share(self, entry: Entry | None) -> CorrectionShare:
        """Return what leads from the entry of the list before to the position (D-11)."""
        published = entry.rating if entry is not None and entry.status in RATED else None
        if self.rating is None:
            return CorrectionShare(is_lost=published is not None)
        if published is None:
            return CorrectionShare(first_rating=self.rating // POINT, difference=self.rating % POINT)
        return CorrectionShare(difference=self.rating - POINT * published)
