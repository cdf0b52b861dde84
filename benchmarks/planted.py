"""`python -m benchmarks.planted`: precision and recall of the QC's indicators on planted cases.

A year of a generated world from fixed seeds, without a database: clubs that meet monthly, opens, improving juniors,
tournaments of beginners. Some reports of the last month are planted: sold games, phantom tournaments, and the last
tournament of pools that were farmed for months. The indicators see every report of that month.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
# No database is used, but the imports of the indicators need the settings.
django.setup()

from ratings.services.reported import games_of, improbable_scores, scored_games, suited_thresholds  # noqa: E402
from ratings.systems.arithmetic import scoring_probability  # noqa: E402
from tournaments.queries.patterns import (  # noqa: E402
    Indicator,
    OwnReport,
    Person,
    PlayedMeeting,
    YearOfGames,
    closed_rings,
    one_sided,
    rising_pool,
    unseen_tournament,
)

MONTHS, CLUBS, CLUB_SIZE, ATTEND = 12, 24, 20, 12
OPENS, OPEN_SIZE, ROUNDS, BEGINNERS_A_MONTH = 4, 48, 7, 3
PLANTED_OF_EACH, SEEDS = 5, 4
CAP, FEWEST_GAMES = 400, 5
DRAWS, FORFEITS = 0.2, 0.03
HONEST = ""
# The indicators that should find each type of case.
MEANT = {
    "sold": {"suits-threshold", "improbable"},
    "phantom": {"unseen-players"},
    "farm": {"closed-ring", "rising-pool"},
}
CODES = {1.0: "1", 0.5: "=", 0.0: "0"}


@dataclass
class Someone:
    """A player: FIDE ID, true strength, published rating (0 if unrated), K-factor, and change in the month."""

    fide_id: int
    strength: float
    rating: int
    k: int = 20
    change: float = 0.0


@dataclass
class Played:
    """A report: its players in starting order with their ratings, its games, and the planted case."""

    number: int
    month: int
    players: Sequence[int]
    ratings: Mapping[int, int]
    games: list[tuple[int, int, float]] = field(default_factory=list)
    unplayed: int = 0
    planted: str = HONEST


class World:
    """A year of chess from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311
        self.people: dict[int, Someone] = {}
        self.reports: list[Played] = []
        self.clubs = [[self._player() for _one in range(CLUB_SIZE)] for _club in range(CLUBS)]
        self.farms = [[self._player(1500, 1700) for _one in range(5)] for _farm in range(PLANTED_OF_EACH)]
        for month in range(MONTHS):
            self._month(month)
            self._publish()

    def _player(self, low: int = 1400, high: int = 2350) -> int:
        fide_id, strength = 1_000_000 + len(self.people), self.random.uniform(low, high)
        rating = round(strength + self.random.gauss(0, 60))
        is_junior = self.random.random() < 0.15
        self.people[fide_id] = Someone(fide_id, strength, rating, 40 if is_junior else 20)
        return fide_id

    def _month(self, month: int) -> None:
        for someone in self.people.values():
            # Juniors improve: honest players rise, too.
            someone.strength += self.random.uniform(0, 20) if someone.k == 40 else 0
        for club in self.clubs:
            self._swiss(month, self.random.sample(club, ATTEND), rounds=5)
        everybody = [fide_id for club in self.clubs for fide_id in club]
        for _open in range(OPENS):
            self._swiss(month, self.random.sample(everybody, OPEN_SIZE), rounds=ROUNDS)
        for _event in range(BEGINNERS_A_MONTH):
            self._beginners(month)
        for farm in self.farms:
            self._farm(month, farm)
        if month == MONTHS - 1:
            for number in range(PLANTED_OF_EACH):
                self._sell(everybody, month)
                self._phantom(month, is_orderly=bool(number % 2))

    def _report(self, month: int, players: Sequence[int], planted: str = HONEST) -> Played:
        order = sorted(players, key=lambda one: -self.people[one].rating)
        ratings = {fide_id: self.people[fide_id].rating for fide_id in order}
        made = Played(len(self.reports) + 1, month, order, ratings, planted=planted)
        self.reports.append(made)
        return made

    def _swiss(self, month: int, players: Sequence[int], *, rounds: int, planted: str = HONEST) -> Played:
        """Play rounds between neighbours by points, without repeated pairs where possible."""
        made = self._report(month, players, planted)
        points: dict[int, float] = dict.fromkeys(players, 0.0)
        met: set[frozenset[int]] = set()
        for _round in range(rounds):
            left = sorted(players, key=lambda one: (-points[one], self.random.random()))
            while len(left) > 1:
                one = left.pop(0)
                other = next((who for who in left if frozenset((one, who)) not in met), left[0])
                left.remove(other)
                met.add(frozenset((one, other)))
                self._game(made, one, other, points)
        return made

    def _game(self, made: Played, one: int, other: int, points: dict[int, float]) -> None:
        if self.random.random() < FORFEITS:
            made.unplayed += 1
            points[one] += 1
            return
        score = self._score(self.people[one].strength, self.people[other].strength)
        made.games.append((one, other, score))
        points[one] += score
        points[other] += 1 - score

    def _score(self, own: float, other: float) -> float:
        expected = 1 / (1 + 10 ** ((other - own) / 400))
        draw = DRAWS * (1 - abs(2 * expected - 1))
        thrown = self.random.random()
        return 1.0 if thrown < expected - draw / 2 else 0.5 if thrown < expected + draw / 2 else 0.0

    def _beginners(self, month: int) -> None:
        """Play an honest round robin of a new club, whose players have no other games."""
        players = [self._player(1400, 1750) for _one in range(self.random.randint(6, 10))]
        made = self._report(month, players)
        points: dict[int, float] = dict.fromkeys(players, 0.0)
        for one, other in combinations(players, 2):
            self._game(made, one, other, points)

    def _farm(self, month: int, farm: Sequence[int]) -> None:
        """Add games in which members of a pool beat two new overrated players a month, and draw each other."""
        feeders = [self._player(1800, 1900) for _one in range(2)]
        made = self._report(month, [*farm, *feeders], "farm" if month == MONTHS - 1 else HONEST)
        made.games += [(one, other, 0.5) for one, other in combinations(farm, 2)]
        made.games += [
            (member, feeder, 1.0) for member in farm for feeder in feeders if self.random.random() < 0.5
        ]
        if month % 3 == 0:
            # A member sometimes plays elsewhere, so the pool is not quite closed.
            self._swiss(month, [farm[0], *self.random.sample(self.clubs[0], 5)], rounds=2)

    def _sell(self, everybody: Sequence[int], month: int) -> None:
        """Add an open in which a player just below a threshold buys the games against stronger opponents."""
        marks = (1600, 1800, 2000, 2200)
        near = [
            one for one in everybody
            if any(mark - 30 <= self.people[one].rating < mark - 2 for mark in marks)
        ]  # fmt: skip
        buyer = self.random.choice(near or list(everybody))
        own = self.people[buyer].rating
        stronger = [one for one in everybody if 120 <= self.people[one].rating - own <= 300]
        sellers = self.random.sample(stronger, min(3, len(stronger)))
        field_of = self.random.sample([one for one in everybody if one not in (buyer, *sellers)], 20)
        made = self._swiss(month, field_of, rounds=ROUNDS, planted="sold")
        made.players = sorted([*made.players, buyer, *sellers], key=lambda one: -self.people[one].rating)
        made.ratings = {one: self.people[one].rating for one in made.players}
        made.games += [(buyer, seller, 1.0) for seller in sellers]
        alike = sorted(field_of, key=lambda one: abs(self.people[one].rating - own))[:4]
        for other in alike:
            made.games.append(
                (buyer, other, self._score(self.people[buyer].strength, self.people[other].strength))
            )

    def _phantom(self, month: int, *, is_orderly: bool) -> None:
        """Add an invented round robin of players without other games, in which nobody is ever absent."""
        players = [self._player(1400, 2000) for _one in range(self.random.choice((8, 10, 12)))]
        made = self._report(month, players, "phantom")
        for one, other in combinations(made.players, 2):
            score = 1.0 if is_orderly else self._score(self.people[one].strength, self.people[other].strength)
            made.games.append((one, other, score))

    def _publish(self) -> None:
        """Apply the month's changes, as a list does."""
        month = self.reports[-1].month
        for made in self.reports:
            if made.month == month:
                for one, other, score in made.games:
                    expected = (
                        scoring_probability(max(-CAP, min(CAP, made.ratings[one] - made.ratings[other])))
                        / 100
                    )
                    self.people[one].change += self.people[one].k * (score - expected)
                    self.people[other].change -= self.people[other].k * (score - expected)
        for someone in self.people.values():
            someone.rating, someone.change = round(someone.rating + someone.change), 0.0


