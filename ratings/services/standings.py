"""Who is rated at the start of a tournament, from the lists in force on its first day (FIDE R&B 2024, 7.2.1; D-1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Protocol

from players.bulk import among, batched
from players.queries.federations import unlisted_codes
from ratings.choices import EntryStatus, ListKind
from ratings.models import ListEntry, RatingList
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import UNRATED, Standing, Status
from ratings.systems.registry import rules_on

LOOK_UP = 20_000


class Person(Protocol):
    """What a standing depends on beside the lists."""

    @property
    def fide_id(self) -> int: ...

    @property
    def federation_id(self) -> str: ...

    @property
    def birth_year(self) -> int | None: ...


class ListInForce(NamedTuple):
    """A list by which standings are looked up."""

    pk: int
    kind: str
    date: date
    origin: str


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


def basis_on(kind: str, start: date) -> Basis:
    """Return the basis of a tournament of a kind that starts on a day."""
    return bases_on([(kind, start)])[kind, start]


def bases_on(starts: Iterable[tuple[str, date]]) -> dict[tuple[str, date], Basis]:
    """Return the bases of tournaments, by kind and first day; one query for all of them."""
    wanted = set(starts)
    kinds = {kind for kind, _ in wanted} | {ListKind.STANDARD}
    lists = RatingList.objects.filter(
        kind__in=kinds, date__lte=max((day for _, day in wanted), default=date.min)
    )
    newest_first = [ListInForce(*row) for row in lists.order_by("-date").values_list(*ListInForce._fields)]
    return {
        (kind, start): Basis(
            rules=rules_on(start),
            start=start,
            own_list=_in_force(newest_first, kind, start),
            standard_list=_in_force(newest_first, ListKind.STANDARD, start),
        )
        for kind, start in wanted
    }


def _in_force(newest_first: Iterable[ListInForce], kind: str, day: date) -> ListInForce | None:
    return next((item for item in newest_first if item.kind == kind and item.date <= day), None)


def standings_of(basis: Basis, people: Iterable[Person]) -> dict[int, Standing]:
    """Return each player's standing at the start, by FIDE ID."""
    people = list(people)
    standings = Standings([(basis, people)])
    return {person.fide_id: standings.of(person, basis) for person in people}


class Standings:
    """The standings at the start of several tournaments: each list is asked once for all their players."""

    def __init__(self, tournaments: Iterable[tuple[Basis, Iterable[Person]]]) -> None:
        wanted: dict[int, set[int]] = {}
        days: set[date] = set()
        for basis, people in tournaments:
            days.add(basis.list_date)
            fide_ids = {person.fide_id for person in people}
            for rating_list in (basis.own_list, basis.standard_list):
                if rating_list is not None:
                    wanted.setdefault(rating_list.pk, set()).update(fide_ids)
        self._figures = {list_id: dict(_figures(list_id, fide_ids)) for list_id, fide_ids in wanted.items()}
        self._unlisted = {day: unlisted_codes(day) for day in days}

    def of(self, person: Person, basis: Basis) -> Standing:
        """Return the standing of a player of one of the tournaments."""
        own = self._figure(basis.own_list, person.fide_id)
        if own is not None:
            return Standing(Status.RATED, own[0], basis.rules.tournament_k(own[1] or 0))
        standard = self._figure(basis.standard_list, person.fide_id)
        if standard is None or person.federation_id in self._unlisted[basis.list_date]:
            return UNRATED
        return Standing(Status.STANDARD, standard[0], basis.rules.standard_k(person.birth_year, basis.start))

    def _figure(self, rating_list: ListInForce | None, fide_id: int) -> tuple[int, int | None] | None:
        return self._figures[rating_list.pk].get(fide_id) if rating_list else None


def _figures(list_id: int, fide_ids: Iterable[int]) -> Iterator[tuple[int, tuple[int, int | None]]]:
    """Yield FIDE ID, rating and K of those who are listed (all of them have a rating)."""
    for batch in batched(sorted(fide_ids), LOOK_UP):
        entries = ListEntry.objects.filter(
            rating_list=list_id, player_id__in=among(batch), status=EntryStatus.LISTED
        ).order_by()
        for fide_id, rating, k in entries.values_list("player_id", "rating", "k_factor"):
            yield fide_id, (rating or 0, k)
