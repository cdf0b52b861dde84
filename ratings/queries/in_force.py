"""The lists in force on a day (D-1), and what they say of players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import NamedTuple

from core.bulk import batched, ids_subquery
from ratings.choices import EntryStatus, ListKind
from ratings.models import ListEntry, RatingList
from ratings.queries.adoptions import load_adoptions
from ratings.systems.registry import Adoptions

LOOK_UP = 20_000
_NOBODY: frozenset[int] = frozenset()


class ListInForce(NamedTuple):
    """A list by which standings are looked up."""

    pk: int
    kind: str
    date: date
    origin: str
    rules: str


class ListedEntry(NamedTuple):
    """What a list says of a player whom it shows."""

    rating: int
    k: int | None
    title: str
    women_title: str


class Lists:
    """The lists, what they say of players, and the adopted texts, each asked for once: what is published never changes.

    One is owned by a request, or by the reports of one batch with their ratings.
    """

    def __init__(self) -> None:
        self._announced: dict[int, set[int]] = {}
        self._asked: dict[int, set[int]] = {}
        self._listed: dict[int, dict[int, ListedEntry]] = {}

    @cached_property
    def adoptions(self) -> Adoptions:
        """Which text is in force from which day (D-90)."""
        return load_adoptions()

    @cached_property
    def newest_first(self) -> list[ListInForce]:
        """All lists, the newest first."""
        rows = RatingList.objects.order_by("-date").values_list(*ListInForce._fields)
        return [ListInForce(*row) for row in rows]

    def in_force_on(self, kinds: Collection[str], day: date) -> dict[str, ListInForce]:
        """Return the newest list of each kind dated on or before the day (RULES, the list in force; D-1)."""
        in_force: dict[str, ListInForce] = {}
        for rating_list in self.newest_first:
            if rating_list.kind in kinds and rating_list.date <= day:
                in_force.setdefault(rating_list.kind, rating_list)
        return in_force

    def announce(self, starts: Iterable[tuple[str, date, Collection[int]]]) -> None:
        """Ask each list once, when it is first asked, for the players of all tournaments of these kinds and days."""
        for kind, day, players in starts:
            for rating_list in self.in_force_on((kind, ListKind.STANDARD), day).values():
                self._announced.setdefault(rating_list.pk, set()).update(players)

    def listed_on(
        self, list_ids: Collection[int], players: Collection[int]
    ) -> dict[int, Mapping[int, ListedEntry]]:
        """Return by list what it says of these players whom it shows, and perhaps of others."""
        by_missing: dict[frozenset[int], list[int]] = {}
        for list_id in list_ids:
            if not self._asked.get(list_id, _NOBODY).issuperset(players):
                missing = self._announced.pop(list_id, set()).union(players)
                missing -= self._asked.setdefault(list_id, set())
                self._asked[list_id] |= missing
                by_missing.setdefault(frozenset(missing), []).append(list_id)
        for asked, lists in by_missing.items():
            self._ask(lists, asked)
        return {list_id: self._listed.get(list_id, {}) for list_id in list_ids}

    def _ask(self, list_ids: Collection[int], players: Collection[int]) -> None:
        for batch in batched(sorted(players), LOOK_UP):
            rows = ListEntry.objects.filter(
                rating_list__in=list_ids, player_id__in=ids_subquery(batch), status=EntryStatus.LISTED
            ).order_by()
            values = rows.values_list(
                "rating_list_id", "player_id", "rating", "k_factor", "title", "women_title"
            )
            for list_id, player_id, rating, k, title, women_title in values:
                entry = ListedEntry(rating or 0, k, title, women_title)
                self._listed.setdefault(list_id, {})[player_id] = entry