def year_around(report: Played, by_player: Mapping[int, Sequence[Played]]) -> YearOfGames:
    """Return what the portal would read for a report: the games of all reports that share a player."""
    reports = {one.number: one for fide_id in report.players for one in by_player[fide_id]}
    halves = {1.0: 2, 0.5: 1, 0.0: 0}
    meetings = [
        PlayedMeeting(one.number, (0, white), (0, black), halves[score])
        for one in reports.values()
        for white, black, score in one.games
    ]
    rises: dict[Person, int] = {}
    first: dict[Person, int] = {}
    newest: dict[Person, int] = {}
    for _number, one in sorted(reports.items()):
        for fide_id, rating in one.ratings.items():
            newest[0, fide_id] = rating
            rises[0, fide_id] = rating - first.setdefault((0, fide_id), rating)
    ranks = {fide_id: rank for rank, fide_id in enumerate(report.players, start=1)}
    games = [(ranks[white], ranks[black], CODES[score]) for white, black, score in report.games]
    own = OwnReport(
        {rank: fide_id for fide_id, rank in ranks.items()},
        {rank: str(fide_id) for fide_id, rank in ranks.items()},
        games,
        report.unplayed,
    )
    return YearOfGames(meetings, {person: str(person[1]) for person in rises}, own, newest, rises)


