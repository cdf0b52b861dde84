"""The lists in force on a day (D-1), and what they say of players: asked for one report, or at once for many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from players.bulk import among, batched
from ratings.choices import EntryStatus, ListKind
from ratings.models import ListEntry, RatingList

LOOK_UP = 20_000
_NOBODY: frozenset[int] = frozenset()


class ListInForce(NamedTuple):
    """A list by which standings are looked up."""

    pk: int
    kind: str
    date: date
    origin: str


class ListedEntry(NamedTuple):
    """What a list says of a player whom it shows."""

    rating: int
    k: int | None
    title: str
    women_title: str


@dataclass(slots=True)
class _Held:
    """The lists, the players by whom each is asked for, and what those that were asked say of all of them."""

    lists: list[ListInForce]
    players: dict[int, set[int]] = field(default_factory=dict)
    listed: dict[int, dict[int, ListedEntry]] = field(default_factory=dict)


_held: ContextVar[_Held | None] = ContextVar("lists held", default=None)


@contextmanager
def lists_held(starts: Iterable[tuple[str, date, Collection[int]]]) -> Iterator[None]:
    """Ask each list once inside, for the players of all tournaments by whose kind and first day it is in force (D-1).

    What is published never changes.
    """
    held = _Held(_lists())
    token = _held.set(held)
    try:
        for kind, day, players in starts:
            for rating_list in in_force_on((kind, ListKind.STANDARD), day).values():
                held.players.setdefault(rating_list.pk, set()).update(players)
        yield
    finally:
        _held.reset(token)


def lists_newest_first() -> list[ListInForce]:
    """Return all lists, the newest first."""
    held = _held.get()
    return held.lists if held is not None else _lists()


def in_force_on(kinds: Collection[str], day: date) -> dict[str, ListInForce]:
    """Return the newest list of each kind dated on or before the day (RULES, the list in force; D-1)."""
    in_force: dict[str, ListInForce] = {}
    for rating_list in lists_newest_first():
        if rating_list.kind in kinds and rating_list.date <= day:
            in_force.setdefault(rating_list.kind, rating_list)
    return in_force


def listed_on(list_ids: Collection[int], players: Collection[int]) -> dict[int, Mapping[int, ListedEntry]]:
    """Return by list what it says of these players whom it shows, and perhaps of others."""
    held = _held.get()
    if held is None or any(
        not held.players.get(list_id, _NOBODY).issuperset(players) for list_id in list_ids
    ):
        return {**_asked(list_ids, players)}
    for list_id in list_ids:
        if list_id not in held.listed:
            held.listed |= _asked([list_id], held.players[list_id])
    return {list_id: held.listed[list_id] for list_id in list_ids}


def _lists() -> list[ListInForce]:
    rows = RatingList.objects.order_by("-date").values_list(*ListInForce._fields)
    return [ListInForce(*row) for row in rows]


def _asked(list_ids: Collection[int], players: Collection[int]) -> dict[int, dict[int, ListedEntry]]:
    listed: dict[int, dict[int, ListedEntry]] = {list_id: {} for list_id in list_ids}
    for batch in batched(sorted(players), LOOK_UP):
        rows = ListEntry.objects.filter(
            rating_list__in=list_ids, player_id__in=among(batch), status=EntryStatus.LISTED
        ).order_by()
        values = rows.values_list("rating_list_id", "player_id", "rating", "k_factor", "title", "women_title")
        for list_id, player_id, rating, k, title, women_title in values:
            listed[list_id][player_id] = ListedEntry(rating or 0, k, title, women_title)
    return listed
