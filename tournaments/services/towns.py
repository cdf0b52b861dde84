"""The town of each tournament, found by its place."""

from __future__ import annotations

from collections.abc import Sequence

from core.bulk import BATCH, update_rows
from tournaments.models import Tournament
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
