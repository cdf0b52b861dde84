"""The entries of a new list: those of the list before, carried over or calculated, and the newcomers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from core.bulk import batched, ids_subquery, write_rows
from players.models import Player
from players.queries.federations import unlisted_codes
from ratings.models import ListEntry, RatingList
from ratings.services.publication.carry import carry_entries, entries_not_carried
from ratings.services.publication.periods import ENTRY_FIELDS, bar_of, entry_from
from ratings.systems.otb.listing import Entry, Listing, carried_over, entry_after
from ratings.systems.otb.period import PeriodResult
from ratings.systems.registry import Adoptions

PERSON_FIELDS = (
    "name", "federation_id", "sex", "title", "women_title", "other_titles", "foa_title", "birth_year",
    "died_on",
)  # fmt: skip
ROW_FIELDS = (
    "rating_list",
    "player",
    "name",
    "federation",
    "sex",
    "title",
    "women_title",
    "other_titles",
    "foa_title",
    "birth_year",
    *ENTRY_FIELDS,
)
NAME, RATING = ROW_FIELDS.index("name"), ROW_FIELDS.index("rating")
CHUNK = 5_000
BATCH = 20_000


def listing_of(kind: str, list_date: date, adoptions: Adoptions) -> Listing:
    """Return the new list's date, and that of the oldest list on which a game keeps a player active (D-10)."""
    active_lists = adoptions.text_on(list_date).active_lists
    earlier = RatingList.objects.filter(kind=kind, date__lt=list_date).order_by("-date")
    dates = list(earlier.values_list("date", flat=True)[: active_lists - 1])
    return Listing(list_date, min(dates, default=list_date), adoptions)


def write_entries(
    rating_list: RatingList,
    results: Mapping[int, PeriodResult],
    known: Mapping[int, Entry],
    adoptions: Adoptions,
) -> None:
    """Write the list's entries; the caller holds the transaction.

    `known` are the previous entries of the players with results, who have calculations by now.
    """
    listing = listing_of(rating_list.kind, rating_list.date, adoptions)
    unlisted = unlisted_codes(rating_list.date)
    carry_entries(rating_list, listing, unlisted)
    rows = _rows(rating_list, listing, unlisted, results, known)
    # They go between those carried over: in list order each index but one is gone through from end to end.
    write_rows(ListEntry, ROW_FIELDS, sorted(rows, key=_in_list_order))


def _rows(
    rating_list: RatingList,
    listing: Listing,
    unlisted: frozenset[str],
    results: Mapping[int, PeriodResult],
    known: Mapping[int, Entry],
) -> Iterator[tuple[Any, ...]]:
    for player_id, person, entry in _calculated(rating_list, listing, unlisted, results, known):
        *data, died_on = person
        birth_year = data[-1]
        barred = bar_of(data[1], died_on, rating_list.date, unlisted)
        result = results.get(player_id)
        if result is not None:
            new = entry_after(result, entry, listing, birth_year=birth_year, barred=barred)
        elif entry is not None:
            new = carried_over(entry, listing, birth_year=birth_year, barred=barred)
        if new is not None:
            yield (rating_list.pk, player_id, *data, *entry_values(new))


def _in_list_order(row: Sequence[Any]) -> tuple[int, str]:
    return -(row[RATING] or 0), row[NAME]


def entry_values(entry: Entry) -> tuple[Any, ...]:
    """Return an entry's values in the order of `ENTRY_FIELDS`."""
    return (
        str(entry.status),
        entry.rating,
        entry.games,
        entry.k,
        entry.is_inactive,
        entry.completed,
        entry.reached_2300,
        entry.reached_2400,
        entry.last_played,
    )


def _calculated(
    rating_list: RatingList,
    listing: Listing,
    unlisted: frozenset[str],
    results: Mapping[int, PeriodResult],
    known: Mapping[int, Entry],
) -> Iterator[tuple[int, tuple[Any, ...], Entry | None]]:
    """Yield id, personal data of today and previous entry of those with results, and of whom SQL does not carry."""
    for batch in batched(sorted(results), BATCH):
        people = Player.objects.filter(pk__in=ids_subquery(batch)).order_by("pk")
        for player_id, *person in people.values_list("pk", *PERSON_FIELDS):
            yield player_id, tuple(person), known.get(player_id)
    rows = entries_not_carried(rating_list, listing, unlisted)
    values = rows.values_list("player_id", *(f"player__{name}" for name in PERSON_FIELDS), *ENTRY_FIELDS)
    width = len(PERSON_FIELDS) + 1
    for row in values.iterator(chunk_size=CHUNK):
        if row[0] not in results:
            yield row[0], row[1:width], entry_from(row[width:])
