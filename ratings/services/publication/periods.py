"""What a list knows of each player with results, a pool or corrections: stored rows become the values of a period."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from core.bulk import batched, ids_subquery
from players.models import Player
from players.queries.federations import unlisted_codes
from ratings.choices import Origin
from ratings.models import (
    CorrectionLine,
    ListEntry,
    Merger,
    ParticipantRating,
    PoolEvent,
    RatingList,
    TournamentRating,
)
from ratings.queries.in_force import ListInForce
from ratings.services.publication.due import (
    Mergers,
    are_both_rated,
    correct_pools,
    effective,
    joined_entry,
    mergers_of,
    share_of,
)
from ratings.services.publication.positions import Position
from ratings.systems.otb.listing import DECEASED, EXCLUDED, Entry, EntryStatus, state_of
from ratings.systems.otb.period import (
    MERGED_AWAY,
    CorrectionShare,
    Period,
    PeriodResult,
    State,
    calculate,
    own_standing,
)
from ratings.systems.otb.rules import may_be_void
from ratings.systems.otb.values import Event, Outcome, Participation, PoolShare, Standing, Status
from ratings.systems.registry import Adoptions

BATCH = 20_000
Pools = dict[int, list[PoolShare]]
ENTRY_FIELDS = (
    "status", "rating", "games", "k_factor", "is_inactive", "completed_games", "reached_2300",
    "reached_2400", "last_played",
)  # fmt: skip


class Source(NamedTuple):
    """A stored participation: its row, the rating of the tournament that it belongs to, and the event it makes."""

    row: int
    tournament_rating: int
    event: Event


@dataclass(slots=True)
class Sources:
    """All inputs of a list: the adopted texts, and by player the previous entry, events, pool and corrections.

    `follows_import` means that the previous list was imported: corrections do not change its ratings and games (D-73).
    """

    list_date: date
    adoptions: Adoptions
    entries: dict[int, Entry] = field(default_factory=dict)
    people: dict[int, tuple[int | None, str]] = field(default_factory=dict)
    events: dict[int, list[Source]] = field(default_factory=dict)
    pools: dict[int, list[PoolShare]] = field(default_factory=dict)
    lines: dict[int, list[CorrectionLine]] = field(default_factory=dict)
    mergers: Mergers = field(default_factory=Mergers)
    positions: dict[int, Position] = field(default_factory=dict)
    shares: dict[int, list[CorrectionShare]] = field(default_factory=dict)
    joined: dict[int, list[int]] = field(default_factory=dict)
    idle_lines: list[CorrectionLine] = field(default_factory=list)
    follows_import: bool = False

    @property
    def player_ids(self) -> list[int]:
        """The players to be calculated: those with a result, a correction, or another ID merged into theirs."""
        return sorted(self.events.keys() | self.lines.keys() | self.joined.keys())

    @property
    def merged_ids(self) -> list[int]:
        """The IDs that end with this list: what they had is their person's."""
        return sorted(old for some in self.joined.values() for old in some)

    def load_players(
        self, entries: Callable[[Iterable[int]], dict[int, Entry]], pools: Callable[[Iterable[int]], Pools]
    ) -> None:
        """Load the previous entries and open pools of all affected players, by person."""
        concerned = {fide_id for row in self.mergers.taken for fide_id in (row.player_id, row.successor_id)}
        held = {self.mergers.held_by(fide_id) for fide_id in self.lines}
        ids = self.events.keys() | self.lines.keys() | concerned | held
        known = ids | {self.mergers.person(fide_id) for fide_id in ids}
        self.entries = entries(sorted(known))
        self.pools = pools(sorted(known))
        shares = self._take_positions()
        for row in self.mergers.taken:
            self._join(row)
        self.events = self.mergers.by_person(self.events)
        self.lines = self.mergers.by_person(self._lines_that_count())
        for player_id, lines in self.lines.items():
            correct_pools(self.pools, player_id, lines)
        dropped = {row.player_id for row in self.mergers.taken if row.is_dropped}
        self.shares = self.mergers.by_person(
            {key: [share] for key, share in shares.items() if key not in dropped}
        )

    def _take_positions(self) -> dict[int, CorrectionShare]:
        """Replace the previous entries by the positions of corrections, and return the differences.

        Of several corrections the last one counts: each was calculated with those before it (D-101).
        """
        lines = sorted((line for some in self.lines.values() for line in some), key=_by_correction)
        for line in lines:
            if line.position is not None:
                holder = self.mergers.held_by(line.player_id)
                self.positions[holder] = Position.from_dict(line.position)
        shares = {}
        for player_id, position in self.positions.items():
            entry = self.entries.pop(player_id, None)
            if self.follows_import:
                position = self.positions[player_id] = position.after_import(entry)
            shares[player_id] = position.share(entry)
            corrected = position.corrected(entry)
            if corrected is not None:
                self.entries[player_id] = corrected
            self.pools[player_id] = [row.share for row in position.pool]
        return shares

    def _join(self, row: Merger) -> None:
        """Move the entry and pool of a merged ID to the person."""
        old, new = row.player_id, row.successor_id
        entry, pool = self.entries.get(old), self.pools.get(old, [])
        if entry is None and not pool:
            return
        row.is_dropped = are_both_rated(entry, self.entries.get(new))
        joined = joined_entry(entry, self.entries.get(new))
        if joined is not None:
            self.entries[new] = joined
        self.pools[new] = [*self.pools.get(new, []), *pool]
        self.joined.setdefault(self.mergers.person(old), []).append(old)

    def _lines_that_count(self) -> dict[int, list[CorrectionLine]]:
        """Return the lines by ID without those of a rating that is not continued; these are stored separately.

        A position of an ID that an earlier list merged gives its games and activity to the person.
        """
        dropped, found = self.mergers.all_dropped(), {}
        for key, lines in self.lines.items():
            is_persons = self.mergers.held_by(key) not in dropped
            kept = [
                line for line in lines if key not in dropped or (is_persons and line.position is not None)
            ]
            self.idle_lines += [line for line in lines if line not in kept]
            if kept:
                found[key] = kept
        return found

    def corrections_of(self, player_id: int) -> tuple[CorrectionShare, ...]:
        """Return the differences of corrections; lines without a position are added one by one."""
        lines = [line for line in self.lines.get(player_id, ()) if line.position is None]
        return (*self.shares.get(player_id, ()), *(share_of(line) for line in effective(lines)))

    def results(self) -> dict[int, PeriodResult]:
        """Return the results of all affected players, by FIDE ID."""
        merged = dict.fromkeys(self.merged_ids, MERGED_AWAY)
        return {player_id: calculate(self.period_of(player_id)) for player_id in self.player_ids} | merged

    def period_of(self, player_id: int) -> Period:
        """Return everything that the list knows of a player."""
        birth_year, barred = self.people[player_id]
        return Period(
            list_date=self.list_date,
            birth_year=birth_year,
            state=state_of(self.entries.get(player_id)),
            events=tuple(source.event for source in self.events.get(player_id, ())),
            pool=tuple(self.pools.get(player_id, ())),
            corrections=self.corrections_of(player_id),
            barred=barred,
            has_joined=player_id in self.joined,
            adoptions=self.adoptions,
        )


