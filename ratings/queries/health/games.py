"""The rated games of a list, each counted once: scores by difference, games between federations, newcomers' scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from ratings.models import ListEntry, ParticipantRating, RatingList
from ratings.queries.health.reading import CAP, CLASS, LAST_CLASS, FederationGames, Scores
from ratings.systems.arithmetic import scoring_probability
from ratings.systems.otb.values import Outcome

CHUNK = 2_000
Pairs = Counter[tuple[str, str]]


@dataclass(slots=True)
class Tally:
    """Games, half points and expected hundredths that grow with each game."""

    games: int = 0
    half_points: int = 0
    expected: int = 0

    def add(self, half_points: int, difference: int) -> None:
        """Count a game of a player rated `difference` points above the opponent."""
        self.games += 1
        self.half_points += half_points
        self.expected += scoring_probability(difference)

    @property
    def scores(self) -> Scores:
        return Scores(self.games, self.half_points, self.expected)


@dataclass(slots=True)
class GameCounts:
    """The games of a list between two rated players; `newcomers` are the scores by lists since the initial rating."""

    curve: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    newcomers: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    pairs: Pairs = field(default_factory=Counter)
    outside: int = 0

    @property
    def whole(self) -> Scores:
        """All games from the side of the higher rated players."""
        tallies = self.curve.values()
        return Scores(
            sum(one.games for one in tallies),
            sum(one.half_points for one in tallies),
            sum(one.expected for one in tallies),
        )

    def classes(self) -> list[tuple[int, Scores]]:
        """Return the classes of differences by their first one, from 0 to the last that has a game."""
        last = max(self.curve, default=-1)
        return [(first, self.curve[first].scores) for first in range(0, last + 1, CLASS)]


def count_games(rating_list: RatingList, newcomers: Mapping[int, int]) -> GameCounts:
    """Return the counts of a list's games between two rated players, as they were rated.

    `newcomers` leads from players to the lists since their initial rating.
    """
    counts = GameCounts()
    codes = _federations(rating_list)
    for players, player, outcome in _sides(rating_list):
        difference = outcome.difference
        if difference is None:
            continue
        if player in newcomers:
            counts.newcomers[newcomers[player]].add(outcome.half_points, difference)
        # A game has two sides: that of the higher rated player tells it, White's between equals.
        if difference > 0 or (difference == 0 and outcome.colour == "w"):
            counts.curve[min(difference // CLASS * CLASS, LAST_CLASS)].add(outcome.half_points, difference)
            counts.outside += difference > CAP
            both = sorted(codes.get(one or 0, "") for one in (player, players.get(outcome.opponent or 0)))
            if all(both):
                counts.pairs[both[0], both[1]] += 1
    return counts


def _sides(rating_list: RatingList) -> Iterator[tuple[dict[int, int | None], int | None, Outcome]]:
    """Yield each round of each participant, with the players of the tournament by their numbers."""
    rows = ParticipantRating.objects.filter(tournament_rating__included_in=rating_list)
    values = rows.order_by("tournament_rating", "number").values_list(
        "tournament_rating_id", "number", "player_id", "outcomes"
    )
    for _key, group in groupby(values.iterator(CHUNK), itemgetter(0)):
        seated = list(group)
        players = {number: player for _, number, player, _ in seated}
        for _, _, player, outcomes in seated:
            for row in outcomes:
                yield players, player, Outcome.from_row(row)


def _federations(rating_list: RatingList) -> dict[int, str]:
    """Return the federations on the list of the players with a rated game on it."""
    entries = ListEntry.objects.filter(rating_list=rating_list, games__gt=0).listed().order_by()
    return dict(entries.values_list("player_id", "federation_id").iterator(CHUNK))


def connections_of(pairs: Pairs) -> list[FederationGames]:
    """Return what links federations by their games, those with the smallest share of games with others first."""
    games: Counter[str] = Counter()
    foreign: Counter[str] = Counter()
    partners: dict[str, set[str]] = defaultdict(set)
    for (one, other), number in pairs.items():
        for code in {one, other}:
            games[code] += number
            partners[code] |= {one, other} - {code}
            foreign[code] += number if one != other else 0
    groups = _groups(partners)
    found = [
        FederationGames(code, games[code], foreign[code], len(partners[code]), groups[code]) for code in games
    ]
    return sorted(found, key=lambda one: (one.foreign_tenths or 0, -one.games, one.code))


def _groups(partners: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the number of each federation's group: those that games link; the largest group is 1."""
    found: list[set[str]] = []
    left = set(partners)
    while left:
        group, waiting = set[str](), [min(left)]
        while waiting:
            code = waiting.pop()
            if code not in group:
                group.add(code)
                waiting += partners[code] - group
        found.append(group)
        left -= group
    found.sort(key=lambda group: (-len(group), min(group)))
    return {code: number for number, group in enumerate(found, 1) for code in group}
