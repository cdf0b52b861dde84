"""Recalculation of players on all lists by the current reports, data and mergers (D-11, D-101, D-102).

Earlier results of lists are not used: the first event of a player, the fifth game, and since when a player is rated
or inactive follow from the events in their order. Published data remain the basis of each single change: own and
opponents' ratings and K of the lists in force, and the rounding of a list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Min

from core.bulk import ids_subquery
from players.models import Player
from players.queries.federations import unlisted_codes
from ratings.choices import Origin
from ratings.models import (
    Calculation,
    CorrectionLine,
    ListEntry,
    Merger,
    RatingList,
)
from ratings.queries.in_force import Lists
from ratings.services.corrections.inputs import Played, corrected_years, played_now, with_birth_year
from ratings.services.publication.due import Mergers, mergers_of
from ratings.services.publication.periods import ENTRY_FIELDS, Sources, bar_of, entry_from
from ratings.services.publication.positions import POINT, RATED, PooledRow, Position
from ratings.services.verification.entries import evidence_of
from ratings.systems.arithmetic import half_away_from_zero_hundredths
from ratings.systems.otb.listing import DECEASED, EXCLUDED, Entry, EntryStatus, state_of
from ratings.systems.otb.period import PeriodResult, calculate, listed_k
from ratings.systems.registry import Adoptions

NOBODY = Entry(EntryStatus.UNRATED)
STATUS = {"": EntryStatus.LISTED, EXCLUDED: EntryStatus.WITHHELD, DECEASED: EntryStatus.DECEASED}


@dataclass(frozen=True, slots=True)
class History:
    """Results by list and player, and the position of each player after the newest list."""

    lists: Mapping[int, RatingList]
    results: Mapping[int, Mapping[int, PeriodResult]]
    positions: Mapping[int, Position]


@dataclass(slots=True)
class _Held:
    """A player's position after a list: the entry, the exact rating in hundredths, the pool.

    `residue` is the part of the rating that the rounding of lists with corrections left; `deviates` means that a list
    gives a different result than it published.
    """

    entry: Entry | None = None
    exact: int | None = None
    pool: list[PooledRow] = field(default_factory=list)
    residue: int = 0
    deviates: bool = False

    @property
    def is_rated(self) -> bool:
        return self.exact is not None


def history_of(kind: str, persons: Iterable[int], adoptions: Adoptions) -> History:
    """Return the recalculation of persons on the lists of a kind, with all FIDE IDs that they ever had."""
    ids = mergers_of(kind, date.max, taken_by=None).ids_of(persons)
    walk = _Walk(kind, ids, adoptions)
    for rating_list in walk.lists:
        walk.take(rating_list)
    positions = {player_id: _position(walk.held[player_id]) for player_id in sorted(ids)}
    return History({item.pk: item for item in walk.lists}, walk.results, positions)


def _position(held: _Held) -> Position:
    """Return a player's position; without remaining corrections it is as if there had been none (D-101)."""
    entry = held.entry or NOBODY
    exact = held.exact
    if exact is not None and not held.deviates:
        exact -= held.residue
    return Position(
        rating=None if entry.status is EntryStatus.DECEASED else exact,
        completed=entry.completed,
        reached_2300=entry.reached_2300,
        reached_2400=entry.reached_2400,
        last_played=entry.last_played,
        pool=tuple(held.pool),
    )


