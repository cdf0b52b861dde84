"""Patterns of a year's games that are hard to explain: values in, sentences out; nothing is read or decided.

How often they were right on planted cases: docs/indicators.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from django.utils.translation import gettext as _

RING = range(3, 13)
FEWEST_EVENTS = 3
FEWEST_WINS, FEWEST_WINS_OF_EQUALS, EQUAL = 4, 8, 100
# A tournament of people never seen before: so many players, so large a share of them.
FEWEST_UNSEEN, UNSEEN_PERCENT = 6, 80
# Draws and losses of the higher ranked, in percent of the games; real tournaments have a third and more.
FEW_SURPRISES = 15
# A pool plays mostly among itself, and its regulars rise together.
POOL = range(4, 41)
INSIDE_PERCENT, MEAN_RISE, MEMBER_RISE, RISING_PERCENT = 80, 60, 25, 75
Person = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Indicator:
    """Something that a person may look at: a stable code and the sentence with its figures."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class PlayedMeeting:
    """A played game: its report, and who met, as FIDE IDs or as the line of the report; `points` are white's."""

    report: int
    white: Person
    black: Person
    points: int | None


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report's players, by starting rank as FIDE IDs and by name, and its games: white, black, white's result.

    `unplayed` is the number of byes, forfeits and absences.
    """

    players: Mapping[int, int]
    names: Mapping[int, str]
    games: Sequence[tuple[int, int | None, str]]
    unplayed: int = 0


@dataclass(frozen=True, slots=True)
class YearOfGames:
    """The games of a year around a report with the names of who played them, and what is the report's own.

    `ratings` are the newest reported ones; `rises` is by how much that of a person rose since the first report of the
    year.
    """

    meetings: Sequence[PlayedMeeting]
    names: Mapping[Person, str]
    own: OwnReport
    ratings: Mapping[Person, int] = field(default_factory=dict)
    rises: Mapping[Person, int] = field(default_factory=dict)


def closed_rings(
    report: int, meetings: Sequence[PlayedMeeting], names: Mapping[Person, str]
) -> Iterator[Indicator]:
    """Yield the groups of few players of a report who met nobody else in a year and three events or more."""
    opponents: dict[Person, set[Person]] = defaultdict(set)
    events: dict[Person, set[int]] = defaultdict(set)
    for meeting in meetings:
        for one, other in ((meeting.white, meeting.black), (meeting.black, meeting.white)):
            opponents[one].add(other)
            events[one].add(meeting.report)
    for ring in _groups(opponents):
        played = set().union(*(events[person] for person in ring))
        if len(ring) in RING and report in played and len(played) >= FEWEST_EVENTS:
            message = _(
                "%(names)s: these %(number)d players played only each other in %(events)d tournaments within a year."
            )
            who = " · ".join(sorted(names.get(person, "?") for person in ring))
            yield Indicator(
                "closed-ring", message % {"names": who, "number": len(ring), "events": len(played)}
            )


def one_sided(
    report: int, meetings: Sequence[PlayedMeeting], names: Mapping[Person, str], ratings: Mapping[Person, int]
) -> Iterator[Indicator]:
    """Yield the pairs that met here and of whom one won every game of a year, where ratings do not explain it.

    `ratings` are the newest reported ones. Four wins suffice of a lower rated or unrated player, eight of an equal one;
    of a higher rated one they are what is to be expected.
    """
    here = Counter(frozenset((one.white, one.black)) for one in meetings if one.report == report)
    points: dict[tuple[Person, Person], list[int | None]] = defaultdict(list)
    for meeting in meetings:
        if frozenset((meeting.white, meeting.black)) in here:
            points[meeting.white, meeting.black].append(meeting.points)
            points[meeting.black, meeting.white].append(
                None if meeting.points is None else 2 - meeting.points
            )
    for (winner, loser), won in sorted(points.items()):
        # A game with a penalty has no points (D-120): one of them is enough to leave the pair out.
        if set(won) == {2} and len(won) >= _fewest_wins(ratings.get(winner), ratings.get(loser)):
            message = _(
                "%(winner)s won all %(number)d games within a year against %(loser)s, %(here)d of them in this "
                "tournament."
            )
            figures = {"number": len(won), "here": here[frozenset((winner, loser))]}
            who = {"winner": names.get(winner, "?"), "loser": names.get(loser, "?")}
            yield Indicator("one-sided", message % {**figures, **who})


def _fewest_wins(winner: int | None, loser: int | None) -> float:
    """Return how many wins without a loss are hard to explain between these ratings."""
    if winner is None or loser is None or winner <= loser - EQUAL:
        return FEWEST_WINS
    return FEWEST_WINS_OF_EQUALS if winner <= loser + EQUAL else float("inf")


def _groups(opponents: Mapping[Person, set[Person]]) -> Iterator[set[Person]]:
    """Yield the groups of people who are linked by games, each person in one."""
    left = set(opponents)
    while left:
        # The least, so that the groups come in one order.
        group, border = set(), {min(left)}
        while border:
            group |= border
            border = set().union(*(opponents[person] for person in border)) - group
        left -= group
        yield group


def unseen_tournament(report: int, year: YearOfGames) -> Iterator[Indicator]:
    """Yield that almost nobody of a report played elsewhere in a year, and its results are as if written by a rule.

    That is: everybody met everybody and nothing was left unplayed, or the higher ranked won almost always.
    """
    people = {(0, fide_id) for fide_id in year.own.players.values()}
    elsewhere = {
        person
        for meeting in year.meetings
        if meeting.report != report
        for person in (meeting.white, meeting.black)
    }
    unseen = len(people - elsewhere)
    # Percents in whole numbers, as everywhere: no result depends on a rounding.
    if len(people) < FEWEST_UNSEEN or 100 * unseen < UNSEEN_PERCENT * len(people) or not year.own.games:
        return
    marks = []
    own = year.own
    met = Counter(frozenset((white, black)) for white, black, _code in own.games)
    pairs = {frozenset(pair) for pair in combinations(own.players, 2)}
    # Each pair equally often: a double round robin is complete, too.
    if not own.unplayed and set(met) == pairs and len(set(met.values())) == 1:
        marks.append(_("everyone met everyone, and no game was left unplayed"))
    if _has_few_surprises(year.own):
        marks.append(_("the player with the better starting rank won almost every game"))
    if marks:
        message = _(
            "%(unseen)d of %(number)d players have no other tournament within a year, and the results are "
            "unusually regular: %(marks)s."
        )
        figures = {"unseen": unseen, "number": len(people), "marks": " · ".join(marks)}
        yield Indicator("unseen-players", message % figures)


def _has_few_surprises(own: OwnReport) -> bool:
    # The lower starting rank is the better player, as ranks are given by rating.
    surprises = sum(
        code != ("1" if white < black else "0") for white, black, code in own.games if black is not None
    )
    return 100 * surprises <= FEW_SURPRISES * len(own.games)


def rising_pool(report: int, year: YearOfGames) -> Iterator[Indicator]:
    """Yield the players of a report who play mostly among themselves and whose ratings rose together in a year.

    In a pool that is closed what one gains another loses: regulars who all rise are fed by somebody.
    """
    opponents: dict[Person, Counter[Person]] = defaultdict(Counter)
    events: dict[Person, set[int]] = defaultdict(set)
    for meeting in year.meetings:
        for one, other in ((meeting.white, meeting.black), (meeting.black, meeting.white)):
            opponents[one][other] += 1
            events[one].add(meeting.report)
    # Whoever comes once feeds the pool or passes by; those who come again and again are its members.
    regulars = {person for person in opponents if len(events[person]) >= FEWEST_EVENTS}
    own = {(0, fide_id) for fide_id in year.own.players.values()} & regulars
    pool = _inside(own, opponents, regulars)
    rises = [year.rises[person] for person in pool if person in year.rises]
    if len(pool) not in POOL or len(rises) < POOL.start:
        return
    rising = sum(rise >= MEMBER_RISE for rise in rises)
    mean = sum(rises) // len(rises)
    if mean >= MEAN_RISE and 100 * rising >= RISING_PERCENT * len(rises):
        message = _(
            "%(names)s: these %(number)d players play almost only each other and rose by %(mean)d points on average "
            "within a year, %(rising)d of them by %(least)d or more. In a closed group, one player gains what another "
            "player loses."
        )
        who = " · ".join(sorted(year.names.get(person, "?") for person in pool))
        figures = {"number": len(pool), "mean": mean, "rising": rising, "least": MEMBER_RISE}
        yield Indicator("rising-pool", message % {"names": who, **figures})


def _inside(
    own: set[Person], opponents: Mapping[Person, Counter[Person]], regulars: set[Person]
) -> set[Person]:
    """Return the largest set of these people who play mostly each other, or guests that nobody else meets."""
    pool = set(own)
    while True:
        guests = {
            person
            for person, met in opponents.items()
            if person not in regulars and set(met) <= pool | {person}
        }
        closed = pool | guests
        leaving = {
            person
            for person in pool
            if 100 * sum(times for other, times in opponents[person].items() if other in closed)
            < INSIDE_PERCENT * sum(opponents[person].values())
        }
        if not leaving:
            return pool
        # Who leaves takes games out of the pool, so that others may fall below the share: looked at again.
        pool -= leaving
