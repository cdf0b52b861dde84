"""The town of each tournament, found by its place, and the import of towns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from core.bulk import BATCH, analyze_tables, gc_disabled, update_rows, write_rows
from core.errors import Refusal, RefusedError, refused
from core.sql import ids_subquery, lock_until_commit
from players.fide_list import LineProblem
from tournaments.geonames import TownRecord, open_towns
from tournaments.models import Tournament, Town, TownSpelling
from tournaments.queries.towns import towns_at


def match_towns(tournaments: Sequence[Tournament]) -> None:
    """Set the towns of tournaments that are not written yet, by one query for some hundred."""
    towns = towns_at({(str(one.federation_id), one.city) for one in tournaments})
    for one in tournaments:
        one.town_id = towns.get((str(one.federation_id), one.city))


def match_all_towns() -> tuple[int, int]:
    """Find the towns of all tournaments again and return how many have one, and how many have none."""
    with_town = without_town = last = 0
    rows = Tournament.objects.order_by("pk").values_list("pk", "federation_id", "city", "town_id")
    # From key to key: an offset would read all rows before it again in each batch.
    while batch := list(rows.filter(pk__gt=last)[:BATCH]):
        towns = towns_at({(federation, city) for _pk, federation, city, _town in batch})
        matched = [(pk, towns.get((federation, city)), town) for pk, federation, city, town in batch]
        update_rows(Tournament, ("id", "town"), [(pk, new) for pk, new, old in matched if new != old])
        found = sum(new is not None for _pk, new, _old in matched)
        with_town, without_town = with_town + found, without_town + len(matched) - found
        last = batch[-1][0]
    return with_town, without_town


# Importing the table of towns (GeoNames).
FIELDS = ("geonames_id", "name", "country", "region", "latitude", "longitude", "population")
# The number of the lock under which one import of towns at a time writes.
LOCK = 3843
MAX_NAMED = 20


@dataclass(frozen=True, slots=True)
class TownImport:
    """What an import did: towns read, new and changed, and tournaments with a town and without one afterwards."""

    read: int = 0
    new: int = 0
    changed: int = 0
    with_town: int = 0
    without_town: int = 0


def import_towns(path: Path | None = None) -> TownImport:
    """Import the towns of a file, or those that the portal ships, and find the towns of all tournaments again.

    Towns that the file does not have stay. `RefusedError` names bad lines; then nothing is changed. `FideListError`
    for a file that is damaged.
    """
    with open_towns(path) as found, gc_disabled():
        # All lines are read before anything is written, so that a bad one at the end changes nothing.
        records: list[TownRecord] = []
        problems: list[LineProblem] = []
        for item in found:
            if isinstance(item, TownRecord):
                records.append(item)
            else:
                problems.append(item)
                if len(problems) == MAX_NAMED:
                    break
        if problems:
            raise RefusedError([_unreadable(one) for one in problems])
        if not records:
            raise refused("no-towns", "The file has no towns.")
        with transaction.atomic():
            lock_until_commit(LOCK)
            new, changed = _write_towns(records)
            with_town, without_town = match_all_towns()
    return TownImport(len(records), new, changed, with_town, without_town)


def _unreadable(problem: LineProblem) -> Refusal:
    return Refusal("town-unreadable", f"line {problem.line}: {problem.message} (“{problem.text}”)")


def _write_towns(records: Sequence[TownRecord]) -> tuple[int, int]:
    """Write new and changed towns with their spellings and return the number of each."""
    known = {row[0]: row for row in Town.objects.order_by().values_list(*FIELDS)}
    # All but the spellings, which have a table of their own.
    rows = [one[:-1] for one in records]
    new = [row for row in rows if row[0] not in known]
    changed = [row for row in rows if row[0] in known and row != known[row[0]]]
    write_rows(Town, FIELDS, new)
    update_rows(Town, FIELDS, changed)
    _write_spellings(records)
    # PostgreSQL has no statistics of rows that were just written, and tournaments are matched with them next.
    analyze_tables(Town, TownSpelling)
    return len(new), len(changed)


def _write_spellings(records: Sequence[TownRecord]) -> None:
    """Write the spellings of towns that are not there yet, and delete those that the towns have no more."""
    rows = TownSpelling.objects.order_by().values_list("spelling", "town_id", "pk")
    known = {(spelling, town): pk for spelling, town, pk in rows.iterator()}
    wanted = {(spelling, one.geonames_id) for one in records for spelling in one.spellings}
    written = {one.geonames_id for one in records}
    # Towns that the file does not have keep their spellings.
    gone = [pk for key, pk in known.items() if key[1] in written and key not in wanted]
    TownSpelling.objects.filter(pk__in=ids_subquery(gone)).delete()
    write_rows(TownSpelling, ("spelling", "town"), sorted(wanted - known.keys()))
