"""The standing of players at the start of a tournament (FIDE R&B 2024, 7.2.1; D-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from ratings.choices import ListKind
from ratings.in_force import InForce, ListedEntry
from ratings.models import RatingList
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import UNRATED, KFactor, Status, StatusAtStart


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
            factor = basis.rules.tournament_k(KFactor(own.k or 0, own.k_reason))
            return StatusAtStart(Status.RATED, own.rating, *factor)
        standard = self._in_force.standard_rating(
            basis.standard_list, person.fide_id, known_at=basis.known_at
        )
        # A standard list is FIDE's, and may show players whom the portal's lists may not (9.1, D-15).
        if standard is None or person.federation_id in self._unlisted[basis.list_date]:
            return UNRATED
        factor = basis.rules.standard_k(person.birth_year, basis.start)
        return StatusAtStart(Status.STANDARD, standard, *factor)

    def _on(self, rating_list: RatingList | None, fide_id: int) -> ListedEntry | None:
        return self._listed[rating_list.pk].get(fide_id) if rating_list else None