class _Walk:
    """Recalculates the lists in order, from the first with a game of one of the players."""

    def __init__(self, kind: str, ids: set[int], adoptions: Adoptions) -> None:
        self.kind, self.ids, self.adoptions = kind, ids, adoptions
        self.played = played_now(kind, ids)
        self.lists = _lists(kind, ids, self.played)
        self.results: dict[int, dict[int, PeriodResult]] = {}
        self.held: dict[int, _Held] = defaultdict(_Held)
        self._published = _entries(kind, self.lists, ids)
        self._calculations = {
            (row.rating_list_id, row.player_id): row
            for row in Calculation.objects.filter(
                rating_list__in=self.lists, player__in=ids_subquery(ids)
            ).defer("steps")
        }
        published = [item for item in self.lists if item.origin == Origin.PUBLISHED]
        self._evidence = evidence_of(published, ids)
        self._years, self._known = corrected_years(ids), Lists()
        self._people = Player.objects.in_bulk(ids)
        self._corrected_since = _corrected_since(kind, ids)
        self._has_mergers = Merger.objects.filter(kind=kind).exists()
        first = self.lists[0].previous_id if self.lists else None
        for player_id, entry in self._published.get(first, {}).items():
            self.held[player_id] = _Held(entry, _exact(entry))

    def take(self, rating_list: RatingList) -> None:
        """Recalculate the players on a list."""
        if rating_list.origin != Origin.PUBLISHED:
            self._reset(rating_list)
            return
        mergers = Mergers()
        if self._has_mergers:
            mergers = mergers_of(self.kind, rating_list.date, taken_by=rating_list)
        sources = self._sources(rating_list, mergers)
        evidence = self._evidence[rating_list.pk]
        for player_id in sorted(self.ids - mergers.direct.keys()):
            year, barred = evidence.person(player_id)
            barred = self._bar(player_id, barred, rating_list.date)
            sources.people[player_id] = (year, barred)
            self._step(rating_list, player_id, sources)
        for player_id in mergers.direct.keys() & self.held.keys():
            del self.held[player_id]

    def _reset(self, rating_list: RatingList) -> None:
        """Use the figures of an imported list, whatever was calculated before it (D-12)."""
        for player_id in self.ids:
            entry = self._published.get(rating_list.pk, {}).get(player_id)
            exact = _exact(entry)
            pool = [] if exact is not None else self.held[player_id].pool
            self.held[player_id] = _Held(entry, exact, pool)

    def _sources(self, rating_list: RatingList, mergers: Mergers) -> Sources:
        sources = Sources(rating_list.date, self.adoptions, mergers=mergers)
        for item in self.played.get(rating_list.pk, ()):
            person = mergers.played_as(item.player_id, item.published)
            sources.events.setdefault(person, []).append(item.source)
        states = {player_id: self._before(rating_list, player_id) for player_id in self.ids}
        known = {player_id: entry for player_id, entry in states.items() if entry is not None}
        sources.load_players(
            lambda _: dict(known),
            lambda _: {player_id: [row.share for row in self.held[player_id].pool] for player_id in self.ids},
        )
        return sources

    def _before(self, rating_list: RatingList, player_id: int) -> Entry | None:
        """Return the entry before a list; the rating and K of one rated then and now are those published (D-11)."""
        held = self.held[player_id]
        if held.entry is None or held.entry.status is EntryStatus.DECEASED:
            return None
        published = self._published.get(rating_list.previous_id, {}).get(player_id)
        if held.is_rated and published is not None and published.status in RATED:
            return held.entry._replace(status=published.status, rating=published.rating, k=published.k)
        return held.entry

    def _bar(self, player_id: int, barred: str, on: date) -> str:
        """Return why a list did not show a player, but for a death that was undone or falls later (D-74)."""
        person = self._people[player_id]
        if barred == EXCLUDED or (person.died_on is not None and person.died_on < on):
            return barred
        return bar_of(person.federation_id, None, on, unlisted_codes(on)) if barred else ""

    def _step(self, rating_list: RatingList, player_id: int, sources: Sources) -> None:
        period = sources.period_of(player_id)
        if player_id in self._years:
            period = with_birth_year(period, rating_list, player_id, self._years[player_id], self._known)
        result = calculate(period)
        calculation = self._calculations.get((rating_list.pk, player_id))
        self.results.setdefault(rating_list.pk, {})[player_id] = result
        exact = self._exact_after(rating_list, player_id, sources, result, calculation)
        is_closed = exact is not None or result.closes_pool
        pool = [] if is_closed else self._pool_after(player_id, sources, result)
        entry = self._entry_after(rating_list, player_id, sources, result, exact)
        former = self.held[player_id]
        self.held[player_id] = _Held(
            entry=entry,
            exact=exact,
            pool=pool,
            residue=0 if exact is None or result.base is None else former.residue + _residue(calculation),
            deviates=former.deviates or _deviates(result, calculation),
        )

    def _exact_after(
        self,
        rating_list: RatingList,
        player_id: int,
        sources: Sources,
        result: PeriodResult,
        calculation: Calculation | None,
    ) -> int | None:
        """Return the exact rating after a list: its own rounding, and the unrounded difference to its own change."""
        if result.base is None:
            return None if result.rating is None else POINT * result.rating
        entry = sources.entries.get(player_id)
        before = self._exact_before(player_id, sources)
        start = POINT * result.base if before is None else before
        if calculation is not None and calculation.base_rating is not None:
            own = _rounded(calculation.change_hundredths) + _residue(calculation)
            exact = start + own + result.change - calculation.change_hundredths
        else:
            exact = start + _rounded(result.change)
        published = self._published.get(rating_list.pk, {}).get(player_id)
        is_same = (
            entry is not None and before is not None and published is not None and published.status in RATED
        )
        floor = self.adoptions.text_on(rating_list.date).floor
        is_under = half_away_from_zero_hundredths(exact) < floor
        return None if is_under and not is_same and not sources.people[player_id][1] else exact

    def _exact_before(self, player_id: int, sources: Sources) -> int | None:
        """Return the exact rating before a list, or that of a merged ID of the person (D-11)."""
        if self.held[player_id].exact is not None:
            return self.held[player_id].exact
        joined = (self.held[old].exact for old in sources.joined.get(player_id, ()) if old in self.held)
        return next((exact for exact in joined if exact is not None), None)

    def _pool_after(self, player_id: int, sources: Sources, result: PeriodResult) -> list[PooledRow]:
        """Return the pool after a list; what is disregarded or has lapsed on arrival has no games in it."""
        earlier = [
            row
            for fide_id in (player_id, *sources.joined.get(player_id, ()))
            for row in self.held[fide_id].pool
        ]
        rows = {source.event.event_id: source for source in sources.events.get(player_id, ())}
        counted = {item.event.event_id: item.participation for item in result.events}
        return earlier + [
            PooledRow(
                share._replace(
                    opponents_sum=counted[share.event_id].opponents_sum,
                    games=counted[share.event_id].games,
                    half_points=counted[share.event_id].half_points,
                ),
                rows[share.event_id].tournament_rating,
                rows[share.event_id].row,
            )
            for share in result.shares
        ]

    def _entry_after(
        self,
        rating_list: RatingList,
        player_id: int,
        sources: Sources,
        result: PeriodResult,
        exact: int | None,
    ) -> Entry | None:
        before, (year, barred) = sources.entries.get(player_id) or NOBODY, sources.people[player_id]
        rating = 0 if exact is None else half_away_from_zero_hundredths(exact)
        highest = max(rating, self._highest_published(rating_list, player_id))
        rules = self.adoptions.text_on(rating_list.date)
        known = NOBODY._replace(
            reached_2300=before.reached_2300 or highest >= rules.reached_low,
            reached_2400=before.reached_2400 or highest >= rules.reached_high,
        )
        if exact is None:
            return known if known != NOBODY else None
        games = result.games if result.base is not None else 0
        entry = known._replace(
            status=STATUS[barred],
            rating=rating,
            completed=result.completed if result.rating is not None else before.completed + games,
            last_played=rating_list.date if result.games else before.last_played,
        )
        k = listed_k(state_of(entry), birth_year=year, list_date=rating_list.date, adoptions=self.adoptions)
        return entry._replace(k=k.k)

    def _highest_published(self, rating_list: RatingList, player_id: int) -> int:
        """Return a published rating that is not from a correction: it counts as reached (D-4)."""
        published = self._published.get(rating_list.pk, {}).get(player_id)
        corrected = self._corrected_since.get(player_id)
        is_own = corrected is None or rating_list.date < corrected
        return (published.rating or 0) if published and is_own else 0


