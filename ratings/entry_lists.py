"""The entry list of a tournament as pages show it: its players with their current ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ratings.highlights import SHOWN
from ratings.models import RatingList
from ratings.search import FoundPlayer, look_up_players
from tournaments.entries import entered_ids
from tournaments.lists import Lists
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class EntryList:
    """The players entered for a tournament of a rating type, with their ratings of that type."""

    kind: str
    players: Sequence[FoundPlayer]

    @classmethod
    def of(cls, kind: str, found: Iterable[FoundPlayer | None]) -> EntryList:
        """Return the list of those who were found, the highest rated first."""
        players = filter(None, found)
        return cls(
            kind, sorted(players, key=lambda one: (-one.ratings.get(kind, 0), one.player.name, one.player.pk))
        )

    @property
    def ratings(self) -> list[int]:
        """The ratings of those who have one, the highest first."""
        return [one.ratings[self.kind] for one in self.players if self.kind in one.ratings]

    @property
    def average(self) -> int | None:
        """The average of the ten highest ratings, or of all if there are fewer, rounded half up; None without one."""
        return _average(self.ratings[:SHOWN])

    @property
    def average_of_all(self) -> int | None:
        """The average of all who have a rating, rounded half up; None without one."""
        return _average(self.ratings)


def _average(ratings: Sequence[int]) -> int | None:
    return (2 * sum(ratings) + len(ratings)) // (2 * len(ratings)) if ratings else None


def entry_list_of(tournament: Tournament, lists: Lists[RatingList]) -> EntryList:
    """Return the players on the entry list of a tournament, the highest rated first, by at most four queries."""
    newest = lists.newest(tournament.kind)
    found = look_up_players(entered_ids(tournament), newest=[newest] if newest else [])
    return EntryList.of(tournament.kind, found)
