"""Results that are improbable by the ratings, with their probability; exact arithmetic. It helps and never decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from ratings.choices import ListKind
from ratings.queries.in_force import Lists
from ratings.services.reported import listed_ids
from ratings.systems.arithmetic import scoring_probability
from tournaments.models import Report
from tournaments.queries.indicators import Indicator, Own

ONE_IN = 10_000
HALF_POINTS = {"1": 2, "=": 1, "0": 0}


def improbable_results(report: Report, own: Own) -> Iterator[Indicator]:
    """Yield who scored what by the table of PD (7.1.2) is to be expected once in 10,000 events or less often.

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
    results: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for white, black, code in own.games:
        if code in HALF_POINTS and black is not None and white in listed and black in listed:
            difference = listed[white].rating - listed[black].rating
            capped = max(-rules.cap, min(rules.cap, difference))
            results[white].append((HALF_POINTS[code], scoring_probability(capped)))
            results[black].append((2 - HALF_POINTS[code], scoring_probability(-capped)))
    for number, games in sorted(results.items()):
        times = one_in([pd for _points, pd in games], sum(points for points, _pd in games))
        if len(games) >= rules.pool_games and times >= ONE_IN:
            yield Indicator("improbable", _sentence(own.names[number], listed[number].rating, games, times))


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


def _sentence(name: str, rating: int, games: Sequence[tuple[int, int]], times: int) -> str:
    points, expected = sum(points for points, _pd in games), sum(pd for _points, pd in games)
    message = _(
        "%(name)s, rated %(rating)d, scored %(score)s of %(games)d. The expected score was "
        "%(expected)s. By the ratings, this happens once in %(times)s tournaments."
    )
    score = f"{points // 2}.{5 * (points % 2)}"
    figures = {"score": score, "expected": f"{expected // 100}.{expected % 100:02}", "times": f"{times:,}"}
    return message % {"name": name, "rating": rating, "games": len(games), **figures}
