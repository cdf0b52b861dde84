"""Who is rated at the start of a tournament, from the lists in force on its first day (FIDE R&B 2024, 7.2.1; D-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from players.queries.federations import unlisted_codes
from ratings.choices import ListKind
from ratings.queries.in_force import ListedEntry, ListInForce, Lists
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import UNRATED, Standing, Status


class Person(Protocol):
    """What a standing depends on beside the lists."""

    @property
    def fide_id(self) -> int: ...

    @property
    def federation_id(self) -> str: ...

    @property
    def birth_year(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Basis:
    """The lists in force on a tournament's first day, and the rules of that day (0.1, D-1)."""

    rules: PeriodRules
    start: date
    own_list: ListInForce | None
    standard_list: ListInForce | None

    @property
    def list_date(self) -> date:
        """The day on which memberships are looked at: that of the list in force."""
        return self.own_list.date if self.own_list else self.start


def basis_on(kind: str, start: date, lists: Lists) -> Basis:
    """Return the basis of a tournament of a kind that starts on a day."""
    in_force = lists.in_force_on((kind, ListKind.STANDARD), start)
    return Basis(
        rules=lists.adoptions.text_on(start),
        start=start,
        own_list=in_force.get(kind),
        standard_list=in_force.get(ListKind.STANDARD),
    )


def standings_of(basis: Basis, people: Iterable[Person], lists: Lists) -> dict[int, Standing]:
    """Return each player's standing at the start, by FIDE ID."""
    people = list(people)
    standings = Standings([(basis, people)], lists)
    return {person.fide_id: standings.of(person, basis) for person in people}


class Standings:
    """The standings at the start of several tournaments: each list is asked once for all their players."""

    def __init__(self, tournaments: Iterable[tuple[Basis, Iterable[Person]]], lists: Lists) -> None:
        wanted: dict[int, set[int]] = {}
        days: set[date] = set()
        for basis, people in tournaments:
            days.add(basis.list_date)
            fide_ids = {person.fide_id for person in people}
            for rating_list in (basis.own_list, basis.standard_list):
                if rating_list is not None:
                    wanted.setdefault(rating_list.pk, set()).update(fide_ids)
        self._listed: dict[int, Mapping[int, ListedEntry]] = {}
        for list_id, fide_ids in wanted.items():
            self._listed |= lists.listed_on([list_id], fide_ids)
        self._unlisted = {day: unlisted_codes(day) for day in days}

    def of(self, person: Person, basis: Basis) -> Standing:
        """Return the standing of a player of one of the tournaments."""
        own = self._on(basis.own_list, person.fide_id)
        if own is not None:
            return Standing(Status.RATED, own.rating, basis.rules.tournament_k(own.k or 0))
        standard = self._on(basis.standard_list, person.fide_id)
        if standard is None or person.federation_id in self._unlisted[basis.list_date]:
            return UNRATED
        k = basis.rules.standard_k(person.birth_year, basis.start)
        return Standing(Status.STANDARD, standard.rating, k)

    def _on(self, rating_list: ListInForce | None, fide_id: int) -> ListedEntry | None:
        return self._listed[rating_list.pk].get(fide_id) if rating_list else None
