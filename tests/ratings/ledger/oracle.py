"""The lists that follow from a world's facts, calculated anew for each list from the whole history.

It keeps nothing from one list to the next but the lists themselves, which are published and stay (D-11): the figures of
a list are the facts that it knows, recalculated from the first list on (D-110), and what earlier lists have shown.
Written from the regulations and `RULES` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from tests.ratings.ledger.facts import PLAYED, Event, Facts, Game, Merger, Person
from tests.ratings.ledger.regulations import (
    floor,
    initial_rating,
    is_rated,
    k_of_a_list,
    sum_of_changes,
)
from tests.ratings.systems.oracle_figures import rounded

LISTED, WITHHELD, UNRATED = "listed", "withheld", "unrated"
GONE = (DEAD, MERGED) = ("dead", "merged")


@dataclass(frozen=True, slots=True)
class Standing:
    """A player at the start of a tournament (7.2.1): rated on the list in force, by the standard list, or not."""

    rating: int | None = None
    k: int | None = None
    is_standard: bool = False


@dataclass(frozen=True, slots=True)
class Pooled:
    """An event of an unrated player, with at least one game against a rated opponent (rating, own half points)."""

    taken_by: date
    start: date
    end: date
    event_id: str
    text: str
    games: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class State:
    """What the history makes of a player by a list.

    `total` is the rating without the rounding of any list: the one that the player began with and every change since.
    `is_corrected`: corrections of earlier lists change the rating before, or only they give it.
    """

    rating: int | None = None
    total: Fraction = Fraction(0)
    is_corrected: bool = False
    completed: int = 0
    k: int | None = None
    pool: tuple[Pooled, ...] = ()
    games: int = 0
    last_played: date | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A player on a list as it was published."""

    status: str
    state: State
    is_inactive: bool = False

    @property
    def rating(self) -> int | None:
        return self.state.rating


@dataclass(frozen=True, slots=True)
class Recorded:
    """What an event counts for a player: games, wins and, of one who is rated, K and the sum of the changes."""

    games: int
    wins: int
    k: int | None = None
    changes: Fraction | None = None


Lists = Mapping[date, Mapping[int, Line]]
# The record that counts an event instead of the one that played it.
Late = Mapping[tuple[str, int], int]


def lists_of(facts: Facts) -> dict[date, dict[int, Line]]:
    """Return every published list by its date."""
    found: dict[date, dict[int, Line]] = {}
    for on in facts.published:
        found[on] = figures(facts, on, before=found)
    return found


def figures(facts: Facts, on: date, *, before: Lists) -> dict[int, Line]:
    """Return a list of a date: the lines of all players, those who are not listed included."""
    history = History(facts, on, before)
    return {person.fide_id: history.line(person) for person in facts.people}


