"""How people find tournaments."""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate, islice

from django.core.cache import cache
from django.db.models import Subquery, Value
from django.db.models.functions import Coalesce

from players.spelling import in_latin_letters, one_edit_variants, words_of
from ratings.queries.events import CALENDAR_ORDER, CalendarFilter, tournaments_in
from tournaments.models import Tournament

# So many of the latest tournaments are looked through by name; the calendar finds the older ones.
LOOKED_AT = 10_000


NAMES_KEY, NAMES_SECONDS = "recent-tournament-names", 120


def find_tournaments(text: str, *, shown: int) -> list[Tournament]:
    """Return the one that bears the event ID, or those of the latest tournaments whose name has all the words."""
    text = text.strip()
    by_id = Tournament.objects.filter(event_id=text).select_related("federation")
    by_name = tournaments_in(CalendarFilter(words=text)).order_by(*CALENDAR_ORDER)
    starts = Tournament.objects.order_by(*CALENDAR_ORDER).values("start")
    by_name = by_name.filter(start__gt=Coalesce(Subquery(starts[LOOKED_AT : LOOKED_AT + 1]), Value(date.min)))
    return list(by_id) or list(by_name[:shown]) or _in_order(_similar(text, _recent_names())[:shown])


def suggest_tournaments(text: str, *, shown: int) -> list[Tournament]:
    """Return what `find_tournaments` finds, a few minutes old at most, without looking through the table."""
    names = _recent_names()
    # The longest word stands in the fewest names: the others are looked for in these only.
    words = sorted(text.lower().split()[:5], key=len, reverse=True)
    found = list(islice(_bearing(words, names), shown)) or _similar(text, names)[:shown]
    return _in_order(found)


def _bearing(words: Sequence[str], names: RecentNames) -> Iterator[int]:
    """Yield the latest tournaments in whose names are all the words, newest first."""
    found = names.text.find(words[0]) if words else -1
    while found >= 0:
        place = bisect_right(names.starts, found) - 1
        start, end = names.starts[place], names.starts[place + 1]
        if all(names.text.find(word, start, end) >= 0 for word in words[1:]):
            yield names.ids[place]
        found = names.text.find(words[0], end)


def _similar(text: str, names: RecentNames) -> list[int]:
    """Return the latest tournaments whose names have words like all of a text: a slip away, or beginning so."""
    wanted = [
        {word, *one_edit_variants(word)} for word in words_of(in_latin_letters(text))[:5] if len(word) > 2
    ]
    of_each = [{place for one in alike for place in names.places.get(one, ())} for alike in wanted]
    return [names.ids[place] for place in sorted(set.intersection(*of_each))] if of_each else []


def _in_order(found: Sequence[int]) -> list[Tournament]:
    if not found:
        return []
    rows = Tournament.objects.in_bulk(found)
    return [rows[pk] for pk in found if pk in rows]


@dataclass(frozen=True, slots=True)
class RecentNames:
    """The latest tournaments, newest first: their names and event IDs as one text, and the places of each word."""

    edition: str
    ids: list[int]
    text: str
    starts: list[int]
    places: dict[str, list[int]]


# Of this process: to read ten thousand names from the cache takes longer than all the rest of a suggestion.
_kept: dict[str, RecentNames] = {}


def _recent_names() -> RecentNames:
    """Return the words of the names of the latest tournaments, a few minutes old at most."""
    edition: str | None = cache.get(NAMES_KEY)
    kept = _kept.get(NAMES_KEY)
    if kept is None or kept.edition != edition:
        # All processes read the names anew when the cache forgets the edition, two minutes after it was set.
        if edition is None:
            edition = secrets.token_hex(8)
            cache.set(NAMES_KEY, edition, NAMES_SECONDS)
        kept = _kept[NAMES_KEY] = _read_names(edition)
    return kept


def _read_names(edition: str) -> RecentNames:
    latest = Tournament.objects.order_by(*CALENDAR_ORDER).values_list("pk", "name", "event_id")
    rows = list(latest[:LOOKED_AT])
    places: dict[str, list[int]] = {}
    for place, (_pk, name, _event_id) in enumerate(rows):
        for word in set(words_of(name)):
            places.setdefault(word, []).append(place)
    lines = [f"{name} {event_id}\n".lower() for _pk, name, event_id in rows]
    starts = list(accumulate(map(len, lines), initial=0))
    return RecentNames(edition, [row[0] for row in rows], "".join(lines), starts, places)