def gather(
    kind: str,
    list_date: date,
    previous: RatingList | None,
    ratings: Sequence[TournamentRating],
    adoptions: Adoptions,
    *,
    only: Collection[int] | None = None,
) -> Sources:
    """Return the sources of a list from the ratings of the reports that it adds.

    With `only`, results are only those of these FIDE IDs; corrections and mergers are always included.
    """
    mergers = mergers_of(kind, list_date, taken_by=None)
    sources = Sources(list_date, adoptions, mergers=mergers, follows_import=is_imported(previous))
    sources.events = _events(ratings, only=only)
    sources.lines = _pending_lines(kind)
    sources.load_players(partial(entries_of, previous), partial(open_pools, kind))
    sources.people = people_of(sources.player_ids, list_date)
    _add_outcomes(sources)
    return sources


def is_imported(rating_list: RatingList | None) -> bool:
    """Return whether a list exists and was imported from FIDE."""
    return rating_list is not None and rating_list.origin == Origin.IMPORTED


def _events(ratings: Sequence[TournamentRating], *, only: Collection[int] | None) -> dict[int, list[Source]]:
    tournaments = {rating.pk: rating.report.tournament for rating in ratings}
    events: dict[int, list[Source]] = defaultdict(list)
    for batch in batched(tournaments, BATCH):
        rows = ParticipantRating.objects.filter(
            tournament_rating__in=ids_subquery(batch), player__isnull=False
        )
        if only is not None:
            rows = rows.filter(player__in=ids_subquery(only))
        values = rows.order_by("pk").values_list(
            "pk",
            "player_id",
            "tournament_rating_id",
            "start_status",
            "start_rating",
            "start_k",
            "games",
            "half_points",
            "opponents_sum",
            "change_hundredths",
        )
        for pk, player_id, rating_id, status, rating, k, *sums in values.iterator(chunk_size=5_000):
            part = Participation(Standing(Status(status), rating, k), (), *sums)
            tournament = tournaments[rating_id]
            event = Event(tournament.event_id, tournament.start, tournament.end, part)
            events[player_id or 0].append(Source(pk, rating_id, event))
    return dict(events)


