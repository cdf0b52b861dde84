"""The chain of periods by today's facts: players on all lists by the current reports, data and mergers (D-11, D-110).

Earlier results of lists are not used: the first event of a player, the fifth game, own status, and since when a player
is rated or inactive follow from the events in their order (D-102). Published data remain the basis of each change: the
ratings and K of the lists in force, what has been reached (D-112), and the rounding of a list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.sql import ids_subquery
from players.federations import Stays
from players.models import Player
from ratings.choices import Origin
from ratings.in_force import InForce, corrected_figures
from ratings.ledger.figures import ENTRY_FIELDS
from ratings.ledger.inputs import (
    CountedParticipant,
    corrected_years,
    factors_by_year,
    played_now,
)
from ratings.ledger.mergers import Mergers, load_mergers, mergers_of
from ratings.ledger.periods import Facts, Periods, periods
from ratings.ledger.stored import (
    Bars,
    PersonOnList,
    StoredParticipation,
    entry_from,
    evidence_of,
)
from ratings.models import Calculation, ListAdjustment, ListEntry, Merger, RatingList
from ratings.models.calculation import Before, PooledRow
from ratings.systems.arithmetic import half_away_from_zero_hundredths
from ratings.systems.otb.listing import (
    DECEASED,
    EntryFigures,
    EntryStatus,
    imported_entry,
)
from ratings.systems.otb.period import EXCLUDED, PeriodResult, calculate
from ratings.systems.otb.rules import share_of
from ratings.systems.otb.values import KFactor
from ratings.systems.registry import Adoptions

# Changes are whole hundredths, K times a sum of dR, so that exact ratings need no fractions.
POINT = 100
# The published lists that a merger of two ratings corrects at most (D-141).
MOST_LISTS_BACK = 12
UNRATED = EntryFigures(EntryStatus.UNRATED)
STATUS = {"": EntryStatus.LISTED, EXCLUDED: EntryStatus.WITHHELD, DECEASED: EntryStatus.DECEASED}


@dataclass(frozen=True, slots=True)
class Account:
    """A player's figures after a list by today's facts: the entry, the exact rating in hundredths, the pool.

    The exact rating is None while the player is unrated. `residue` is the part of it that the rounding of lists with
    corrections left; `deviates` means that a list gives a different result than it published.
    """

    entry: EntryFigures | None = None
    exact: int | None = None
    pool: tuple[PooledRow, ...] = ()
    residue: int = 0
    deviates: bool = False

    def settle(self) -> Account:
        """Return the account after the newest list; without remaining corrections it is as without any (D-101)."""
        exact = self.exact
        if self.entry is not None and self.entry.status is EntryStatus.DECEASED:
            exact = None
        elif exact is not None and not self.deviates:
            exact -= self.residue
        return Account(self.entry, exact, self.pool)

    def before(self, published: EntryFigures | None) -> Before:
        """Return what the next list finds: where the player is rated in both, the published rating (D-11, D-110)."""
        was_rated = published is not None and published.is_rated
        entry, exact = self.entry, self.exact
        if entry is None or exact is None or entry.status is EntryStatus.DECEASED:
            known = UNRATED if was_rated else None
            if entry is not None and entry.status is EntryStatus.UNRATED:
                known = entry
            return Before(known, self.pool, is_lost=was_rated)
        if published is not None and was_rated:
            entry = published._replace(
                k=entry.k,
                k_reason=entry.k_reason,
                completed=entry.completed,
                reached_2300=entry.reached_2300,
                reached_2400=entry.reached_2400,
                last_played=entry.last_played,
            )
            return Before(entry, self.pool, exact - POINT * (published.rating or 0))
        rating = half_away_from_zero_hundredths(exact)
        return Before(entry._replace(rating=rating), self.pool, exact - POINT * rating, first=rating)


@dataclass(frozen=True, slots=True)
class Chain:
    """Results by list and player, and the account of each FIDE ID after the newest list, by the waiting mergers.

    `steps` are what each list adds to the exact rating of a rated player, all of it where the list gives the rating.

    `dropped` are the IDs whose rating is not continued, while what was played under them counts for the person (D-141).
    `imported` is the newest imported list of each FIDE ID that is on one: nothing before it counts any more (D-12).
    """

    mergers: Mergers
    lists: Mapping[int, RatingList]
    results: Mapping[int, Mapping[int, PeriodResult]]
    steps: Mapping[int, Mapping[int, int]]
    accounts: Mapping[int, Account]
    dropped: frozenset[int]
    imported: Mapping[int, RatingList]


def chain_of(kind: str, persons: Iterable[int], adoptions: Adoptions) -> Chain:
    """Return the chain of persons, by any of their FIDE IDs, on the lists of a kind, with all that they ever had."""
    rows = load_mergers(kind)
    mergers = mergers_of(rows, date.max, taken_by=None)
    ids = mergers.ids_of(map(mergers.person, persons))
    walk = _Walk(kind, ids, adoptions)
    walk.go(rows)
    # The pools of merged IDs are known only at the end of a walk: a second one counts their games as the rated ID's.
    if walk.late:
        walk.go(rows)
    accounts = {player_id: walk.accounts[player_id].settle() for player_id in sorted(ids)}
    return Chain(
        mergers,
        {item.pk: item for item in walk.lists},
        walk.results,
        walk.steps,
        accounts,
        frozenset(walk.dropped),
        walk.imported,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Today(Facts):
    """The facts of a list in the chain: the current reports, and the accounts after the list before."""

    before: Mapping[int, Before]
    persons: Mapping[int, PersonOnList]
    previous: RatingList | None
    years: Mapping[int, int | None]
    in_force: InForce

    def load_corrected(self, holders: Collection[int]) -> Mapping[int, Before]:
        return self.before

    def people(self, player_ids: Collection[int]) -> Mapping[int, PersonOnList]:
        return self.persons

    def factors(self, found: Periods) -> Mapping[int, Mapping[str, KFactor]]:
        return factors_by_year(found, self.previous, self.years, self.in_force)


class _Walk:
    """Recalculates the lists in order, from the first with a game of one of the players.

    `late` are the participations in the pool of an unrated ID that is merged with a rated one, each with that ID: they
    are of a rated player, on the list of their time (7.2.5, D-110); and what was played under one of two rated IDs
    (D-141). They are found by the mergers, at the end.
    """

    def __init__(self, kind: str, ids: set[int], adoptions: Adoptions) -> None:
        self.kind, self.ids, self.adoptions = kind, ids, adoptions
        self.played = played_now(kind, ids, adoptions)
        self.lists = _lists(kind, ids, self.played)
        self.late: dict[int, int] = {}
        self.dropped: set[int] = set()
        # By list, the IDs that have a rating before it, and the rows that each ID played.
        self._rated: dict[int, set[int]] = {}
        self._rows: dict[int, dict[int, list[int]]] = {}
        self._published = _entries(self.lists, ids)
        # Without the steps, which are most of a row: the chain uses no earlier result.
        self._calculations = {
            (row.rating_list_id, row.player_id): row
            for row in Calculation.objects.filter(
                rating_list__in=[item.pk for item in self.lists], player__in=ids_subquery(ids)
            ).defer("value", "found")
        }
        published = [item for item in self.lists if item.origin == Origin.PUBLISHED]
        self._evidence = evidence_of(published, ids)
        self._years, self._known = corrected_years(ids), InForce()
        self._figures = corrected_figures(ids)
        self._people = Player.objects.in_bulk(ids)
        self._stays = Stays(ids)
        self._formulas = ListAdjustment.objects.formulas(kind)

    def go(self, rows: Sequence[Merger]) -> None:
        """Recalculate the players on all lists."""
        self.results: dict[int, dict[int, PeriodResult]] = {}
        self.steps: dict[int, dict[int, int]] = defaultdict(dict)
        self.accounts: dict[int, Account] = defaultdict(Account)
        self.imported: dict[int, RatingList] = {}
        # Before the first list with one of their games nothing can differ from what was published.
        first = self.lists[0].previous_id if self.lists else None
        for player_id, entry in self._published.get(first, {}).items():
            self.accounts[player_id] = Account(entry, _exact(entry))
        for rating_list in self.lists:
            mergers = mergers_of(rows, rating_list.date, taken_by=rating_list) if rows else Mergers()
            self._find_late(mergers.taken)
            self.recalculate_list(rating_list, mergers)
        # Those that wait for the next list: it finds the pools as the newest one left them.
        self._find_late([row for row in rows if row.taken_by_id is None])

    def _find_late(self, taken: Iterable[Merger]) -> None:
        """Find the pools that end because the person's other ID is rated."""
        for row in taken:
            ids = (row.player_id, row.successor_id)
            rated = [key for key in ids if key in self.ids and self.accounts[key].exact is not None]
            # Two pools are united (ADR 14).
            if len(rated) == 1:
                pools = (self.accounts[key].pool for key in ids if key in self.ids)
                self.late |= {item.row: rated[0] for pool in pools for item in pool}
            elif len(rated) == 2 and row.counts_both:
                self.dropped.add(row.player_id)
                self.late |= dict.fromkeys(self._played_beside(row), row.successor_id)

    def _played_beside(self, row: Merger) -> Iterator[int]:
        """Yield what was played under an ID while both had a rating, at most 12 lists back (D-141)."""
        until = row.taken_by.date if row.taken_by else date.max
        before = [item.pk for item in self.lists if item.date < until][-MOST_LISTS_BACK:]
        for list_id in reversed(before):
            if not {row.player_id, row.successor_id} <= self._rated.get(list_id, set()):
                return
            yield from self._rows.get(list_id, {}).get(row.player_id, ())

    def recalculate_list(self, rating_list: RatingList, mergers: Mergers) -> None:
        """Recalculate the players on a list."""
        if rating_list.origin != Origin.PUBLISHED:
            self._take_imported(rating_list)
            return
        previous = self._published.get(rating_list.previous_id, {})
        played: dict[int, list[StoredParticipation]] = {}
        self._rated[rating_list.pk] = {key for key in self.ids if self.accounts[key].exact is not None}
        rows: dict[int, list[int]] = defaultdict(list)
        self._rows[rating_list.pk] = rows
        for item in self.played.get(rating_list.pk, ()):
            player_id = mergers.played_as(item.player_id, item.published, item.submitted_at)
            rows[player_id].append(item.source.row)
            # As if the report had named the rated ID: no game of the person is lost (ADR 14).
            player_id = self.late.get(item.source.row, player_id)
            played.setdefault(player_id, []).append(item.source)
        facts = _Today(
            adoptions=self.adoptions,
            mergers=mergers,
            played=played,
            before={key: self.accounts[key].before(previous.get(key)) for key in self.ids},
            persons=self._persons(rating_list),
            previous=rating_list.previous,
            years=self._years,
            in_force=self._known,
            dropped=self.dropped,
            adjustment=self._formulas.get(rating_list.date),
        )
        found = periods(self.kind, rating_list.date, self.ids, facts)
        for player_id in sorted(self.ids - mergers.direct.keys()):
            self.accounts[player_id] = self._step(rating_list, player_id, found)
        # The list ends these IDs: what they had is in the account of the person.
        for player_id in mergers.direct.keys() & self.accounts.keys():
            del self.accounts[player_id]

    def _take_imported(self, rating_list: RatingList) -> None:
        """Use the figures of an imported list, whatever was calculated before it (D-12)."""
        corrected = self._figures.get(rating_list.pk, {})
        for player_id in self.ids:
            entry, figures = self._published.get(rating_list.pk, {}).get(player_id), corrected.get(player_id)
            if figures is None and entry is not None and entry.status is EntryStatus.WITHHELD:
                # FIDE's list does not have the player: the portal remembers the rating, and replaces nothing (D-142).
                continue
            if figures is not None:
                # By FIDE's corrected list (D-125).
                entry = (
                    None
                    if figures.rating is None
                    else imported_entry(
                        rating=figures.rating,
                        # The chain adds up the games completed, and these are inferred from K (D-12).
                        games=0,
                        k=figures.k,
                        birth_year=self._people[player_id].birth_year,
                        is_inactive=entry is not None and entry.is_inactive,
                        on=rating_list.date,
                        known=entry,
                        adoptions=self.adoptions,
                    )
                )
            exact = _exact(entry)
            if exact is not None:
                self.imported[player_id] = rating_list
            # A rating of any origin empties the pool (7.2).
            pool = () if exact is not None else self.accounts[player_id].pool
            self.accounts[player_id] = Account(entry, exact, pool)

    def _persons(self, rating_list: RatingList) -> dict[int, PersonOnList]:
        """Return the players as the list knew them, but for what is known by days, whenever it was entered.

        These are a death that is undone (D-74), a wrong year of birth (D-4), and exclusions (D-143).
        """
        evidence, on = self._evidence[rating_list.pk], rating_list.date
        made = rating_list.published_at.date() if rating_list.published_at else on
        bars = Bars(on, self._known.unlisted, self._stays, made=made)
        found = {}
        for player_id in self.ids:
            player, known = self._people[player_id], evidence.get(player_id)
            # From the second list after a death on; K of those who return depends on it (7.3.3).
            year = player.birth_year if known is None else known.birth_year
            year = self._years.get(player_id, year)
            is_dead = known is not None and known.barred == DECEASED
            person = bars.person(player_id, year, player.federation_id, player.died_on if is_dead else None)
            # Of a federation outside FIDE no days are known: there the list as it was has the last word.
            if known is not None and not person.void and DECEASED not in (person.barred, known.barred):
                person = person._replace(barred=known.barred)
            found[player_id] = person
        return found

    def _step(self, rating_list: RatingList, player_id: int, found: Periods) -> Account:
        result = calculate(found.period_of(player_id))
        self.results.setdefault(rating_list.pk, {})[player_id] = result
        calculation = self._calculations.get((rating_list.pk, player_id))
        exact, residue = self._exact_after(rating_list, player_id, found, result)
        if exact is not None:
            before = self._exact_before(player_id, found) if result.base is not None else None
            self.steps[rating_list.pk][player_id] = exact - (before or 0)
        is_closed = exact is not None or result.closes_pool
        former = self.accounts[player_id]
        return Account(
            entry=self._entry_after(rating_list, player_id, found, result, exact),
            exact=exact,
            pool=() if is_closed else self._pool_after(player_id, found, result),
            residue=residue,
            deviates=former.deviates or _deviates(result, calculation),
        )

    def _exact_after(
        self, rating_list: RatingList, player_id: int, found: Periods, result: PeriodResult
    ) -> tuple[int | None, int]:
        """Return the exact rating after a list: its own rounding, and the unrounded difference to its own change.

        None where it falls below the floor of the list (D-14), unless the list does not show the player. Beside it, the
        part of it that the rounding of lists with corrections left. Both go through the adjustment of the list (D-133).
        """
        if result.base is None:
            initial = result.rating if result.rating is not None else result.kept
            return None if initial is None else POINT * initial, 0
        calculation = self._calculations.get((rating_list.pk, player_id))
        exact = self._exact_before(player_id, found)
        if exact is None:
            # The base is a standard or an initial rating of this list, a whole number (D-5, D-113).
            exact = POINT * result.base
        published = self._published.get(rating_list.pk, {}).get(player_id)
        if calculation is not None and calculation.base_rating is not None:
            # What the list published stays as it was rounded; a correction is the unrounded difference to it (D-11).
            own = _round_hundredths(calculation.change_hundredths) + _residue(calculation)
            exact += own + result.change - calculation.change_hundredths
        elif calculation is None and published is not None and published.is_rated:
            # The list carried the rating over: all that changes now is a correction.
            exact += result.change
        else:
            # The list had no rating to correct: it would have published this one, rounded.
            exact += _round_hundredths(result.change)
        residue = self.accounts[player_id].residue + _residue(calculation)
        if found.people[player_id].barred:
            return exact, residue
        if found.adjustment is not None:
            adjusted, without = (
                found.adjustment.adjusted_hundredths(one) for one in (exact, exact - residue)
            )
            exact, residue = adjusted, adjusted - without
        is_under = half_away_from_zero_hundredths(exact) < self.adoptions.text_on(rating_list.date).floor
        return (None, 0) if is_under else (exact, residue)

    def _exact_before(self, player_id: int, found: Periods) -> int | None:
        """Return the exact rating before a list, or that of a merged ID of the person (D-11)."""
        ids = (player_id, *found.joined.get(player_id, ()))
        known = (self.accounts[key].exact for key in ids if key in self.accounts and key not in self.dropped)
        return next((exact for exact in known if exact is not None), None)

    def _pool_after(self, player_id: int, found: Periods, result: PeriodResult) -> tuple[PooledRow, ...]:
        """Return the pool after a list; what has lapsed on arrival has no games in it."""
        earlier = found.pools.get(player_id, [])
        added = (
            # A disregarded event keeps its games here: after a merger another one may be the first (D-102).
            PooledRow(share if share.is_disregarded else share_of(item), source.tournament, source.row)
            for share, (item, source) in zip(
                result.shares, found.pooled_sources(player_id, result), strict=True
            )
        )
        return (*earlier, *added)

    def _entry_after(
        self,
        rating_list: RatingList,
        player_id: int,
        found: Periods,
        result: PeriodResult,
        exact: int | None,
    ) -> EntryFigures | None:
        """Return the entry after a list; only what it published has been reached (D-112)."""
        before, person = found.entries.get(player_id) or UNRATED, found.people[player_id]
        published = self._published.get(rating_list.pk, {}).get(player_id) or UNRATED
        known = UNRATED._replace(
            reached_2300=before.reached_2300 or published.reached_2300,
            reached_2400=before.reached_2400 or published.reached_2400,
        )
        if exact is None:
            return known if known != UNRATED else None
        is_rated = result.rating is not None or result.kept is not None
        games = result.games if result.base is not None else 0
        entry = known._replace(
            status=STATUS[person.barred],
            rating=half_away_from_zero_hundredths(exact),
            # Where only the rounded result falls below the floor, the rating is not lost, and the count goes on.
            completed=result.completed if is_rated else before.completed + games,
            last_played=rating_list.date if result.games else before.last_played,
        )
        k, reason = self.adoptions.text_on(rating_list.date).list_k(
            entry, birth_year=person.birth_year, on=rating_list.date
        )
        return entry._replace(k=k, k_reason=reason)