def months_before(day: date, months: int) -> date:
    """Return the first day of the month that lies some months before the one of a day."""
    number = day.year * 12 + day.month - 1 - months
    return date(number // 12, number % 12 + 1, 1)


class History:
    """All lists up to one, recalculated by the facts that it knows."""

    def __init__(self, facts: Facts, on: date, before: Lists, late: Late | None = None) -> None:
        self.facts, self.on, self.before = facts, on, before
        self.base = max(facts.imported)
        self.dates = [day for day in facts.published if day <= on]
        self.mergers = [item for item in facts.mergers if item.since <= on]
        self._states: dict[tuple[int, date], State] = {}
        self._standings: dict[tuple[int, date], Standing] = {}
        # Whose rating is not continued: the other one had a rating, too.
        self.dropped: set[int] = set()
        self.late = self._late_events() if late is None else late

    # What the list knows -------------------------------------------------------------------------------------------

    def line(self, person: Person) -> Line:
        fide_id = person.fide_id
        if any(item.old == fide_id for item in self.mergers):
            return Line(MERGED, State())
        if self.is_dead(fide_id):
            return Line(DEAD, State())
        state = self.state(fide_id, self.on)
        if state.rating is None:
            return Line(UNRATED, state)
        is_inactive = state.last_played is None or state.last_played < months_before(self.on, 11)
        return Line(WITHHELD if self.is_excluded(fide_id, self.on) else LISTED, state, is_inactive)

    def is_dead(self, fide_id: int) -> bool:
        """Return whether a person died before the date of the list (D-19)."""
        known = [item.day for item in self.facts.deaths if item.fide_id == fide_id and item.since <= self.on]
        return bool(known) and known[-1] is not None and known[-1] < self.on

    def is_excluded(self, fide_id: int, day: date) -> bool:
        federation = self.person(fide_id).federation
        newest = {}
        for item in self.facts.exclusions:
            if item.federation == federation and item.since <= self.on:
                newest[item.first] = item
        return any(item.first <= day and (item.until is None or day < item.until) for item in newest.values())

    def person(self, fide_id: int) -> Person:
        return next(person for person in self.facts.people if person.fide_id == fide_id)

    def ids(self, fide_id: int, day: date) -> set[int]:
        """Return all FIDE IDs of a person by a list."""
        found = {fide_id}
        for item in self.mergers:
            if item.new == fide_id and item.since <= day:
                found |= self.ids(item.old, day)
        return found

    def _successor(self, fide_id: int) -> int:
        return next(item.new for item in self.mergers if item.old == fide_id)

    def text(self, day: date) -> str:
        return max(item for item in self.facts.adopted if item[0] <= day)[1]

    def games(self, event: Event) -> list[Game]:
        """Return the games of an event that are rated as far as the report tells (4.1, D-100)."""
        reports = [report for report in event.reports if report.since <= self.on]
        marks = {mark.pair: mark.is_rated for mark in event.marks if mark.since <= self.on}
        return [
            game
            for game in (reports[-1].games if reports else ())
            if game.result in PLAYED and marks.get(game.pair, True)
        ]

    def _late_events(self) -> Late:
        """Return the events in the pool of an unrated record that is merged with a rated one, with the rated one.

        They are a rated player's on the list that took them (7.2.5, D-110), and so is what was played under the other
        of two ratings while they stood beside each other, at most 12 lists back (D-141).
        """
        apart, found = History(self.facts, self.on, self.before, late={}), {}
        for item in self.mergers:
            former = self._before(item.since)
            states = {fide_id: apart.state(fide_id, former) for fide_id in (item.old, item.new)}
            rated = [fide_id for fide_id, state in states.items() if state.rating is not None]
            if len(rated) == 2:
                self.dropped.add(item.old)
                beside = list(self._lists_beside(apart, item))
                ids = self.ids(item.old, former)
                played = [event.event_id for event in self.facts.events if event.taken_by in beside]
                found |= {(event_id, one): item.new for event_id in played for one in ids}
            if len(rated) != 1:
                continue
            for fide_id, state in states.items():
                ids = self.ids(fide_id, former)
                found |= {(one.event_id, played): rated[0] for one in state.pool for played in ids}
        return found

    def _lists_beside(self, apart: History, item: Merger) -> Iterator[date]:
        for day in [day for day in reversed(self.dates) if day < item.since][:12]:
            before = self._before(day)
            if any(apart.state(fide_id, before).rating is None for fide_id in (item.old, item.new)):
                return
            yield day

    # Standings at the start ----------------------------------------------------------------------------------------

    def standing(self, fide_id: int, start: date) -> Standing:
        """Return rating and K at the start of a tournament, from the lists as they were published (D-1)."""
        if (fide_id, start) not in self._standings:
            self._standings[fide_id, start] = self._standing(fide_id, start)
        return self._standings[fide_id, start]

    def _standing(self, fide_id: int, start: date) -> Standing:
        in_force = max(day for day in (*self.facts.imported, *self.dates) if day <= start)
        if in_force in self.facts.imported:
            entry = self.facts.imported[in_force].get(fide_id)
            if entry:
                return Standing(entry.rating, entry.k)
        elif (line := self.before[in_force][fide_id]).status == LISTED:
            return Standing(line.state.rating, line.state.k)
        if in_force in self.dates and self.before[in_force][fide_id].status == MERGED:
            # A merged ID is still named: on that list the person has the one that stays.
            return self.standing(self._successor(fide_id), start)
        if self.is_excluded(fide_id, in_force):
            # 9.1: unrated on the list in force, whatever a standard list says.
            return Standing()
        known = [item for item in self.facts.standard if item.on <= start and item.since <= self.on]
        newest = max(known, key=lambda item: item.on, default=None)
        if newest is None or fide_id not in newest.ratings:
            return Standing()
        k = k_of_a_list(
            self.text(start),
            year=start.year,
            birth_year=self.person(fide_id).birth_year,
            completed=0,
            has_2300=False,
            has_2400=False,
        )
        return Standing(newest.ratings[fide_id], k, is_standard=True)

    def counted(self, event: Event, ids: set[int]) -> tuple[Standing, list[tuple[int, int]]]:
        """Return a person's standing in an event, and the games that count: opponent's rating and own half points."""
        found, own = [], Standing()
        text = self.text(event.start)
        for game in self.games(event):
            for fide_id, other, half_points in (
                (game.white, game.black, PLAYED[game.result][0]),
                (game.black, game.white, PLAYED[game.result][1]),
            ):
                if fide_id not in ids:
                    continue
                own, opponent = self.standing(fide_id, event.start), self.standing(other, event.start)
                # A match with an unrated player is not rated (5.1).
                if opponent.rating is None or (event.is_match and own.rating is None):
                    continue
                if own.rating is None or is_rated(text, own.rating, opponent.rating):
                    found.append((opponent.rating, half_points))
        return own, found

    # The history of a player ---------------------------------------------------------------------------------------

    def state(self, fide_id: int, day: date) -> State:
        if (fide_id, day) not in self._states:
            self._states[fide_id, day] = self._state(fide_id, day)
        return self._states[fide_id, day]

    def _state(self, fide_id: int, day: date) -> State:
        return self._imported(fide_id) if day == self.base else self._step(fide_id, day).result()

    def record(self, fide_id: int, event: Event) -> Recorded | None:
        """Return what an event counts for a FIDE ID on the list that took it, None where nothing does."""
        return dict(self._step(fide_id, event.taken_by).record()).get(event.event_id)

    def _step(self, fide_id: int, day: date) -> Step:
        former = self._before(day)
        own, shown = self.state(fide_id, former), self._shown(fide_id, former)
        is_joined = False
        for item in self.mergers:
            if item.new == fide_id and item.since == day:
                old = self.state(item.old, former)
                if item.old in self.dropped:
                    old = State(completed=old.completed, last_played=old.last_played)
                if own.rating is None and old.rating is not None:
                    shown = self._shown(item.old, former)
                own, is_joined = join(own, old), True
        return Step(self, fide_id, day, own, shown, is_joined=is_joined)

    def _before(self, day: date) -> date:
        return max((item for item in self.dates if item < day), default=self.base)

    def _imported(self, fide_id: int) -> State:
        """Return what is inferred from an imported list (D-12)."""
        entry = self.facts.imported[self.base].get(fide_id)
        if entry is None:
            return State()
        year = self.person(fide_id).birth_year
        is_junior = year is not None and self.base.year <= year + 18 and entry.rating < 2300
        completed = 0 if entry.k == 40 and not is_junior else 30
        return State(
            rating=entry.rating,
            total=Fraction(entry.rating),
            completed=completed,
            k=entry.k,
            last_played=None if entry.is_inactive else self.base,
        )

    def _shown(self, fide_id: int, day: date) -> State | None:
        """Return what a list showed of a rated player, or kept during an exclusion; None: nothing."""
        if day == self.base:
            return self._imported(fide_id) if fide_id in self.facts.imported[day] else None
        line = self.before[day][fide_id]
        return line.state if line.status in (LISTED, WITHHELD) else None

    def peak(self, fide_id: int, day: date) -> int:
        """Return the highest rating that lists have shown by a day, as far as it matters to K (D-12, D-112)."""
        found = [0]
        for one in self.ids(fide_id, day):
            for on, entries in self.facts.imported.items():
                if on <= day and (entry := entries.get(one)):
                    found += [entry.rating, self._implied_peak(one, on)]
            lines = (lines[one] for on, lines in self.before.items() if on <= day and on < self.on)
            found += [line.state.rating or 0 for line in lines if line.status == LISTED]
        return max(found)

    def _implied_peak(self, fide_id: int, on: date) -> int:
        """Return what the K of an imported list tells: 2400 by K 10, 2300 of a junior under it who has no K 40."""
        entry, year = self.facts.imported[on][fide_id], self.person(fide_id).birth_year
        if entry.k == 10:
            return 2400
        return 2300 if year is not None and on.year <= year + 18 and entry.k == 20 else 0


@dataclass(frozen=True, slots=True)
class Played:
    """An event on a list: how the player is rated in it, and the games that count."""

    event: Event
    text: str
    own: Standing
    games: tuple[tuple[int, int], ...]


class Step:
    """One player on one list: from the state before it, and what the list before showed, to the state after it."""

    def __init__(
        self,
        history: History,
        fide_id: int,
        day: date,
        own: State,
        shown: State | None,
        *,
        is_joined: bool,
    ) -> None:
        self.history, self.fide_id, self.day, self.own, self.shown = history, fide_id, day, own, shown
        self.is_joined = is_joined
        self.floor = floor(history.text(day))
        self.played = list(self._played())

    def _played(self) -> Iterator[Played]:
        """Yield the events of the list with games that count; none that began in an exclusion (D-143)."""
        history = self.history
        for event in history.facts.events:
            if event.taken_by != self.day:
                continue
            if history.is_excluded(self.fide_id, event.start):
                continue
            own, games = history.counted(event, self._ids_in(event))
            if games:
                yield Played(event, history.text(event.start), own, tuple(games))

    def _ids_in(self, event: Event) -> set[int]:
        """Return the IDs whose games in an event are the player's."""
        ids, late = self.history.ids(self.fide_id, self.day), self.history.late
        kept = {played for played in ids if late.get((event.event_id, played), self.fide_id) == self.fide_id}
        return kept | {
            played for (one, played), rated in late.items() if (one, rated) == (event.event_id, self.fide_id)
        }

    def result(self) -> State:
        found = self._of_rated() if self.own.rating is not None else self._of_unrated()
        # 6.2.1 is about players who would be on the list: a rating that is kept in an exclusion waits (9.1).
        is_on_list = not self.history.is_excluded(self.fide_id, self.day)
        if found.rating is not None and found.rating < self.floor and is_on_list:
            found = State(games=found.games, last_played=found.last_played)
        return replace(found, k=self._k(found)) if found.rating is not None else found

    def record(self) -> Iterator[tuple[str, Recorded]]:
        """Yield the events that count, none that is disregarded (7.2.2), with the K of one who is rated."""
        is_rated = self.own.rating is not None
        rated = [item for item in self.played if is_rated or item.own.is_standard]
        pooled = [self._pooled(item) for item in self.played if item not in rated]
        pool = sorted((*self.own.pool, *pooled), key=_order)
        new = [item for item in _counted(pool, months_before(self.day, 26)) if item.taken_by == self.day]
        counted = {item.event_id for item in new}
        # Games of a pool count on the list only where they make the initial rating.
        games = _games(self.played) if is_rated else self._of_unrated().games
        for item in self.played:
            wins = sum(half_points == 2 for _, half_points in item.games)
            if item in rated:
                k, changes = self._k_used(item, games)
                yield item.event.event_id, Recorded(len(item.games), wins, k, changes)
            elif item.event.event_id in counted:
                yield item.event.event_id, Recorded(len(item.games), wins)

    def _of_rated(self) -> State:
        """Return the rating before and the rounded change (7.3.4); the change holds what the lists owe (D-11)."""
        own, games = self.own, _games(self.played)
        change = self._change(self.played, games)
        assert own.rating is not None
        if self.shown is not None and self.shown.rating is not None:
            owed = own.total - self.shown.total
            rating, is_corrected = self.shown.rating + rounded(owed + change), owed != 0
        else:
            rating, is_corrected = own.rating + rounded(change), True
        return State(
            rating=rating,
            total=own.total + change,
            is_corrected=is_corrected,
            completed=own.completed + games,
            games=games,
            last_played=self._last_played(games),
        )

    def _of_unrated(self) -> State:
        """Return an initial rating (7.2), one from the standard rating (7.2.1, D-5, D-113), or the pool."""
        by_standard = [item for item in self.played if item.own.is_standard]
        added = [self._pooled(item) for item in self.played if not item.own.is_standard]
        pool = tuple(sorted((*self.own.pool, *added), key=_order))
        counted = _counted(pool, months_before(self.day, 26))
        new = [item for item in counted if item.taken_by == self.day]
        initial = self._initial(counted) if new or self.is_joined or by_standard else None
        if initial is not None:
            base, games = initial, _games(new) + _games(by_standard)
            completed = _games(counted) + _games(by_standard)
        elif by_standard:
            first = min(by_standard, key=lambda item: (item.event.start, item.event.end, item.event.event_id))
            assert first.own.rating is not None
            base = first.own.rating
            games = completed = _games(by_standard)
        else:
            games = _games(new)
            return State(pool=pool, games=games, last_played=self._last_played(games))
        change = self._change(by_standard, games)
        return State(
            rating=base + rounded(change),
            total=base + change,
            completed=completed,
            games=games,
            last_played=self._last_played(games),
        )

    def _pooled(self, item: Played) -> Pooled:
        event = item.event
        return Pooled(self.day, event.start, event.end, event.event_id, item.text, item.games)

    def _initial(self, counted: Iterable[Pooled]) -> int | None:
        """Return the initial rating of a pool; None: fewer than 5 games, or under the floor (6.1.4)."""
        counted = list(counted)
        games = [game for item in counted for game in item.games]
        if len(games) < 5:
            return None
        newest = max(counted, key=lambda item: item.start)
        found = initial_rating(newest.text, games)
        return found if found >= self.floor else None

    def _change(self, played: Iterable[Played], games: int) -> Fraction:
        """Return the unrounded change: K times the changes of each tournament, K times games at most 700 (7.3.3)."""
        return sum(
            (k * changes for k, changes in (self._k_used(item, games) for item in played)), Fraction(0)
        )

    def _k_used(self, item: Played, games: int) -> tuple[int, Fraction]:
        rating, k = item.own.rating, item.own.k
        if rating is None:
            # 7.2.5: unrated at the start, rated on the list before.
            rating, k = self.own.rating, self.own.k
        assert rating is not None
        assert k is not None
        k = 20 if item.text == "2022" else k
        return min(k, 700 // games), sum_of_changes(item.text, rating, item.games)

    def _last_played(self, games: int) -> date | None:
        return self.day if games else self.own.last_played

    def _k(self, found: State) -> int:
        history = self.history
        peak = history.peak(self.fide_id, self.day)
        if self.day == history.on and not history.is_excluded(self.fide_id, self.day):
            peak = max(peak, found.rating or 0)
        return k_of_a_list(
            history.text(self.day),
            year=self.day.year,
            birth_year=history.person(self.fide_id).birth_year,
            completed=found.completed,
            has_2300=peak >= 2300,
            has_2400=peak >= 2400,
        )


def join(own: State, old: State) -> State:
    """Return what is known of a person whose two records are merged; the rating of the one that stays stands."""
    dates = [day for day in (own.last_played, old.last_played) if day]
    last_played = max(dates, default=None)
    completed = own.completed + old.completed
    if own.rating is None and old.rating is None:
        pool = tuple(sorted((*own.pool, *old.pool), key=_order))
        return State(pool=pool, last_played=last_played)
    stays = own if own.rating is not None else old
    return replace(stays, completed=completed, pool=(), last_played=last_played)


def _games(items: Iterable[Played] | Iterable[Pooled]) -> int:
    return sum(len(item.games) for item in items)


def _order(item: Pooled) -> tuple[date, date, date, str]:
    return item.taken_by, item.start, item.end, item.event_id


def _counted(pool: Iterable[Pooled], since: date) -> list[Pooled]:
    """Return the events that an initial rating is made of: of 26 months, without a first one of no points (7.2.2)."""
    pool = list(pool)
    if pool and not any(half_points for _, half_points in pool[0].games):
        pool = pool[1:]
    return [item for item in pool if item.start >= since]
