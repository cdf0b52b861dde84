"""The facts that periods are made from: of the list that is coming, and of a list that was published."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Self

from core.sql import ids_subquery
from players.federations import Stays
from ratings.in_force import InForce
from ratings.ledger.chain import chain_of
from ratings.ledger.inputs import corrected_years, factors_by_year
from ratings.ledger.mergers import load_mergers, mergers_of
from ratings.ledger.periods import Facts, Periods
from ratings.ledger.stored import (
    Bars,
    PersonOnList,
    entries_of,
    evidence_of,
    open_pools,
    outcomes_of,
    people_of,
    pools_before,
)
from ratings.models import Calculation, CorrectionLine, ListAdjustment, RatingList
from ratings.models.calculation import Before, PooledRow
from ratings.systems.otb.listing import EntryFigures
from ratings.systems.otb.values import KFactor, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting(Facts):
    """The facts of the list that is coming: accepted reports, or the draft of a preview, and what waits beside them.

    Corrections are calculated from today's facts each time that they are asked for. With `only`, those of these FIDE
    IDs alone.
    """

    kind: str
    list_date: date
    previous: RatingList | None
    in_force: InForce
    only: Collection[int] | None = None

    @classmethod
    def now(cls, kind: str, list_date: date, in_force: InForce, **reports: Any) -> Self:
        """Return the facts of a list as they stand, with what it takes as `played`, and `only` if so."""
        return cls(
            kind=kind,
            list_date=list_date,
            previous=in_force.lists.before(kind, list_date),
            adoptions=in_force.adoptions,
            in_force=in_force,
            mergers=mergers_of(load_mergers(kind), list_date, taken_by=None),
            adjustment=ListAdjustment.objects.formulas(kind).get(list_date),
            **reports,
        )

    def lines(self) -> Mapping[int, Sequence[CorrectionLine]]:
        pending = CorrectionLine.objects.filter(taken_by=None, corrected_list__kind=self.kind)
        if self.only is not None:
            pending = pending.filter(player__in=ids_subquery(self.mergers.ids_of(self.only)))
        return _by_player(pending)

    def entries(self, player_ids: Collection[int]) -> Mapping[int, EntryFigures]:
        return entries_of(self.previous, player_ids)

    def pools(self, player_ids: Collection[int]) -> Mapping[int, Sequence[PooledRow]]:
        return open_pools(self.kind, player_ids)

    def load_corrected(self, holders: Collection[int]) -> Mapping[int, Before]:
        if not holders:
            return {}
        chain = chain_of(self.kind, holders, self.adoptions)
        self.dropped.update(chain.dropped)
        published = self.entries(holders)
        return {key: chain.accounts[key].before(published.get(key)) for key in holders}

    def people(self, player_ids: Collection[int]) -> Mapping[int, PersonOnList]:
        stays = Stays(player_ids if self.in_force.unlisted.exclusions else ())
        return people_of(player_ids, Bars(self.list_date, self.in_force.unlisted, stays))

    def factors(self, found: Periods) -> Mapping[int, Mapping[str, KFactor]]:
        return factors_by_year(found, self.previous, corrected_years(found.events), self.in_force)

    def outcomes(self, rows: Collection[int]) -> Iterable[tuple[int, tuple[Outcome, ...]]]:
        return outcomes_of(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published(Facts):
    """The facts of a published list, as far as it keeps them itself; the events come from its reports."""

    rating_list: RatingList

    def lines(self) -> Mapping[int, Sequence[CorrectionLine]]:
        return _by_player(CorrectionLine.objects.filter(taken_by=self.rating_list))

    def entries(self, player_ids: Collection[int]) -> Mapping[int, EntryFigures]:
        return entries_of(self.rating_list.previous, player_ids)

    def pools(self, player_ids: Collection[int]) -> Mapping[int, Sequence[PooledRow]]:
        return pools_before(self.rating_list, player_ids)

    def load_corrected(self, holders: Collection[int]) -> Mapping[int, Before]:
        self.dropped.update(row.player_id for row in self.mergers.taken if row.is_dropped)
        if not holders:
            return {}
        # As the list found it: by the facts of today the history may be another one.
        persons = {*holders, *map(self.mergers.person, holders)}
        rows = Calculation.objects.filter(rating_list=self.rating_list, player__in=ids_subquery(persons))
        before: dict[int, Before] = {}
        for found in rows.values_list("found", flat=True):
            before |= found.before
        return before

    def people(self, player_ids: Collection[int]) -> Mapping[int, PersonOnList]:
        return evidence_of([self.rating_list], player_ids)[self.rating_list.pk]

    def factors(self, found: Periods) -> Mapping[int, Mapping[str, KFactor]]:
        # As the list knew it: a year of birth may have been corrected since, or again.
        corrected = corrected_years(found.player_ids)
        rows = Calculation.objects.filter(rating_list=self.rating_list, player__in=ids_subquery(corrected))
        kept = rows.values_list("player_id", "found")
        return {player_id: row.factors for player_id, row in kept if row.factors}


def _by_player(lines: Any) -> dict[int, list[CorrectionLine]]:
    found: dict[int, list[CorrectionLine]] = defaultdict(list)
    related = lines.select_related("corrected_list", "correction__tournament").defer(
        "corrected_list__manifest"
    )
    for line in related.order_by("corrected_list__date", "pk"):
        found[line.player_id].append(line)
    return dict(found)