def _round_hundredths(hundredths: int) -> int:
    return POINT * half_away_from_zero_hundredths(hundredths)


def _residue(calculation: Calculation | None) -> int:
    """Return what a list's rounding of change and corrections together left over of the corrections."""
    if calculation is None or calculation.new_rating is None:
        return 0
    together = POINT * calculation.rounded_change - calculation.correction_hundredths
    return together - _round_hundredths(calculation.change_hundredths)


def _deviates(result: PeriodResult, calculation: Calculation | None) -> bool:
    """Return whether a list would give a different result, apart from its corrections."""
    if calculation is None:
        # The list had nothing to calculate: any result comes from what was corrected since.
        return bool(result.change or result.shares or result.initial)
    if calculation.base_rating is not None and result.base is not None:
        return result.change != calculation.change_hundredths
    if calculation.base_rating is None and result.base is None:
        return result.rating != calculation.new_rating
    return True


def _exact(entry: EntryFigures | None) -> int | None:
    """Return the rating of a published entry in hundredths, shown or withheld."""
    return POINT * entry.rating if entry is not None and entry.is_rated and entry.rating is not None else None


def _lists(kind: str, ids: set[int], played: Mapping[int, Sequence[CountedParticipant]]) -> list[RatingList]:
    """Return the lists of a kind from the first that concerns the players; always the newest.

    The last list of a deceased player concerns them even without games: if the death is undone, its figures apply
    again (D-74).
    """
    every = RatingList.objects.filter(kind=kind).select_related("previous")
    # A manifest names every report of a month, and no walk needs one.
    lists = list(every.defer("manifest", "previous__manifest").order_by("date"))
    calculated = Calculation.objects.filter(player__in=ids_subquery(ids), rating_list__kind=kind)
    deceased = ListEntry.objects.filter(
        rating_list__in=[item.pk for item in lists], player__in=ids_subquery(ids), status=EntryStatus.DECEASED
    )
    concerned = {*played, *corrected_figures(ids)}.union(
        *(rows.order_by().values_list("rating_list_id", flat=True) for rows in (calculated, deceased))
    )
    first = next((place for place, item in enumerate(lists) if item.pk in concerned), -1)
    return lists[first:]


def _entries(lists: Sequence[RatingList], ids: set[int]) -> dict[int | None, dict[int, EntryFigures]]:
    """Return what was published of the players on the lists, and on the one before them."""
    wanted = {item.pk for item in lists} | {item.previous_id for item in lists if item.previous_id}
    rows = ListEntry.objects.filter(rating_list__in=wanted, player__in=ids_subquery(ids)).order_by()
    found: dict[int | None, dict[int, EntryFigures]] = {}
    for list_id, player_id, *values in rows.values_list("rating_list_id", "player_id", *ENTRY_FIELDS):
        found.setdefault(list_id, {})[player_id] = entry_from(values)
    return found
