"""The engine driven through a federation's months: what the portal keeps in its database is kept here in dicts."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from random import Random

import msgspec

from ratings.systems.otb.listing import (
    DECEASED,
    EntryFigures,
    EntryStatus,
    Listing,
    carried_over,
    entry_after,
    imported_entry,
    state_of,
)
from ratings.systems.otb.period import EXCLUDED, Period, PeriodResult, calculate
from ratings.systems.otb.tournament import GameConditions, rate_tournament
from ratings.systems.otb.values import (
    UNRATED,
    Event,
    KFactor,
    Participation,
    PoolShare,
    ReportedGame,
    Status,
    StatusAtStart,
)
from ratings.systems.registry import SHIPPED
from tests.ratings.systems.federations import Contest, Federation, Person


class EngineLists:
    """The lists of a federation by the engine, all made on construction; events and pools come in any order."""

    def __init__(self, federation: Federation, *, shuffle: Random) -> None:
        self.federation = federation
        self.shuffle = shuffle
        self.people = {person.number: person for person in federation.people}
        self.lists: dict[date, dict[int, EntryFigures]] = {federation.imported_on: _imported(federation)}
        self.results: dict[tuple[date, int], PeriodResult] = {}
        self.pools: dict[int, list[PoolShare]] = {person.number: [] for person in federation.people}
        for day in federation.list_dates:
            self.lists[day] = self._published(day, previous=self.lists[max(self.lists)])

    def _published(self, day: date, *, previous: dict[int, EntryFigures]) -> dict[int, EntryFigures]:
        active_lists = SHIPPED.text_on(day).active_lists
        listing = Listing(day, sorted((*self.lists, day))[-active_lists:][0])
        events = self._events_of(day)
        entries: dict[int, EntryFigures] = {}
        for number, person in self.people.items():
            known, barred = previous.get(number), _bar(person, day)
            if number in events:
                result = self._calculated(day, person, known, tuple(events[number]), barred)
                entry = entry_after(result, known, listing, birth_year=person.birth_year, barred=barred)
            elif known is not None:
                entry = carried_over(known, listing, birth_year=person.birth_year, barred=barred)
            else:
                entry = None
            if entry is not None:
                entries[number] = entry
        return entries

    def _calculated(
        self, day: date, person: Person, known: EntryFigures | None, events: tuple[Event, ...], barred: str
    ) -> PeriodResult:
        pool = self.pools[person.number]
        self.shuffle.shuffle(pool)
        period = Period(
            day,
            person.birth_year,
            state_of(known),
            events,
            tuple(pool),
            barred=barred,
            void=_exclusion_of(person) if barred in ("", EXCLUDED) else (),
        )
        result = calculate(period)
        self.pools[person.number] = [] if result.closes_pool else [*pool, *result.shares]
        self.results[day, person.number] = result
        return result

    def _events_of(self, day: date) -> dict[int, list[Event]]:
        events: dict[int, list[Event]] = defaultdict(list)
        contests = [contest for contest in self.federation.contests if contest.list_date == day]
        for contest in self.shuffle.sample(contests, len(contests)):
            for number, part in self._rated(contest).items():
                events[number].append(Event(contest.event_id, contest.start, contest.end, _stored(part)))
        return events

    def _rated(self, contest: Contest) -> dict[int, Participation]:
        conditions = GameConditions(
            rounds=contest.rounds,
            is_match=contest.is_match,
            has_waiver=contest.has_waiver,
            has_unequal_times=contest.has_unequal_times,
        )
        games = [ReportedGame(*pairing) for pairing in contest.games]
        self.shuffle.shuffle(games)
        standings = {number: self._standing(self.people[number], contest.start) for number in contest.players}
        return rate_tournament(SHIPPED.text_on(contest.start), conditions, games, standings)

    def _standing(self, person: Person, start: date) -> StatusAtStart:
        rules = SHIPPED.text_on(start)
        own = max((day for day in self.lists if day <= start), default=None)
        entry = self.lists[own].get(person.number) if own else None
        if entry is not None and entry.status is EntryStatus.LISTED:
            return StatusAtStart(
                Status.RATED, entry.rating, *rules.tournament_k(KFactor(entry.k or 0, entry.k_reason))
            )
        standard = max((day for day in self.federation.standard_dates if day <= start), default=start)
        if standard not in person.standard or _bar(person, own or start) == EXCLUDED:
            return UNRATED
        return StatusAtStart(
            Status.STANDARD, person.standard[standard], *rules.standard_k(person.birth_year, start)
        )


def _imported(federation: Federation) -> dict[int, EntryFigures]:
    return {
        person.number: imported_entry(
            rating=person.rating,
            games=0,
            k=person.k,
            birth_year=person.birth_year,
            is_inactive=person.is_inactive,
            on=federation.imported_on,
        )
        for person in federation.people
        if person.rating is not None
    }


def _stored(part: Participation) -> Participation:
    """Return a participation as it comes back from the database."""
    kept: Participation = msgspec.json.decode(msgspec.json.encode(part), type=Participation)
    return kept


def _bar(person: Person, day: date) -> str:
    if person.died_on is not None and person.died_on < day:
        return DECEASED
    if person.excluded_from is None or day < person.excluded_from:
        return ""
    return EXCLUDED if person.excluded_until is None or day < person.excluded_until else ""


def _exclusion_of(person: Person) -> tuple[tuple[date, date], ...]:
    """What begins in an exclusion counts for nothing for ever (D-143)."""
    return ((person.excluded_from, person.excluded_until or date.max),) if person.excluded_from else ()
