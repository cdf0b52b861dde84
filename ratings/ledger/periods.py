"""What a list of a kind and date knows of each player: the only way to a `Period`, from whatever facts.

Facts say which reports a list takes and which list is before it: as published, or as it would be by today's facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ratings.ledger.mergers import Mergers, are_both_rated, joined_entry
from ratings.ledger.stored import NOBODY, PersonOnList, StoredParticipation, dates_taken
from ratings.models import CorrectionLine, Merger
from ratings.models.calculation import Before, PooledRow
from ratings.systems.otb.adjustment import Adjustment
from ratings.systems.otb.listing import EntryFigures, EntryStatus, state_of
from ratings.systems.otb.period import (
    MERGED_AWAY,
    CorrectionEffect,
    Period,
    PeriodResult,
    calculate,
    own_standing,
)
from ratings.systems.otb.rules import may_be_void
from ratings.systems.otb.values import Event, KFactor, Outcome, PlayerState, RatedEvent, Status
from ratings.systems.registry import Adoptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Which reports a list takes, and which list is before it.

    `mergers` are those that the list and the ones before it take. `played` are the events by the FIDE ID in the report;
    those rated by the standing at the start need no games. `dropped` are merged IDs that had a rating beside another,
    even where corrections have left the other none (D-141). `adjustment` is the formula by which the list adjusts all
    its ratings (D-133).
    """

    adoptions: Adoptions
    mergers: Mergers
    played: Mapping[int, Sequence[StoredParticipation]]
    dropped: set[int] = field(default_factory=set)
    adjustment: Adjustment | None = None

    def lines(self) -> Mapping[int, Sequence[CorrectionLine]]:
        """Return the lines of corrections that the list takes, by FIDE ID."""
        return {}

    def entries(self, player_ids: Collection[int]) -> Mapping[int, EntryFigures]:
        """Return the entries on the list before."""
        return {}

    def pools(self, player_ids: Collection[int]) -> Mapping[int, Sequence[PooledRow]]:
        """Return the pools before the list."""
        return {}

    def load_corrected(self, holders: Collection[int]) -> Mapping[int, Before]:
        """Return what the corrected history makes of the list before; `holders` are the FIDE IDs that it concerns."""
        return {}

    def people(self, player_ids: Collection[int]) -> Mapping[int, PersonOnList]:
        """Return the persons as the list sees them."""
        raise NotImplementedError

    def factors(self, found: Periods) -> Mapping[int, Mapping[str, KFactor]]:
        """Return K by corrected years of birth, by person and event; the empty name is that before (D-144)."""
        return {}

    def outcomes(self, rows: Collection[int]) -> Iterable[tuple[int, tuple[Outcome, ...]]]:
        """Yield the games of participations whose events came without them."""
        return ()


