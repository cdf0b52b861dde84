"""The entries of imported lists: what the file says and what is inferred from it (D-12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from typing import Any

from django.db.models import Q

from core.bulk import ids_subquery, stream_rows
from players.fide_list import ListRecord, Rating
from ratings.models import ListEntry, RatingList
from ratings.services.imports.people import WIDTH
from ratings.services.publication.entries import ROW_FIELDS, entry_values
from ratings.systems.otb.listing import Entry, imported_entry
from ratings.systems.registry import Adoptions

CACHED = 1 << 17
NOT_REACHED = (False, False)


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

    def __init__(self, targets: Sequence[Target], adoptions: Adoptions, *, on: date) -> None:
        self._targets = [(target, Known(target.rating_list.previous_id)) for target in targets]
        # Most players share their figures with others: a list has far fewer than players.
        self._values = lru_cache(CACHED)(partial(_values, on, adoptions))

    def write(self, records: Sequence[ListRecord]) -> None:
        """Write the entries of some records into each list."""
        parts = [self._part(target, known, records) for target, known in self._targets]
        stream_rows(ListEntry, ROW_FIELDS, chain.from_iterable(map(self._rows, parts)))

    def _part(self, target: Target, known: Known, records: Sequence[ListRecord]) -> Part:
        place = target.place
        rated = [record for record in records if record[place] is not None]
        # The index in list order is gone through once a batch, not from anywhere to anywhere.
        rated.sort(key=attrgetter(f"{target.rating_list.kind}.rating"), reverse=True)
        target.listed += len(rated)
        return Part(target, rated, known.reached, known.last_played(rated))

    def _rows(self, part: Part) -> Iterator[tuple[Any, ...]]:
        values, place, pk = self._values, part.target.place, part.target.rating_list.pk
        for record in part.rated:
            was = (*part.reached.get(record.fide_id, NOT_REACHED), part.last_played.get(record.fide_id))
            yield (pk, *record[:WIDTH], *values(record[place], record.birth_year, record.is_inactive, was))


@dataclass(frozen=True, slots=True)
class Part:
    """The records of a batch that one list shows, and what the list before remembers of them."""

    target: Target
    rated: Sequence[ListRecord]
    reached: Mapping[int, tuple[bool, bool]]
    last_played: Mapping[int, date | None]


class Known:
    """What the list before remembers of players and a list of FIDE's does not say (D-12)."""

    def __init__(self, list_id: int | None) -> None:
        self._entries = ListEntry.objects.filter(rating_list=list_id).order_by()
        # Few have: they are read at once, and nobody else is looked for.
        marked = self._entries.filter(Q(reached_2300=True) | Q(reached_2400=True))
        values = marked.values_list("player_id", "reached_2300", "reached_2400")
        self.reached: Mapping[int, tuple[bool, bool]] = {} if list_id is None else _shared(values.iterator())
        self._is_empty = list_id is None

    def last_played(self, records: Iterable[ListRecord]) -> Mapping[int, date | None]:
        """Return the list with the last rated game of those players who are inactive now; the others play."""
        if self._is_empty:
            return {}
        inactive = (record.fide_id for record in records if record.is_inactive)
        rows = self._entries.filter(player__in=ids_subquery(inactive))
        return dict(rows.values_list("player_id", "last_played"))


def _shared(rows: Iterable[tuple[int, bool, bool]]) -> dict[int, tuple[bool, bool]]:
    """Return two marks by player, the same pair for all who have the same."""
    pairs = {(one, other): (one, other) for one in (False, True) for other in (False, True)}
    return {player: pairs[one, other] for player, one, other in rows}


def _values(
    on: date,
    adoptions: Adoptions,
    rating: Rating,
    birth_year: int | None,
    is_inactive: bool,
    known: tuple[bool, bool, date | None],
) -> tuple[Any, ...]:
    # A list from before any rules are held may leave K out; none is made up then.
    has_k = rating.k is not None or adoptions.has_text_on(on)
    reached_2300, reached_2400, last_played = known
    entry = imported_entry(
        rating=rating.rating,
        games=rating.games,
        k=rating.k if has_k else 0,
        birth_year=birth_year,
        is_inactive=is_inactive,
        on=on,
        known=Entry(reached_2300=reached_2300, reached_2400=reached_2400, last_played=last_played),
        adoptions=adoptions,
    )
    return entry_values(entry if has_k else entry._replace(k=None))
