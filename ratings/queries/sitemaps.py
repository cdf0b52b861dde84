"""The players and tournaments that search engines are shown, in parts of bounded size."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import MAXYEAR, MINYEAR

from django.db.models import F

from players.fide_list.values import MAX_FIDE_ID
from ratings.models import ListEntry, RatingList
from ratings.queries.counted_once import counted_once
from tournaments.models import Tournament

# A sitemap has at most 50,000 addresses: a part has at most as many FIDE IDs.
RANGE = 50_000
MOST = 50_000


def player_ranges(newest: Sequence[RatingList]) -> list[int]:
    """Return the numbers of the ranges of FIDE IDs in which somebody is on these lists; counted once a list."""
    ids = [item.pk for item in newest]
    entries = ListEntry.objects.filter(rating_list__in=ids).listed().order_by()
    # Both databases divide integers to integers.
    parts = entries.annotate(part=F("player_id") / RANGE).values_list("part", flat=True).distinct()
    key = ":".join(["sitemap", *(item.edition for item in newest)])
    return counted_once(key, list[int], lambda: sorted(parts))


def players_in_range(newest: Sequence[RatingList], number: int) -> list[int]:
    """Return the FIDE IDs of a range that are on one of these lists, rising."""
    # A number from an address: what no FIDE ID reaches does not fit into the column.
    if number > MAX_FIDE_ID // RANGE:
        return []
    entries = ListEntry.objects.filter(
        rating_list__in=[item.pk for item in newest],
        player__gte=number * RANGE,
        player__lt=(number + 1) * RANGE,
    )
    return sorted(set(entries.listed().order_by().values_list("player_id", flat=True)))


def years_of_events() -> list[int]:
    """Return the years in which tournaments began."""
    return [day.year for day in Tournament.objects.dates("start", "year")]


def events_of_year(year: int) -> list[str]:
    """Return the event IDs of a year's tournaments, at most as many as fit in a sitemap."""
    # A year from an address: Python has no dates beyond these, and would raise an error.
    if not MINYEAR <= year <= MAXYEAR:
        return []
    events = Tournament.objects.filter(start__year=year).order_by("start", "event_id")
    return list(events.values_list("event_id", flat=True)[:MOST])