def _rounded(hundredths: int) -> int:
    return POINT * half_away_from_zero_hundredths(hundredths)


def _residue(calculation: Calculation | None) -> int:
    """Return what a list's rounding of change and corrections together left over of the corrections."""
    if calculation is None or calculation.new_rating is None:
        return 0
    together = POINT * calculation.rounded_change - calculation.correction_hundredths
    return together - _rounded(calculation.change_hundredths)


def _deviates(result: PeriodResult, calculation: Calculation | None) -> bool:
    """Return whether a list would give a different result, apart from its corrections."""
    if calculation is None:
        return bool(result.change or result.shares or result.initial)
    if calculation.base_rating is not None and result.base is not None:
        return result.change != calculation.change_hundredths
    if calculation.base_rating is None and result.base is None:
        return result.rating != calculation.new_rating
    return True


def _exact(entry: Entry | None) -> int | None:
    """Return the rating of a published entry in hundredths, shown or withheld."""
    if entry is None or entry.rating is None or entry.status not in RATED:
        return None
    return POINT * entry.rating


def _lists(kind: str, ids: set[int], played: Mapping[int, Sequence[Played]]) -> list[RatingList]:
    """Return the lists of a kind from the first that concerns the players; always the newest.

    The last list of a deceased player concerns them even without games: if the death is undone, its figures apply
    again (D-74).
    """
    every = RatingList.objects.filter(kind=kind).select_related("previous")
    lists = list(every.defer("manifest", "previous__manifest").order_by("date"))
    calculated = Calculation.objects.filter(player__in=ids_subquery(ids), rating_list__kind=kind)
    deceased = ListEntry.objects.filter(
        rating_list__in=[item.pk for item in lists], player__in=ids_subquery(ids), status=EntryStatus.DECEASED
    )
    concerned = {*played}.union(
        *(rows.order_by().values_list("rating_list_id", flat=True) for rows in (calculated, deceased))
    )
    first = next((place for place, item in enumerate(lists) if item.pk in concerned), -1)
    return lists[first:]


def _entries(kind: str, lists: Sequence[RatingList], ids: set[int]) -> dict[int | None, dict[int, Entry]]:
    """Return what was published of the players on the lists, and on the one before them."""
    wanted = {item.pk for item in lists} | {item.previous_id for item in lists if item.previous_id}
    rows = ListEntry.objects.filter(rating_list__in=wanted, player__in=ids_subquery(ids)).order_by()
    found: dict[int | None, dict[int, Entry]] = {}
    for list_id, player_id, *values in rows.values_list("rating_list_id", "player_id", *ENTRY_FIELDS):
        found.setdefault(list_id, {})[player_id] = entry_from(values)
    return found


def _corrected_since(kind: str, ids: set[int]) -> dict[int, date]:
    """Return the first list on which each player had a correction."""
    lines = CorrectionLine.objects.filter(player__in=ids_subquery(ids), taken_by__kind=kind)
    return dict(lines.order_by().values_list("player_id").annotate(first=Min("taken_by__date")))
