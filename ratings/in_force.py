"""What is in force on a day: lists, their entries, and the text of the regulations (FIDE R&B 2024, 7.2.1; D-90)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import cached_property
from typing import Any, NamedTuple

from core.bulk import batched
from core.sql import ids_subquery
from players.federations import Unlisted, load_unlisted
from ratings.choices import EntryStatus, ListKind, Origin
from ratings.lists import read_lists
from ratings.models import Adoption, Correction, ListEntry, Merger, RatingList
from ratings.systems.registry import Adoptions, rules_named
from tournaments.amendments import Datum
from tournaments.hooks import first_rated_day, ids_on_list
from tournaments.lists import Lists

LOOK_UP = 20_000
_NOBODY: frozenset[int] = frozenset()


class ListedEntry(NamedTuple):
    """A player's figures on a list."""

    rating: int
    k: int | None
    k_reason: str
    title: str
    women_title: str


class InForce:
    """The lists, their figures of players and the adopted texts, each read once: published data never change.

    Each request, or each batch of reports with their ratings, has its own.
    """

    def __init__(self) -> None:
        self._announced: dict[int, set[int]] = {}
        self._asked: dict[int, set[int]] = {}
        self._listed: dict[int, dict[int, ListedEntry]] = {}
        self._corrected: dict[tuple[str, int], list[CorrectedFigures]] = {}

    @cached_property
    def adoptions(self) -> Adoptions:
        """Which text is in force from which day (D-90)."""
        return load_adoptions()

    @cached_property
    def unlisted(self) -> Unlisted:
        """Whose players are not listed, by day."""
        return load_unlisted()

    @cached_property
    def lists(self) -> Lists[RatingList]:
        return read_lists()

    @cached_property
    def _mergers(self) -> dict[tuple[str, int], tuple[int, date | None]]:
        """Who each merged ID was merged into by kind, and the date of the list that took it."""
        rows = Merger.objects.order_by().values_list("kind", "player_id", "successor_id", "taken_by__date")
        return {(kind, player_id): (successor, taken) for kind, player_id, successor, taken in rows}

    def is_known_as_merged(self, kind: str, fide_id: int) -> bool:
        """Return whether the lists of a kind take, or will take, an ID for another."""
        return (kind, fide_id) in self._mergers

    def holder_on(self, rating_list: RatingList | None, fide_id: int) -> int:
        """Return the ID that has a person's place on a list: an ID that was not merged by then is its own (D-1)."""
        while rating_list is not None:
            successor, taken = self._mergers.get((rating_list.kind, fide_id), (0, None))
            # A list that had not taken the merger shows the old ID, which is what opponents met.
            if taken is None or taken > rating_list.date:
                break
            fide_id = successor
        return fide_id

    def lists_on(self, kinds: Iterable[str], day: date) -> dict[str, RatingList]:
        """Return the list of each kind that is in force on the day."""
        return {kind: found for kind in kinds if (found := self.lists.in_force(kind, day))}

    def announce(self, starts: Iterable[tuple[str, date, Collection[int]]]) -> None:
        """Ask each list once, when it is first asked, for the players of all tournaments of these kinds and days."""
        for kind, day, players in starts:
            for rating_list in self.lists_on((kind, ListKind.STANDARD), day).values():
                self._announced.setdefault(rating_list.pk, set()).update(players)

    def listed_on(
        self, list_ids: Collection[int], players: Collection[int]
    ) -> dict[int, Mapping[int, ListedEntry]]:
        """Return by list the figures of these players, and possibly of others."""
        by_missing: dict[frozenset[int], list[int]] = {}
        for list_id in list_ids:
            if not self._asked.get(list_id, _NOBODY).issuperset(players):
                # What was announced is asked with the first question: a batch of reports needs one query a list.
                missing = self._announced.pop(list_id, set()).union(players)
                missing -= self._asked.setdefault(list_id, set())
                # Asked, found or not: whoever is not on a list is not looked for again.
                self._asked[list_id] |= missing
                by_missing.setdefault(frozenset(missing), []).append(list_id)
        for keys, lists in by_missing.items():
            self._ask(lists, keys)
        return {list_id: self._listed.get(list_id, {}) for list_id in list_ids}

    def _ask(self, list_ids: Collection[int], players: Collection[int]) -> None:
        for batch in batched(sorted(players), LOOK_UP):
            rows = ListEntry.objects.filter(
                rating_list__in=list_ids, player_id__in=ids_subquery(batch), status=EntryStatus.LISTED
            ).order_by()
            values = rows.values_list(
                "rating_list_id", "player_id", "rating", "k_factor", "k_reason", "title", "women_title"
            )
            for list_id, player_id, rating, k, reason, title, women_title in values:
                entry = ListedEntry(rating or 0, k, reason, title, women_title)
                self._listed.setdefault(list_id, {})[player_id] = entry
            if any(item.pk in list_ids for item in self.lists.of_kind(ListKind.STANDARD)):
                for row in list_corrections(batch):
                    self._corrected.setdefault((row.list_name, row.player_id), []).append(row)

    def standard_rating(
        self, standard: RatingList | None, fide_id: int, *, known_at: datetime | None
    ) -> int | None:
        """Return the standard rating of a player who was asked for, as FIDE has corrected it by then (D-125)."""
        if standard is None:
            return None
        listed = self._listed.get(standard.pk, {}).get(fide_id)
        rating = listed.rating if listed else None
        for row in self._corrected.get((name_of_list(standard.kind, standard.date), fide_id), ()):
            # Older lists are verified by what was known when their reports were rated.
            if known_at is None or row.at <= known_at:
                rating = row.figures.rating
        return rating


