"""The entries of imported lists: what the file says and what is inferred from it (D-12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from typing import Any

from players.bulk import among, write_rows
from players.fide_list import ListRecord, Rating
from ratings.models import ListEntry, RatingList
from ratings.services.imports.people import WIDTH
from ratings.services.publication.entries import ROW_FIELDS, entry_values
from ratings.systems.otb.listing import Entry, imported_entry
from ratings.systems.registry import NoRulesError, rules_on

KNOWN = ("reached_2300", "reached_2400", "last_played")
CACHED = 1 << 17
Known = tuple[bool, bool, date | None]


@dataclass(slots=True)
class Target:
    """A list that is being written, and how many players it lists so far."""

    rating_list: RatingList
    listed: int = 0

    @property
    def place(self) -> int:
        """Where a record has the figures of the list."""
        return ListRecord._fields.index(self.rating_list.kind)


class Entries:
    """Writes the entries of the lists of one file."""

    def __init__(self, targets: Sequence[Target], *, on: date) -> None:
        self._targets = targets
        # Most players share their figures with others: a list has far fewer than players.
        self._values = lru_cache(CACHED)(partial(_values, on))

    def write(self, records: Sequence[ListRecord]) -> None:
        """Write the entries of some records into each list."""
        known = [self._known(target, records) for target in self._targets]
        write_rows(ListEntry, ROW_FIELDS, self._rows(records, known))

    def _known(self, target: Target, records: Sequence[ListRecord]) -> dict[int, Known]:
        """Return what the list before remembers of the players."""
        previous, place = target.rating_list.previous_id, target.place
        if previous is None:
            return {}
        players = [record.fide_id for record in records if record[place] is not None]
        rows = ListEntry.objects.filter(rating_list=previous, player__in=among(players)).order_by()
        return {player: (*known,) for player, *known in rows.values_list("player_id", *KNOWN)}

    def _rows(
        self, records: Sequence[ListRecord], known: Sequence[Mapping[int, Known]]
    ) -> Iterator[tuple[Any, ...]]:
        values = self._values
        for target, of_players in zip(self._targets, known, strict=True):
            place, pk = target.place, target.rating_list.pk
            for record in records:
                rating = record[place]
                if rating is not None:
                    target.listed += 1
                    was = of_players.get(record.fide_id)
                    figures = values(rating, record.birth_year, record.is_inactive, was)
                    yield (pk, *record[:WIDTH], *figures)


def _values(
    on: date, rating: Rating, birth_year: int | None, is_inactive: bool, known: Known | None
) -> tuple[Any, ...]:
    # A list from before any rules are held may leave K out; none is made up then.
    has_k = rating.k is not None or has_rules(on)
    entry = imported_entry(
        rating=rating.rating,
        games=rating.games,
        k=rating.k if has_k else 0,
        birth_year=birth_year,
        is_inactive=is_inactive,
        on=on,
        known=_entry(known) if known else None,
    )
    return entry_values(entry if has_k else replace(entry, k=None))


def _entry(known: Known) -> Entry:
    reached_2300, reached_2400, last_played = known
    return Entry(reached_2300=reached_2300, reached_2400=reached_2400, last_played=last_played)


def has_rules(on: date) -> bool:
    """Whether rules are held for lists of a date (D-13)."""
    try:
        rules_on(on)
    except NoRulesError:
        return False
    return True
