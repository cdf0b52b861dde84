"""Results that are improbable by the ratings, with their probability; exact arithmetic. It helps and never decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ratings.choices import ListKind
from ratings.queries.in_force import Lists
from ratings.services.reported import listed_ids
from ratings.systems.arithmetic import scoring_probability
from tournaments.models import Report
from tournaments.queries.patterns import Indicator, Own

ONE_IN = 10_000
HALF_POINTS = {"1": 2, "=": 1, "0": 0}
# Ratings that open something, such as a start or a smaller K: whoever is just below one has a reason to buy games.
THRESHOLDS = (1600, 1800, 2000, 2200, 2300, 2400)
STRONGER, FEWEST_STRONGER, SUITS_ONE_IN, LEAST_K = 100, 2, 20, 20


@dataclass(frozen=True, slots=True)
class Scored:
    """A game that counts, from one side: the half points, PD in hundredths, the opponent's rating minus one's own."""

    half_points: int
    pd: int
    above: int


def improbable_results(report: Report, own: Own) -> Iterator[Indicator]:
    """Yield what the lists in force tell of the results of a report: improbable scores, and those that suit somebody.

    `own` are the players and games of the report.
    """
    tournament = report.tournament
    kinds = (ListKind(tournament.kind), ListKind.STANDARD)
    lists = Lists()
    in_force = lists.in_force_on(kinds, tournament.start)
    if not in_force or not lists.adoptions.has_text_on(tournament.start):
        return
    rules = lists.adoptions.text_on(tournament.start)
    listed = listed_ids(in_force, tournament.kind, own.players, lists)
    ratings = {number: one.rating for number, one in listed.items()}
    scored = scored_games(own, ratings, cap=rules.cap)
    yield from improbable_scores(own, ratings, scored, fewest=rules.pool_games)
    yield from suited_thresholds(own, ratings, scored)


def scored_games(own: Own, ratings: Mapping[int, int], *, cap: int) -> dict[int, list[Scored]]:
    """Return the games between rated players by starting rank; differences count up to the cap (7.3.1)."""
    results: dict[int, list[Scored]] = defaultdict(list)
    for white, black, code in own.games:
        if code in HALF_POINTS and black is not None and white in ratings and black in ratings:
            difference = ratings[white] - ratings[black]
            capped = max(-cap, min(cap, difference))
            points = HALF_POINTS[code]
            results[white].append(Scored(points, scoring_probability(capped), -difference))
            results[black].append(Scored(2 - points, scoring_probability(-capped), difference))
    return results


def improbable_scores(
    own: Own, ratings: Mapping[int, int], scored: Mapping[int, Sequence[Scored]], *, fewest: int
) -> Iterator[Indicator]:
    """Yield who scored what by the table of PD (7.1.2) is to be expected once in 10,000 events or less often."""
    for number, games in sorted(scored.items()):
        times = _one_in(games)
        if len(games) >= fewest and times >= ONE_IN:
            yield Indicator("improbable", _sentence(own.names[number], ratings[number], games, times))


def suited_thresholds(
    own: Own, ratings: Mapping[int, int], scored: Mapping[int, Sequence[Scored]]
) -> Iterator[Indicator]:
    """Yield whom improbable wins against clearly stronger opponents bring over a rating that matters, by K = 20."""
    for number, games in sorted(scored.items()):
        stronger = [game for game in games if game.above >= STRONGER]
        gained = sum(50 * game.half_points - game.pd for game in games) * LEAST_K // 100
        before, after = ratings[number], ratings[number] + gained
        reached = max((mark for mark in THRESHOLDS if before < mark <= after), default=None)
        points, expected = sum(game.half_points for game in stronger), sum(game.pd for game in stronger)
        if reached is None or len(stronger) < FEWEST_STRONGER or 50 * points <= expected:
            continue
        times = _one_in(stronger)
        if times >= SUITS_ONE_IN:
            message = _(
                "%(name)s, rated %(before)d, scored %(score)s of %(games)d against opponents rated %(least)d points "
                "higher or more, which happens once in %(times)s tournaments. The rating reaches %(reached)d by it."
            )
            figures = {"before": before, "games": len(stronger), "least": STRONGER, "reached": reached}
            text = {"name": own.names[number], "score": _score(points), "times": f"{times:,}"}
            yield Indicator("suits-threshold", message % {**figures, **text})


def _one_in(games: Sequence[Scored]) -> int:
    return one_in([game.pd for game in games], sum(game.half_points for game in games))


def one_in(probabilities: Sequence[int], half_points: int) -> int:
    """Return in how many such events a score so far above or below the expected comes once, rounded down.

    `probabilities` are PD in hundredths. Every game is taken as won or lost, which spreads the scores most, and a half
    point as the one nearer to what is expected: what is called improbable is so with draws as well.
    """
    ways = [1]
    for pd in probabilities:
        lost = [way * (100 - pd) for way in ways] + [0]
        won = [0] + [way * pd for way in ways]
        ways = [one + other for one, other in zip(lost, won, strict=True)]
    is_above = 50 * half_points >= sum(probabilities)
    tail = ways[half_points // 2 :] if is_above else ways[: -(-half_points // 2) + 1]
    events: int = 100 ** len(probabilities)
    return events // max(1, sum(tail))


def _sentence(name: str, rating: int, games: Sequence[Scored], times: int) -> str:
    points, expected = sum(game.half_points for game in games), sum(game.pd for game in games)
    message = _(
        "%(name)s, rated %(rating)d, scored %(score)s of %(games)d. The expected score was "
        "%(expected)s. By the ratings, this happens once in %(times)s tournaments."
    )
    figures = {"expected": f"{expected // 100}.{expected % 100:02}", "times": f"{times:,}"}
    return message % {"name": name, "rating": rating, "games": len(games), "score": _score(points), **figures}


def _score(half_points: int) -> str:
    return f"{half_points // 2}.{5 * (half_points % 2)}"