@first_rated_day.answered_by
def first_day_of_texts() -> date:
    """Return the first day of the first adopted text: tournaments that start earlier are not registered (D-13)."""
    return load_adoptions().first_day


@ids_on_list.answered_by
def holders_at_start(kind: str, start: date, fide_ids: Collection[int]) -> dict[int, int]:
    """Return which ID has the place of each merged ID on the list in force; none for what no list ever had."""
    in_force = InForce()
    return {
        fide_id: in_force.holder_on(in_force.lists.in_force(kind, start), fide_id)
        for fide_id in fide_ids
        if in_force.is_known_as_merged(kind, fide_id)
    }


def load_adoptions() -> Adoptions:
    """Return the adoptions that were not revoked, in one query."""
    rows = Adoption.objects.filter(revoked_at=None).order_by("first_day")
    return Adoptions.of((rules_named(text), first) for text, first in rows.values_list("text", "first_day"))


def load_adoptions_of(rating_list: RatingList) -> Adoptions:
    """Return the adoptions by which a list was published: without texts that were adopted late after it (D-132)."""
    rows = Adoption.objects.filter(revoked_at=None).select_related("late")
    return Adoptions.of(
        (rules_named(row.text), row.first_day)
        for row in rows
        if not hasattr(row, "late") or row.late.is_known_to(rating_list.kind, rating_list.date)
    )


def adoptions_named(manifest: dict[str, Any]) -> Adoptions:
    """Return the adoptions that the manifest of a published list names."""
    return Adoptions.of(
        (rules_named(row["text"]), date.fromisoformat(row["from"])) for row in manifest["adoptions"]
    )


# What FIDE's corrected lists say of players, as corrections keep it (D-125).
LIST, LISTED_RATING, LISTED_K = "list", "listed_rating", "listed_k"


class FideFigures(NamedTuple):
    """What an imported list shows of a player; no rating where it does not have the player."""

    rating: int | None = None
    k: int | None = None


class CorrectedFigures(NamedTuple):
    """What FIDE's corrected list says of a player: the name of the list, and since when it is known."""

    list_name: str
    player_id: int
    figures: FideFigures
    at: datetime


def name_of_list(kind: str, day: date) -> str:
    """Return the name by which corrections keep a list."""
    return f"{kind} {day.isoformat()}"


def amended_figures(rating_list: RatingList, before: FideFigures, after: FideFigures) -> list[Datum]:
    """Return what FIDE corrected of a player on an imported list, as a correction keeps it (D-125)."""
    name = name_of_list(rating_list.kind, rating_list.date)
    pairs = {LIST: (name, name), LISTED_RATING: (before.rating, after.rating), LISTED_K: (before.k, after.k)}
    texts = {key: ["" if value is None else str(value) for value in pair] for key, pair in pairs.items()}
    return [Datum(field=key, before=former, after=latter) for key, (former, latter) in texts.items()]


def list_corrections(player_ids: Iterable[int]) -> Iterator[CorrectedFigures]:
    """Yield what FIDE's corrected lists say of players, the oldest first."""
    corrections = Correction.objects.filter(player__in=ids_subquery(player_ids)).of_datum(LIST)
    for row in corrections.order_by("at", "pk").only("player_id", "amendments", "at"):
        said = {name: one.after for name, one in row.fields.items()}
        values = (int(said[name]) if said[name] else None for name in (LISTED_RATING, LISTED_K))
        yield CorrectedFigures(said[LIST], row.player_id or 0, FideFigures(*values), row.at)


def corrected_figures(player_ids: Iterable[int]) -> dict[int, dict[int, FideFigures]]:
    """Return what FIDE's corrected lists say of players now, by the key of the list (D-125)."""
    found: dict[int, dict[int, FideFigures]] = defaultdict(dict)
    # FIDE seldom corrects a list: mostly the lists need not be read.
    if not (rows := list(list_corrections(player_ids))):
        return {}
    lists = RatingList.objects.filter(origin=Origin.IMPORTED).values_list("kind", "date", "pk")
    key_of = {name_of_list(kind, day): pk for kind, day, pk in lists}
    for row in rows:
        if row.list_name in key_of:
            found[key_of[row.list_name]][row.player_id] = row.figures
    return dict(found)
