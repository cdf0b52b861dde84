"""A second calculation of the lists, plain and slow, straight from the text: it shares no code with the engine.

What a player has completed and reached, and whether the player is active, is found anew for every list from the lists
before; nothing of it is carried on. Probabilities, changes and averages are fractions of a point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from tests.ratings.systems.federations import Contest, Federation, Pairing, Person
from tests.ratings.systems.oracle_figures import (
    TEXT_OF_2024,
    First,
    counted_2022,
    counted_2024,
    first_2022,
    first_2024,
    floor,
    largest_k,
    months_before,
    points,
    probability,
    rounded,
)


@dataclass(frozen=True)
class Status:
    """How a person counts in a contest: "rated", "standard" or "unrated", with rating and K."""

    name: str
    rating: int | None = None
    k: int = 0


@dataclass(frozen=True)
class Round:
    """A game that counts: D, the D that counts, PD and score minus PD (7.3); in a pool the opponent alone."""

    number: int
    opponent_rating: int
    score: Fraction
    difference: int | None = None
    counted_difference: int | None = None
    probability: Fraction | None = None
    change: Fraction | None = None


@dataclass(frozen=True)
class Result:
    """A person's result in a contest on the list that takes it."""

    own: Status
    k: int
    rounds: tuple[Round, ...]


@dataclass(frozen=True)
class Row:
    """A person's line on a published list (6.1.2), with the games completed."""

    rating: int
    games: int
    k: int
    is_inactive: bool
    completed: int


@dataclass(frozen=True)
class Pooled:
    start: date
    total: int
    games: int
    points: Fraction


@dataclass
class Log:
    """What happened to a person: the ratings shown, the games counted, on which list a rating was lost."""

    rating: int | None = None
    shown: dict[date, int] = field(default_factory=dict)
    played: dict[date, int] = field(default_factory=dict)
    completed: dict[date, int] = field(default_factory=dict)
    lost_on: date = date.min
    reached: int = 0
    pool: list[Pooled] = field(default_factory=list)
    has_first_event: bool = False