def _add_outcomes(sources: Sources) -> None:
    """Load the games of players who may be rated by another standing; for the others the sums suffice."""
    wanted = {
        source.row: (player_id, place)
        for player_id, of_player in sources.events.items()
        for place, source in enumerate(of_player)
        if _needs_outcomes(sources, player_id, source.event)
    }
    for batch in batched(sorted(wanted), BATCH):
        rows = ParticipantRating.objects.filter(pk__in=ids_subquery(batch)).values_list("pk", "outcomes")
        for pk, outcomes in rows:
            player_id, place = wanted[pk]
            source = sources.events[player_id][place]
            games = tuple(Outcome.from_row(outcome) for outcome in outcomes)
            part = source.event.participation._replace(outcomes=games)
            sources.events[player_id][place] = source._replace(
                event=source.event._replace(participation=part)
            )


def _needs_outcomes(sources: Sources, player_id: int, event: Event) -> bool:
    is_barred = bool(sources.people[player_id][1])
    own = own_standing(event, state_of(sources.entries.get(player_id)), sources.adoptions)
    if is_barred or own != event.participation.standing:
        return True
    rules = sources.adoptions.text_on(sources.list_date)
    return own.status is Status.UNRATED and may_be_void(rules, event, sources.list_date)


def is_rated_as_at_start(event: Event, state: State, adoptions: Adoptions) -> bool:
    """Return whether a player who is not barred is rated by the standing at the start: then the event's sums count."""
    own = own_standing(event, state, adoptions)
    return own.status is not Status.UNRATED and own == event.participation.standing


def _pending_lines(kind: str) -> dict[int, list[CorrectionLine]]:
    lines: dict[int, list[CorrectionLine]] = defaultdict(list)
    pending = CorrectionLine.objects.filter(taken_by=None, corrected_list__kind=kind)
    related = ("corrected_list", "correction__tournament", "participant_rating", "player")
    for line in pending.select_related(*related).order_by("corrected_list__date", "pk"):
        lines[line.player_id].append(line)
    return dict(lines)


def _by_correction(line: CorrectionLine) -> tuple[int, int]:
    return line.correction_id, line.pk


def entry_from(values: Sequence[Any]) -> Entry:
    """Return a stored entry, from its values in the order of `ENTRY_FIELDS`."""
    return Entry(EntryStatus(values[0]), *values[1:])


def entries_of(rating_list: RatingList | ListInForce | None, player_ids: Iterable[int]) -> dict[int, Entry]:
    """Return the entries of some players on a list, of any status."""
    found: dict[int, Entry] = {}
    if rating_list is None:
        return found
    for batch in batched(player_ids, BATCH):
        rows = ListEntry.objects.filter(rating_list=rating_list.pk, player__in=ids_subquery(batch))
        for player_id, *values in rows.values_list("player_id", *ENTRY_FIELDS):
            found[player_id] = entry_from(values)
    return found


def open_pools(kind: str, player_ids: Iterable[int]) -> Pools:
    """Return the events in the pools of unrated players, lapsed and disregarded ones too."""
    pools: Pools = defaultdict(list)
    for batch in batched(player_ids, BATCH):
        rows = PoolEvent.objects.filter(kind=kind, closed_by=None, player__in=ids_subquery(batch))
        for row in rows.select_related("tournament", "participant_rating"):
            pools[row.player_id].append(pool_share_of(row))
    return dict(pools)


def pool_share_of(row: PoolEvent) -> PoolShare:
    """Return a stored pool row as the period takes it."""
    tournament = row.tournament
    return PoolShare(
        tournament.event_id,
        tournament.start,
        row.former_end or tournament.end,
        *row.sums,
        is_disregarded=row.is_disregarded,
    )


def people_of(player_ids: Iterable[int], list_date: date) -> dict[int, tuple[int | None, str]]:
    """Return each player's year of birth, and the reason for which a list does not show them, if any."""
    unlisted = unlisted_codes(list_date)
    people: dict[int, tuple[int | None, str]] = {}
    for batch in batched(player_ids, BATCH):
        rows = Player.objects.filter(pk__in=ids_subquery(batch))
        for pk, birth_year, federation, died_on in rows.values_list(
            "pk", "birth_year", "federation_id", "died_on"
        ):
            people[pk] = (birth_year, bar_of(federation, died_on, list_date, unlisted))
    return people


def bar_of(federation: str, died_on: date | None, list_date: date, unlisted: frozenset[str]) -> str:
    """Return the reason key for which a list of that date does not show a player, empty where it does (9.1, 9.2)."""
    if died_on is not None and died_on < list_date:
        return DECEASED
    return EXCLUDED if federation in unlisted else ""