def indicators_on(report: Played, year: YearOfGames) -> Iterator[Indicator]:
    """Yield what the QC would see of a report."""
    yield from closed_rings(report.number, year.meetings, year.names)
    yield from one_sided(report.number, year.meetings, year.names, year.ratings)
    yield from unseen_tournament(report.number, year)
    yield from rising_pool(report.number, year)
    ratings = {rank: report.ratings[fide_id] for rank, fide_id in year.own.players.items()}
    scored = scored_games(games_of(year.own), ratings, cap=CAP)
    yield from improbable_scores(year.own, ratings, scored, fewest=FEWEST_GAMES)
    yield from suited_thresholds(year.own, ratings, scored)


@dataclass(frozen=True, slots=True)
class Judged:
    """The results for a type of case: number planted, number found, and other reports marked wrongly."""

    planted: int
    found: int
    wrong: int

    @property
    def recall(self) -> float:
        return self.found / self.planted if self.planted else 0.0

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 0.0


def judge(seeds: Sequence[int]) -> tuple[dict[str, Judged], int]:
    """Return the results of the indicators by type of case, and the number of honest reports, in these worlds."""
    planted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for seed in seeds:
        world = World(seed)
        by_player: dict[int, list[Played]] = defaultdict(list)
        for report in world.reports:
            for fide_id in report.players:
                by_player[fide_id].append(report)
        for report in world.reports:
            if report.month != MONTHS - 1:
                continue
            planted[report.planted] += 1
            codes = {indicator.code for indicator in indicators_on(report, year_around(report, by_player))}
            for kind, meant in MEANT.items():
                if codes & meant:
                    (found if report.planted == kind else wrong)[kind] += 1
    return {kind: Judged(planted[kind], found[kind], wrong[kind]) for kind in MEANT}, planted[HONEST]


def main() -> None:
    """Print the table of docs/indicators.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planted", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="number of generated worlds")
    seeds = range(1, parser.parse_args().seeds + 1)
    judged, honest = judge(seeds)
    print(f"{len(seeds)} worlds, {honest} honest reports")  # noqa: T201
    print("| Kind | Planted | Found | Others marked | Precision | Recall |\n|---|---|---|---|---|---|")  # noqa: T201
    for kind, one in judged.items():
        rates = f"{one.precision:.0%} | {one.recall:.0%}"
        print(f"| {kind} | {one.planted} | {one.found} | {one.wrong} | {rates} |")  # noqa: T201


if __name__ == "__main__":
    main()
