"""Random worlds: people, and what is done day by day; what is known to a list follows from the days.

A world is a list of acts in the order in which they are entered. `facts_of` says what the oracle may know of it,
`tests.ratings.ledger.portal` enters it into the portal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random

from tests.ratings.ledger.facts import (
    PLAYED,
    SHIPPED,
    Death,
    Event,
    Exclusion,
    Facts,
    Game,
    Imported,
    Mark,
    Merger,
    Person,
    Report,
    StandardList,
)

HOST = "SUI"
ELSEWHERE = ("FRA", "GER")


@dataclass(frozen=True, slots=True)
class Act:
    """Something that is done on a day; the kinds of it are below."""

    day: date


@dataclass(frozen=True, slots=True)
class Publish(Act):
    on: date


@dataclass(frozen=True, slots=True)
class Submit(Act):
    """A report that is submitted and accepted."""

    event_id: str
    start: date
    end: date
    games: tuple[Game, ...]


@dataclass(frozen=True, slots=True)
class Correct(Act):
    """A published report replaced by another one, or (no games) withdrawn."""

    event_id: str
    games: tuple[Game, ...]


@dataclass(frozen=True, slots=True)
class Decide(Act):
    """A game marked as not rated, or rated again."""

    event_id: str
    pair: tuple[int, int, int]
    is_rated: bool


@dataclass(frozen=True, slots=True)
class Die(Act):
    """A death recorded, or (no day) undone."""

    fide_id: int
    died_on: date | None


@dataclass(frozen=True, slots=True)
class Exclude(Act):
    federation: str
    first: date
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Merge(Act):
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class ImportStandard(Act):
    on: date
    ratings: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class World:
    people: tuple[Person, ...]
    imported: tuple[tuple[date, tuple[tuple[int, Imported], ...]], ...]
    acts: tuple[Act, ...]
    adopted: tuple[tuple[date, str], ...] = SHIPPED

    @property
    def published(self) -> tuple[date, ...]:
        return tuple(act.on for act in self.acts if isinstance(act, Publish))


def next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=31)).replace(day=1)


def is_in_time(act: Submit, on: date) -> bool:
    """Return whether a list takes a report: accepted by its date, of an event that ended three days before it."""
    return act.day <= on and act.end <= on - timedelta(days=3)


def facts_of(world: World) -> Facts:
    """Return the facts of a world: each act is known to the first list that is published after it."""
    events: dict[str, Event] = {}
    standard: list[StandardList] = []
    deaths: list[Death] = []
    exclusions: list[Exclusion] = []
    mergers: list[Merger] = []
    dates = list(world.published)
    for act in world.acts:
        since = dates[0] if dates else date.max
        match act:
            case Publish():
                assert act.on == dates.pop(0)
            case Submit():
                taken_by = next((day for day in dates if is_in_time(act, day)), date.max)
                first = (Report(taken_by, act.games),)
                events[act.event_id] = Event(act.event_id, act.start, act.end, taken_by, first)
            case Correct():
                event = events[act.event_id]
                reports = (*event.reports, Report(since, act.games))
                events[act.event_id] = replace(event, reports=reports)
            case Decide():
                event = events[act.event_id]
                mark = Mark(max(since, event.taken_by), act.pair, act.is_rated)
                events[act.event_id] = replace(event, marks=(*event.marks, mark))
            case Die():
                deaths.append(Death(since, act.fide_id, act.died_on))
            case Exclude():
                exclusions.append(Exclusion(since, act.federation, act.first, act.until))
            case Merge():
                mergers.append(Merger(since, act.old, act.new))
            case ImportStandard():
                standard.append(StandardList(act.on, since, dict(act.ratings)))
    return Facts(
        people=world.people,
        imported={on: dict(entries) for on, entries in world.imported},
        published=world.published,
        events=tuple(event for event in events.values() if event.taken_by != date.max),
        standard=tuple(standard),
        deaths=tuple(deaths),
        exclusions=tuple(exclusions),
        mergers=tuple(mergers),
        adopted=world.adopted,
    )


# Making worlds -----------------------------------------------------------------------------------------------------

RESULTS = ("1-0", "0-1", "1/2", "1-0", "0-1", "+-", "-+")
# Ratings and years of birth: under the floor's edge, juniors at 2300, at the edge of 2400, and the many in between.
RATED = (
    (1001, 2404, 1975), (1002, 2390, 1990), (1003, 2291, 2009), (1004, 2015, 2008), (1005, 1902, 1980),
    (1006, 1810, None), (1007, 1655, 1960), (1008, 1425, 2012), (1009, 1411, 1999), (1010, 1403, 1985),
)  # fmt: skip
UNRATED = ((1021, 1980), (1022, 2010), (1023, 1995), (1024, 2001), (1025, 1970))
# Second records of persons: of a rated one, of a low one, of two who have none; and one that has a rating, too.
TWIN_WITH_A_RATING = 1035
TWINS = {1031: 1004, 1032: 1009, 1033: 1021, 1034: 1022, TWIN_WITH_A_RATING: 1005}


@dataclass(slots=True)
class Maker:
    """Makes one world from a seed, month by month: first what is done to what was published, then what is played."""

    random: Random
    first: date
    amended: date | None = None
    lists: int = 7
    events_a_month: tuple[int, ...] = (1, 2, 3)
    players: tuple[int, int] = (3, 5)
    earlier: date | None = None
    acts: list[Act] = field(default_factory=list)
    events: dict[str, Submit] = field(default_factory=dict)
    standing: dict[str, tuple[Game, ...]] = field(default_factory=dict)
    published: dict[date, date] = field(default_factory=dict)
    excluded: dict[str, date] = field(default_factory=dict)
    marked: set[tuple[str, tuple[int, int, int]]] = field(default_factory=set)
    merged: dict[int, date] = field(default_factory=dict)
    people: tuple[Person, ...] = ()
    ratings: dict[int, Imported] = field(default_factory=dict)

    def world(self) -> World:
        self._people()
        month = self.first
        months = []
        for _ in range(self.lists):
            months.append(month)
            month = next_month(month)
            delay = self.random.choice((0, 0, 0, 0, 2, 9))
            self.published[month] = month + timedelta(days=delay)
        if self.earlier:
            # On the list in force then everybody was two points lower.
            self.acts.append(self._submit(self.earlier, 0))
        for month in months:
            self._month(month)
        publications = [Publish(day, on) for on, day in self.published.items()]
        # What is done on the day of a publication comes before it.
        acts = sorted((*self.acts, *publications), key=lambda act: (act.day, isinstance(act, Publish)))
        lists = {self.first: self.ratings}
        if self.earlier:
            lists[self.earlier] = {
                fide_id: replace(item, rating=item.rating - 2) for fide_id, item in self.ratings.items()
            }
        imported = tuple((on, tuple(entries.items())) for on, entries in sorted(lists.items()))
        amendment = ((self.amended, "2024-12"),) if self.amended else ()
        return World(self.people, imported, tuple(acts), (*SHIPPED, *amendment))

    def _people(self) -> None:
        random = self.random
        is_new_text = self.first >= date(2024, 1, 1)
        found = []
        for fide_id, rating, year in RATED:
            if self.amended and rating > 2300:
                # 7.3.1 as amended is about players above 2600.
                rating += 260
            federation = random.choice((HOST, HOST, *ELSEWHERE))
            found.append(Person(fide_id, federation, year))
            k = 20
            if is_new_text:
                is_junior = year is not None and self.first.year <= year + 18 and rating < 2300
                k = 10 if rating >= 2400 else 40 if is_junior else random.choice((20, 20, 40))
            shown = rating + random.randint(-3, 3)
            self.ratings[fide_id] = Imported(shown, k, random.random() < 0.1)
        found += [Person(fide_id, random.choice((HOST, *ELSEWHERE)), year) for fide_id, year in UNRATED]
        by_id = {person.fide_id: person for person in found}
        found += [replace(by_id[person], fide_id=twin) for twin, person in TWINS.items()]
        if random.random() < 0.5:
            self.ratings[TWIN_WITH_A_RATING] = Imported(random.randint(1700, 2000), 20)
        self.people = tuple(found)

    def _month(self, month: date) -> None:
        random = self.random
        if month != self.first:
            days = sorted(random.randint(1, 27) for _ in range(random.choice((0, 1, 1, 2, 3))))
            for day in days:
                if act := self._change(month + timedelta(days=day)):
                    self.acts.append(act)
        for number in range(random.choice(self.events_a_month)):
            self.acts.append(self._submit(month, number))
        if random.random() < 0.25:
            self.acts.append(self._standard(month))

    def _taken(self, day: date) -> list[str]:
        """Return the events that are published by a day."""
        found = []
        for event_id, act in self.events.items():
            taken_by = next((on for on in self.published if is_in_time(act, on)), date.max)
            if self.published.get(taken_by, date.max) < day:
                found.append(event_id)
        return found

    def _submit(self, month: date, number: int) -> Submit:
        random = self.random
        start = month + timedelta(days=random.choice((3, 7, 10, 14, 18, 21, 26, 28)) + number % 2)
        end = start + timedelta(days=random.choice((0, 1, 1, 4)))
        day = end + timedelta(days=random.choice((1, 1, 2, 5, 5, 30, 45)))
        event_id = f"W{month:%y%m}-{number}"
        act = Submit(day, event_id, start, end, tuple(self._games(self._players(end, day))))
        self.events[event_id], self.standing[event_id] = act, act.games
        return act

    def _players(self, end: date, day: date) -> list[int]:
        """Draw who plays in an event that ends and is reported on these days: nobody who is dead by then."""
        random = self.random
        rated = random.sample([fide_id for fide_id, *_ in RATED], random.randint(*self.players))
        unrated = random.sample([fide_id for fide_id, _ in UNRATED], random.randint(1, 3))
        second = {person: twin for twin, person in TWINS.items()}
        # A report may name a FIDE ID that was merged meanwhile, or long ago.
        alive = [
            second[fide_id] if fide_id in second and random.random() < 0.4 else fide_id
            for fide_id in (*rated, *unrated)
            if not self._is_dead(fide_id, end, day)
        ]
        return alive if len(alive) > 1 else self._players(end, day)

    def _is_dead(self, fide_id: int, end: date, day: date) -> bool:
        """Return whether a death before the end of an event is known when it is reported, or soon after."""
        deaths = [act for act in self.acts if isinstance(act, Die) and act.fide_id == fide_id]
        return any(
            act.died_on is not None
            and act.died_on <= end
            and not any(later.died_on is None and act.day < later.day < day for later in deaths)
            for act in deaths
        )

    def _games(self, ids: Sequence[int]) -> Iterator[Game]:
        """Yield rounds of random pairings."""
        strong = {fide_id: self.random.random() for fide_id in ids}
        for number in range(1, self.random.randint(3, 7) + 1):
            order = self.random.sample(ids, len(ids))
            for white, black in zip(order[::2], order[1::2], strict=False):
                yield Game(number, white, black, self._result(strong[white], strong[black]))

    def _result(self, white: float, black: float) -> str:
        drawn = self.random.random()
        if drawn < 0.08:
            return self.random.choice(("+-", "-+"))
        if drawn < 0.25:
            return "1/2"
        is_white_better = (white > black) == (self.random.random() < 0.85)
        return "1-0" if is_white_better else "0-1"

    def _standard(self, month: date) -> ImportStandard:
        """Bring a standard list in, in time or late: who was on the one before has another rating, others come new."""
        random = self.random
        day = month + timedelta(days=random.choice((0, 1, 15, 36, 66)))
        former = [act for act in self.acts if isinstance(act, ImportStandard)]
        ratings = (
            {fide_id: rating + random.randint(-9, 9) for fide_id, rating in former[-1].ratings}
            if former
            else {}
        )
        for fide_id in random.sample([fide_id for fide_id, *_ in (*UNRATED, *RATED)], 3):
            ratings.setdefault(fide_id, random.randint(1400, 2000))
        return ImportStandard(day, month, tuple(sorted(ratings.items())))

    # What is done to what is published -----------------------------------------------------------------------------

    def _change(self, day: date) -> Act | None:
        kinds = (
            self._correct,
            self._correct,
            self._correct,
            self._decide,
            self._die,
            self._exclude,
            self._merge,
        )
        return self.random.choice(kinds)(day)

    def _correct(self, day: date) -> Act | None:
        """Withdraw a report, change some results, or give back what it was at first."""
        random, taken = self.random, self._taken(day)
        if not taken:
            return None
        event_id = random.choice(taken)
        before, original = self.standing[event_id], self.events[event_id].games
        choice = random.choice(("change", "change", "withdraw", "restore"))
        games: tuple[Game, ...] = original
        if choice == "withdraw" and before:
            games = ()
        elif choice == "change" or games == before:
            games = tuple(
                replace(game, result=random.choice(RESULTS)) if random.random() < 0.4 else game
                for game in before or original
            )
        if games == before:
            return None
        self.standing[event_id] = games
        return Correct(day, event_id, games)

    def _decide(self, day: date) -> Act | None:
        """Mark a game that was played, or let one that is marked count again."""
        taken = [event_id for event_id in self._taken(day) if self.standing[event_id]]
        games = [
            (event_id, game.pair)
            for event_id in taken
            for game in self.standing[event_id]
            if game.result in PLAYED
        ]
        # A mark of what has become a forfeit since stays with the pair.
        marked = sorted(self.marked.intersection(games))
        if marked and self.random.random() < 0.5:
            event_id, pair = self.random.choice(marked)
            self.marked.remove((event_id, pair))
            return Decide(day, event_id, pair, is_rated=True)
        others = [item for item in games if item not in self.marked]
        if not others:
            return None
        event_id, pair = self.random.choice(others)
        self.marked.add((event_id, pair))
        return Decide(day, event_id, pair, is_rated=False)

    def _die(self, day: date) -> Act | None:
        deaths = {act.fide_id: act.died_on for act in self.acts if isinstance(act, Die)}
        dead = sorted(fide_id for fide_id, died_on in deaths.items() if died_on)
        if dead and self.random.random() < 0.7:
            return Die(day, self.random.choice(dead), None)
        died_on = day - timedelta(days=self.random.choice((2, 2, 40)))
        playing = {
            TWINS.get(fide_id, fide_id)
            for act in self.events.values()
            if act.end >= died_on
            for game in act.games
            for fide_id in (game.white, game.black)
        }
        alive = {fide_id for fide_id, *_ in (*RATED, *UNRATED)} - playing - set(dead)
        return Die(day, self.random.choice(sorted(alive)), died_on)

    def _exclude(self, day: date) -> Act | None:
        federation = self.random.choice(ELSEWHERE)
        if first := self.excluded.pop(federation, None):
            return Exclude(day, federation, first, day)
        self.excluded[federation] = day
        return Exclude(day, federation, day)

    def _merge(self, day: date) -> Act | None:
        dead = {act.fide_id for act in self.acts if isinstance(act, Die)}
        twins = [twin for twin in TWINS if twin not in self.merged and TWINS[twin] not in dead]
        if not twins:
            return None
        twin = self.random.choice(twins)
        self.merged[twin] = day
        return Merge(day, twin, TWINS[twin])


LONG = 19


def world_of(seed: int) -> World:
    """Return the world of a seed: under the text of 2024, over the turn from the one of 2022, or to its amendment."""
    random = Random(seed)
    first = random.choice((date(2025, 1, 1), date(2025, 1, 1), date(2023, 10, 1), date(2024, 10, 1)))
    amended = date(2024, 12, 1) if first == date(2024, 10, 1) else None
    earlier = (first - timedelta(days=1)).replace(day=1) if random.random() < 0.3 else None
    if seed % 20 == LONG:
        # So long that pools lapse (6.1.4) and players become inactive (6.2.2).
        return Maker(random, date(2022, 6, 1), None, 30, (0, 1, 1, 2), (1, 4)).world()
    return Maker(random, first, amended, earlier=earlier).world()