@dataclass(slots=True)
class Periods:
    """The periods of a list's players, and the stored rows that they come from, by person."""

    kind: str
    list_date: date
    adoptions: Adoptions
    mergers: Mergers
    adjustment: Adjustment | None = None
    entries: dict[int, EntryFigures] = field(default_factory=dict)
    published: dict[int, EntryFigures] = field(default_factory=dict)
    people: Mapping[int, PersonOnList] = field(default_factory=dict)
    events: dict[int, list[StoredParticipation]] = field(default_factory=dict)
    pools: dict[int, list[PooledRow]] = field(default_factory=dict)
    lines: dict[int, list[CorrectionLine]] = field(default_factory=dict)
    idle_lines: list[CorrectionLine] = field(default_factory=list)
    corrected: dict[int, Before] = field(default_factory=dict)
    joined: dict[int, list[int]] = field(default_factory=dict)
    factors: Mapping[int, Mapping[str, KFactor]] = field(default_factory=dict)

    @property
    def player_ids(self) -> list[int]:
        """The players to be calculated: those with a result, a correction, or another ID merged into theirs."""
        return sorted(self.events.keys() | self.lines.keys() | self.joined.keys())

    @property
    def merged_ids(self) -> list[int]:
        """The IDs that end with this list: what they had is their person's."""
        return sorted(old for some in self.joined.values() for old in some)

    def results(self) -> dict[int, PeriodResult]:
        """Return the results of all affected players, by FIDE ID."""
        # They have a calculation, too, whose page says in whose ID they go on (ADR 14).
        merged = dict.fromkeys(self.merged_ids, MERGED_AWAY)
        return {player_id: calculate(self.period_of(player_id)) for player_id in self.player_ids} | merged

    def period_of(self, player_id: int) -> Period:
        """Return everything that the list knows of a player."""
        return Period(
            self.list_date,
            state=self.state_of(player_id),
            events=tuple(self._events(player_id)),
            pool=tuple(row.share for row in self.pools.get(player_id, ())),
            correction=self._correction_of(player_id),
            has_joined=player_id in self.joined,
            adoptions=self.adoptions,
            adjustment=self.adjustment,
            **self.people.get(player_id, NOBODY)._asdict(),
        )

    def rated_sources(
        self, player_id: int, result: PeriodResult
    ) -> list[tuple[RatedEvent, StoredParticipation]]:
        """Return each event of a result with where it is stored: of one person a report may have two lines (D-141)."""
        if not result.events:
            return []
        sources = sorted(self.events[player_id], key=lambda source: source.event.order)
        return list(zip(result.events, sources, strict=True))

    def pooled_sources(
        self, player_id: int, result: PeriodResult
    ) -> list[tuple[RatedEvent, StoredParticipation]]:
        """Return the event behind each share of a result, and where it is stored."""
        waiting: dict[str, list[tuple[RatedEvent, StoredParticipation]]] = defaultdict(list)
        for pair in self.rated_sources(player_id, result):
            # A line without a game that counts has no share; what is disregarded or has lapsed had some.
            if pair[1].event.participation.games:
                waiting[pair[1].event.event_id].append(pair)
        return [waiting[share.event_id].pop(0) for share in result.shares]

    def void_events(self, player_id: int) -> list[str]:
        """Return the events of a player that count for nothing, because they began in an exclusion (D-143)."""
        if not self.people.get(player_id, NOBODY).void:
            return []
        period = self.period_of(player_id)
        return [event.event_id for event in period.events if period.is_void(event)]

    def _events(self, player_id: int) -> Iterator[Event]:
        """Yield a player's events, with K by the right year of birth where another one was published (D-144)."""
        factors = self.factors.get(player_id, {})
        for source in self.events.get(player_id, ()):
            event = source.event
            if (factor := factors.get(event.event_id)) is not None:
                part = event.participation
                standing = part.standing._replace(k=factor.k, k_reason=factor.reason)
                event = event._replace(participation=part._replace(standing=standing))
            yield event

    def state_of(self, player_id: int) -> PlayerState:
        """Return a player's figures before the list, corrections included."""
        state = state_of(self.entries.get(player_id))
        if corrected := self.corrected_of(player_id):
            state = state._replace(difference=sum(before.difference for before in corrected.values()))
        return state

    def previous_rating(self, player_id: int) -> int | None:
        """Return the rating that the list before shows, as it was published."""
        entry = self.entries.get(player_id)
        if player_id in self.corrected:
            entry = self.published.get(player_id)
        return entry.rating if entry is not None and entry.status is EntryStatus.LISTED else None

    def corrected_of(self, player_id: int) -> dict[int, Before]:
        """Return what corrections made of a person's FIDE IDs, without a rating that is not continued."""
        if not self.corrected:
            return {}
        dropped = {row.player_id for row in self.mergers.taken if row.is_dropped}
        ids = (player_id, *self.joined.get(player_id, ()))
        return {key: self.corrected[key] for key in ids if key in self.corrected and key not in dropped}

    def _correction_of(self, player_id: int) -> CorrectionEffect | None:
        if player_id not in self.lines:
            return None
        corrected = self.corrected_of(player_id).values()
        return CorrectionEffect(
            is_first=any(before.first is not None for before in corrected),
            is_lost=any(before.is_lost for before in corrected),
        )


def periods(kind: str, list_date: date, players: Collection[int] | None, facts: Facts) -> Periods:
    """Return the periods of a list: of everybody whom the facts concern, and of `players`."""
    mergers = facts.mergers
    found = Periods(kind, list_date, facts.adoptions, mergers, facts.adjustment)
    events, lines = facts.played, facts.lines()
    _load_before(found, facts, {*events, *lines, *(players or ())})
    holders = {mergers.held_by(fide_id) for fide_id in lines} | _with_another_first_event(found)
    # What one ID gives to the other it no longer has (D-141).
    for row in mergers.taken:
        if holders & {row.player_id, row.successor_id}:
            holders |= {row.player_id, row.successor_id}
    found.corrected = dict(facts.load_corrected(holders))
    for holder, before in found.corrected.items():
        published = found.entries.pop(holder, None)
        if published is not None:
            found.published[holder] = published
        if before.entry is not None:
            found.entries[holder] = before.entry
        found.pools[holder] = list(before.pool)
    _join_all(found, facts)
    found.events = mergers.by_person({key: list(some) for key, some in events.items()})
    found.lines = mergers.by_person(_lines_that_count(found, lines))
    found.people = facts.people(sorted({*found.player_ids, *(players or ())}))
    # Let K by the right years of birth take the place of what lists published (D-144).
    found.factors = facts.factors(found)
    for player_id, factors in found.factors.items():
        if "" in factors and (entry := found.entries.get(player_id)) is not None:
            k, reason = factors[""]
            found.entries[player_id] = entry._replace(k=k, k_reason=reason)
    _load_outcomes(found, facts)
    return found


def _load_before(found: Periods, facts: Facts, ids: set[int]) -> None:
    """Load entries and pools of all affected players, and of the IDs that have theirs."""
    mergers = found.mergers
    ids |= {fide_id for row in mergers.taken for fide_id in (row.player_id, row.successor_id)}
    ids |= {mergers.held_by(fide_id) for fide_id in ids} | {mergers.person(fide_id) for fide_id in ids}
    known = sorted(ids)
    found.entries = dict(facts.entries(known))
    found.pools = {key: list(rows) for key, rows in facts.pools(known).items()}


