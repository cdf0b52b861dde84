"""What is in force on a day, and who is rated at the start by it (FIDE R&B 2024, 7.2.1; D-1; D-90)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from core.bulk import batched
from core.sql import ids_subquery
from players.queries.federations import Unlisted, load_unlisted
from ratings.choices import EntryStatus, ListKind
from ratings.models import Adoption, ListEntry, Merger, RatingList
from ratings.queries.fide_corrections import CorrectedFigures, list_corrections, name_of_list
from ratings.queries.lists import read_lists
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import UNRATED, Status, StatusAtStart
from ratings.systems.registry import Adoptions, rules_named
from tournaments.hooks import first_rated_day, ids_on_list
from tournaments.lists import Lists

LOOK_UP = 20_000
_NOBODY: frozenset[int] = frozenset()


class ListedEntry(NamedTuple):
    """A player's figures on a list."""

    rating: int
    k: int | None
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
                missing = self._announced.pop(list_id, set()).union(players)
                missing -= self._asked.setdefault(list_id, set())
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
                "rating_list_id", "player_id", "rating", "k_factor", "title", "women_title"
            )
            for list_id, player_id, rating, k, title, women_title in values:
                entry = ListedEntry(rating or 0, k, title, women_title)
                self._listed.setdefault(list_id, {})[player_id] = entry
            if any(item.pk in list_ids for item in self.lists.of_kind(ListKind.STANDARD)):
                for row in list_corrections(batch):
                    self._corrected.setdefault((row.list_name, row.player_id), []).append(row)

    def standard_rating(self, basis: Basis, fide_id: int) -> int | None:
        """Return the standard rating of a player who was asked for, as FIDE has corrected it by then (D-125)."""
        if (standard := basis.standard_list) is None:
            return None
        listed = self._listed.get(standard.pk, {}).get(fide_id)
        rating = listed.rating if listed else None
        for row in self._corrected.get((name_of_list(standard.kind, standard.date), fide_id), ()):
            if basis.known_at is None or row.at <= basis.known_at:
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


def adoptions_named(manifest: dict[str, Any]) -> Adoptions:
    """Return the adoptions that the manifest of a published list names."""
    return Adoptions.of(
        (rules_named(row["text"]), date.fromisoformat(row["from"])) for row in manifest["adoptions"]
    )


class StandingBasis(Protocol):
    """What a standing depends on beside the lists."""

    @property
    def fide_id(self) -> int: ...

    @property
    def federation_id(self) -> str: ...

    @property
    def birth_year(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Basis:
    """The lists in force on a tournament's first day, and the rules of that day (0.1, D-1).

    What FIDE corrected of the standard list counts as far as it was known at an instant, all of it without one (D-125).
    """

    rules: PeriodRules
    start: date
    own_list: RatingList | None
    standard_list: RatingList | None
    known_at: datetime | None = None

    @property
    def list_date(self) -> date:
        """The day on which memberships are looked at: that of the list in force."""
        return self.own_list.date if self.own_list else self.start


def basis_on(kind: str, start: date, in_force: InForce) -> Basis:
    """Return the basis of a tournament of a kind that starts on a day."""
    return Basis(
        rules=in_force.adoptions.text_on(start),
        start=start,
        own_list=in_force.lists.in_force(kind, start),
        standard_list=in_force.lists.in_force(ListKind.STANDARD, start),
    )


def standings_of(
    basis: Basis, people: Iterable[StandingBasis], in_force: InForce
) -> dict[int, StatusAtStart]:
    """Return each player's standing at the start, by FIDE ID."""
    people = list(people)
    standings = StatusesAtStart([(basis, people)], in_force)
    return {person.fide_id: standings.of(person, basis) for person in people}


class StatusesAtStart:
    """The standings at the start of several tournaments: each list is asked once for all their players."""

    def __init__(
        self, tournaments: Iterable[tuple[Basis, Iterable[StandingBasis]]], in_force: InForce
    ) -> None:
        wanted: dict[int, set[int]] = {}
        days: set[date] = set()
        for basis, people in tournaments:
            days.add(basis.list_date)
            fide_ids = {person.fide_id for person in people}
            for rating_list in (basis.own_list, basis.standard_list):
                if rating_list is not None:
                    wanted.setdefault(rating_list.pk, set()).update(fide_ids)
        # Lists that are asked for the same players are read together.
        lists_for: dict[frozenset[int], list[int]] = {}
        for list_id, fide_ids in wanted.items():
            lists_for.setdefault(frozenset(fide_ids), []).append(list_id)
        self._in_force = in_force
        self._listed: dict[int, Mapping[int, ListedEntry]] = {}
        for players, list_ids in lists_for.items():
            self._listed |= in_force.listed_on(list_ids, players)
        self._unlisted = {day: in_force.unlisted.on(day) for day in days}

    def of(self, person: StandingBasis, basis: Basis) -> StatusAtStart:
        """Return the standing of a player of one of the tournaments."""
        own = self._on(basis.own_list, person.fide_id)
        if own is not None:
            return StatusAtStart(Status.RATED, own.rating, basis.rules.tournament_k(own.k or 0))
        standard = self._in_force.standard_rating(basis, person.fide_id)
        if standard is None or person.federation_id in self._unlisted[basis.list_date]:
            return UNRATED
        k = basis.rules.standard_k(person.birth_year, basis.start)
        return StatusAtStart(Status.STANDARD, standard, k)

    def _on(self, rating_list: RatingList | None, fide_id: int) -> ListedEntry | None:
        return self._listed[rating_list.pk].get(fide_id) if rating_list else None