class Oracle:
    """The lists of a federation and how they came about, all calculated on construction."""

    def __init__(self, federation: Federation) -> None:
        self.federation = federation
        self.lists: dict[date, dict[int, Row]] = {}
        # With those whom a list does not show.
        self.held: dict[date, dict[int, Row]] = {}
        self.withheld: dict[tuple[date, int], int] = {}
        self.results: dict[tuple[date, int, str], Result] = {}
        self.changes: dict[tuple[date, int], Fraction] = {}
        self.firsts: dict[tuple[date, int], First] = {}
        self.logs = {person.number: Log() for person in federation.people}
        self._import()
        for day in federation.list_dates:
            self._publish(day, previous=max(self.lists))

    def _import(self) -> None:
        """D-12: what the imported list does not say."""
        day = self.federation.imported_on
        rows: dict[int, Row] = {}
        for person in self.federation.people:
            log = self.logs[person.number]
            if person.rating is None:
                for event in sorted(person.old_events, key=lambda e: (e.start, e.end, int(e.event_id))):
                    self._pool(
                        log, event.start, event.opponents_sum, event.games, Fraction(event.half_points, 2)
                    )
                continue
            junior = _is_junior(person, day) and person.rating < 2300
            completed = 0 if person.k == 40 and not junior else 30
            log.rating = log.shown[day] = person.rating
            log.completed[day] = completed
            log.played[day] = 0 if person.is_inactive else 1
            log.reached = 2400 if person.k == 10 else 2300 if junior and person.k == 20 else 0
            rows[person.number] = Row(person.rating, 0, person.k, person.is_inactive, completed)
        self.lists[day] = self.held[day] = rows

    def _publish(self, day: date, *, previous: date) -> None:
        rows: dict[int, Row] = {}
        for person in self.federation.people:
            row = self._line(person, day, previous)
            if row is not None:
                rows[person.number] = row
        self.held[day] = rows
        out = {person.number for person in self.federation.people if _is_excluded(person, day)}
        self.lists[day] = {number: row for number, row in rows.items() if number not in out}
        self.withheld |= {(day, number): row.rating for number, row in rows.items() if number in out}

    def _line(self, person: Person, day: date, previous: date) -> Row | None:
        """A person's line on a list, or what is kept of it during an exclusion (D-114); None for the unrated."""
        log = self.logs[person.number]
        contests = [c for c in self.federation.contests if c.list_date == day and person.number in c.players]
        contests.sort(key=lambda c: (c.start, c.end, int(c.event_id)))
        void = [c for c in contests if _is_dead(person, day) or _began_in_exclusion(person, c)]
        for contest in void:
            own = self.status_at_start(person, contest)
            self.results[day, person.number, contest.event_id] = Result(own, 0, ())
        if _is_dead(person, day):
            return None
        contests = [c for c in contests if c not in void]
        results = [(c, self._result(person, c, previous)) for c in contests]
        n = sum(len(result.rounds) for _, result in results if result.own.name != "unrated")
        results = [(c, Result(r.own, largest_k(r.own.k, n), r.rounds)) for c, r in results]
        results = self._without_first_zero(log, results)
        for contest, result in results:
            self.results[day, person.number, contest.event_id] = result
        if log.rating is not None:
            return self._rated_line(person, day, log.rating, n, [result for _, result in results])
        standard = [r.own.rating for _, r in results if r.own.name == "standard" and r.rounds]
        first, new = self._first(person, day, results)
        if first is not None and standard:
            # D-113: n has the games of the pool, too.
            results = [(c, Result(r.own, largest_k(r.own.k, n + new), r.rounds)) for c, r in results]
            for contest, result in results:
                self.results[day, person.number, contest.event_id] = result
            by_standard = [result for _, result in results if result.own.name == "standard"]
            log.completed[day] = self._pool_games(log, day)
            return self._rated_line(person, day, first, n, by_standard, pooled=new)
        if first is not None:
            log.completed[day] = self._pool_games(log, day)
            return self._shown(person, day, first, new)
        if standard:
            return self._rated_line(person, day, standard[0], n, [result for _, result in results])
        return None

    def status_at_start(self, person: Person, contest: Contest) -> Status:
        """7.2.1, by the lists in force on the first day."""
        is_2022 = contest.start < TEXT_OF_2024
        own = max((day for day in self.lists if day <= contest.start), default=None)
        if own is not None and person.number in self.lists[own]:
            row = self.lists[own][person.number]
            return Status("rated", row.rating, 20 if is_2022 else row.k)
        standard = max((d for d in self.federation.standard_dates if d <= contest.start), default=None)
        if standard is None or standard not in person.standard or _is_excluded(person, own or contest.start):
            return Status("unrated")
        return Status("standard", person.standard[standard], 20 if is_2022 else 40)

    def _result(self, person: Person, contest: Contest, previous: date) -> Result:
        """7.2.5 and D-2: the own status is that of the list before, the opponents' that of the start."""
        own = self.status_at_start(person, contest)
        row = self.held[previous].get(person.number)
        if own.name == "rated" and row is None:
            own = Status("unrated")
        elif own.name == "unrated" and row is not None:
            own = Status("rated", row.rating, 20 if contest.start < TEXT_OF_2024 else row.k)
        met = list(self._games_with_rated(person, contest))
        if own.rating is None:
            return Result(own, 0, tuple(Round(number, other, score) for number, other, score in met))
        differences = [own.rating - other for _, other, _ in met]
        counted = counted_2022(differences) if contest.start < TEXT_OF_2024 else counted_2024(differences)
        rounds = [
            Round(*game, difference, used, probability(used), game[2] - probability(used))
            for game, difference, used in zip(met, differences, counted, strict=True)
        ]
        return Result(own, own.k, tuple(rounds))

    def _games_with_rated(self, person: Person, contest: Contest) -> list[tuple[int, int, Fraction]]:
        """Round, opponent's rating at the start and score of the games that 1.2, 4, 5 and 7.3.1 let count."""
        statuses = {p.number: self.status_at_start(p, contest) for p in self.federation.people}
        found = []
        for game in contest.games:
            number, white, black, white_code, black_code, is_played, mark = game
            if person.number not in (white, black) or black is None or not is_played or mark:
                continue
            if contest.has_unequal_times:
                continue
            if contest.is_match and "unrated" in (statuses[white].name, statuses[black].name):
                continue
            if contest.is_match and not contest.has_waiver and _is_decided_before(contest, game):
                continue
            other = statuses[black if person.number == white else white].rating
            if other is not None:
                found.append((number, other, points(white_code if person.number == white else black_code)))
        return found

    def _without_first_zero(
        self, log: Log, results: list[tuple[Contest, Result]]
    ) -> list[tuple[Contest, Result]]:
        """7.2.2: a zero in the first event is disregarded; what else is pooled goes into the pool."""
        kept = []
        for contest, result in results:
            if result.own.name == "unrated" and result.rounds:
                total = sum(game.opponent_rating for game in result.rounds)
                scored = sum((game.score for game in result.rounds), Fraction(0))
                if not self._pool(log, contest.start, total, len(result.rounds), scored):
                    result = Result(result.own, 0, ())
            kept.append((contest, result))
        return kept

    def _pool(self, log: Log, start: date, total: int, games: int, scored: Fraction) -> bool:
        is_first, log.has_first_event = not log.has_first_event, True
        if is_first and scored == 0:
            return False
        log.pool.append(Pooled(start, total, games, scored))
        return True

    def _pool_games(self, log: Log, day: date) -> int:
        return sum(event.games for event in log.pool if event.start >= months_before(day, 26))

    def _first(
        self, person: Person, day: date, results: list[tuple[Contest, Result]]
    ) -> tuple[int | None, int]:
        """6.1.4, 7.2 and D-113: a first rating from the pool of 26 months, if the list adds a game, and its games."""
        log = self.logs[person.number]
        new = sum(
            len(r.rounds) for c, r in results if r.own.name == "unrated" and c.start >= months_before(day, 26)
        )
        pool = [event for event in log.pool if event.start >= months_before(day, 26)]
        games = self._pool_games(log, day)
        has_standard = any(r.own.name == "standard" and r.rounds for _, r in results)
        if (new == 0 and not has_standard) or games < 5:
            return None, new
        total, scored = sum(event.total for event in pool), sum((event.points for event in pool), Fraction(0))
        newest = max(event.start for event in pool)
        first = (
            first_2022(total, games, scored) if newest < TEXT_OF_2024 else first_2024(total, games, scored)
        )
        if first.rating >= floor(day) or not has_standard:
            self.firsts[day, person.number] = first
        return (first.rating if first.rating >= floor(day) else None), new

    def _rated_line(
        self, person: Person, day: date, base: int, n: int, results: list[Result], pooled: int = 0
    ) -> Row | None:
        """7.3: all changes of the list, rounded once, on top of the previous rating."""
        log = self.logs[person.number]
        log.pool, log.has_first_event = [], False
        games = [(result.k, game.change) for result in results for game in result.rounds]
        change = sum((k * of_game for k, of_game in games if of_game is not None), Fraction(0))
        self.changes[day, person.number] = change
        rating = base + rounded(change)
        if rating < floor(day) and not _is_excluded(person, day):
            log.lost_on, log.rating = day, None
            return None
        log.completed[day] = log.completed.get(day, 0) + n
        return self._shown(person, day, rating, n + pooled)

    def _shown(self, person: Person, day: date, rating: int, games: int) -> Row:
        log = self.logs[person.number]
        log.pool, log.has_first_event = [], False
        log.rating, log.played[day] = rating, games
        if not _is_excluded(person, day):
            log.shown[day] = rating
        completed = sum(count for on, count in log.completed.items() if on > log.lost_on)
        last_twelve = sorted((*self.lists, day))[-12:]
        is_active = any(log.played.get(on, 0) for on in last_twelve)
        return Row(rating, games, self._k(person, day, completed), not is_active, completed)

    def _k(self, person: Person, day: date, completed: int) -> int:
        if day < TEXT_OF_2024:
            return 20
        log = self.logs[person.number]
        highest = max([log.reached, *log.shown.values()])
        if highest >= 2400:
            return 10
        return 40 if completed < 30 or (_is_junior(person, day) and highest < 2300) else 20


def _is_dead(person: Person, day: date) -> bool:
    return person.died_on is not None and person.died_on < day


def _is_excluded(person: Person, day: date) -> bool:
    if person.excluded_from is None or day < person.excluded_from:
        return False
    return person.excluded_until is None or day < person.excluded_until


def _began_in_exclusion(person: Person, contest: Contest) -> bool:
    """D-143: what began in an exclusion never counts, also on the list of return; what began before it does (D-114)."""
    return _is_excluded(person, contest.start)


def _is_junior(person: Person, day: date) -> bool:
    return person.birth_year is not None and day <= date(person.birth_year + 18, 12, 31)


def _is_decided_before(contest: Contest, game: Pairing) -> bool:
    """5.2, D-17: whether one of the two had more than half of the points before the game."""
    scores: dict[int, Fraction] = {}
    for number, white, black, white_code, black_code, _, _ in contest.games:
        if number < game[0] and black is not None:
            scores[white] = scores.get(white, Fraction(0)) + points(white_code)
            scores[black] = scores.get(black, Fraction(0)) + points(black_code)
    return any(score > Fraction(contest.rounds, 2) for score in scores.values())