def _with_another_first_event(found: Periods) -> set[int]:
    """Return the IDs of persons whose united pool may have another first event than each of its parts (D-102).

    A disregarded event is stored without its games, so that the history of these IDs is calculated again.
    """
    ids: dict[int, set[int]] = defaultdict(set)
    for row in found.mergers.taken:
        ids[found.mergers.person(row.player_id)] |= {row.player_id, row.successor_id}
    wanted: set[int] = set()
    for of_person in ids.values():
        pools = [pool for key in of_person if (pool := found.pools.get(key))]
        if len(pools) > 1 and any(item.share.is_disregarded for pool in pools for item in pool):
            wanted |= of_person
    return wanted


def _join_all(found: Periods, facts: Facts) -> None:
    """Move entries and pools of merged IDs to their persons, in the order of the mergers."""
    taken = found.mergers.taken
    ids = {key for row in taken for key in (row.player_id, row.successor_id)}
    dates = dates_taken({item.tournament for key in ids for item in found.pools.get(key, ())})
    for row in taken:
        _join(found, row, dates, facts)


def _join(found: Periods, row: Merger, dates: Mapping[int, date], facts: Facts) -> None:
    """Move the entry and pool of a merged ID to the person; one that lost what it had by a correction ends, too.

    Games in the pool have kept the person active (6.2.2), though no entry says so yet.
    """
    old, new = row.player_id, row.successor_id
    entry, pool = found.entries.get(old), found.pools.get(old, [])
    # No list has seen this ID: there is nothing to end.
    if entry is None and not pool and old not in found.corrected:
        return
    # Kept with the merger: later corrections of games behind this rating change nothing (ADR 14).
    row.is_dropped = old in facts.dropped or are_both_rated(entry, found.entries.get(new))
    if row.is_dropped and entry is not None:
        entry = entry._replace(status=EntryStatus.UNRATED, rating=None)
    joined = joined_entry(entry, found.entries.get(new))
    found.pools[new] = _unite_pools(found.pools.get(new, []), pool, dates)
    if not (joined and joined.is_rated):
        played = [dates[item.tournament] for item in found.pools[new] if _is_played(item)]
        joined = (joined or EntryFigures(EntryStatus.UNRATED))._replace(last_played=max(played, default=None))
    if joined is not None:
        found.entries[new] = joined
    found.joined.setdefault(found.mergers.person(old), []).append(old)


def _unite_pools(pool: list[PooledRow], other: list[PooledRow], dates: Mapping[int, date]) -> list[PooledRow]:
    """Return one pool of two: only the first event of both may be disregarded (7.2.2, D-6, D-102).

    Where both IDs were in it, it was one event of one person (D-141).
    """
    rows = [*pool, *other]
    if not pool or not other:
        return rows
    first = min(rows, key=lambda item: (dates[item.tournament], item.share.order)).tournament
    has_points = any(item.share.half_points for item in rows if item.tournament == first)
    return [
        item
        if (item.tournament == first and not has_points) or not item.share.games
        else item._replace(share=item.share._replace(is_disregarded=False))
        for item in rows
    ]


def _is_played(item: PooledRow) -> bool:
    return item.share.games > 0 and not item.share.is_disregarded


def _lines_that_count(
    found: Periods, lines: Mapping[int, Sequence[CorrectionLine]]
) -> dict[int, list[CorrectionLine]]:
    """Return the lines by ID without those of a rating that is not continued; these are kept apart.

    Those of an ID that an earlier list merged give its games and activity to the person.
    """
    dropped, counting = found.mergers.all_dropped(), {}
    for key, of_id in lines.items():
        if found.mergers.held_by(key) in dropped:
            # The list takes them all the same, so that the correction log has no open line (ADR 14).
            found.idle_lines += of_id
        else:
            counting[key] = list(of_id)
    return counting


def _load_outcomes(found: Periods, facts: Facts) -> None:
    """Load the games of players who may be rated by another standing; for the others the sums suffice."""
    wanted = {
        source.row: (player_id, place)
        for player_id, of_player in found.events.items()
        for place, source in enumerate(of_player)
        if _needs_outcomes(found, player_id, source.event)
    }
    for row, outcomes in facts.outcomes(wanted.keys()) if wanted else ():
        player_id, place = wanted[row]
        source = found.events[player_id][place]
        part = source.event.participation._replace(outcomes=outcomes)
        event = source.event._replace(participation=part)
        found.events[player_id][place] = source._replace(event=event)


def _needs_outcomes(found: Periods, player_id: int, event: Event) -> bool:
    own = own_standing(event, found.state_of(player_id), found.adoptions)
    # Each of the games is rated anew, or gets the reason of the bar; another K is stored with them.
    person = found.people.get(player_id, NOBODY)
    is_own_standing = own == event.participation.standing
    if person.barred or person.void or player_id in found.factors or not is_own_standing:
        return True
    rules = found.adoptions.text_on(found.list_date)
    return own.status is Status.UNRATED and may_be_void(rules, event, found.list_date)
