"""What the ratings know of a report that is checked: figures that the lists contradict, improbable results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.html.figures import decimal_hundredths, decimal_tenths
from players.models import Player
from ratings.choices import ListKind
from ratings.in_force import InForce
from ratings.models import RatingList
from ratings.systems.arithmetic import scoring_probability
from ratings.systems.otb.rules import PeriodRules
from tournaments import regulations
from tournaments.checks.inspection import Inspection
from tournaments.choices import DecidedBy
from tournaments.models import Report as StoredReport
from tournaments.models import Tournament
from tournaments.patterns import Indicator, OwnReport
from tournaments.trf import Finding, PlayerRecord, Report
from tournaments.trf.findings import found
from tournaments.trf.report import field_place, header_place, with_field

# A result is an outlier from three standard deviations on, with the games of an initial rating or more (7.2). By chance
# that is one result in some 400, and all the points against nine equal opponents are just enough. The variance without
# draws is taken, which is the largest.
DEVIATIONS = 3
HALF_POINTS = {"1": 2, "=": 1, "0": 0}


@dataclass(frozen=True, slots=True)
class Listed:
    """A player on the lists in force: the rating that counts (7.2.1), the date of its list, the titles."""

    rating: int
    on_list: str
    titles: tuple[str, ...]


def check_against_lists(inspection: Inspection) -> Iterator[Finding]:
    """Yield the differences of a report from the lists in effect on the first day (D-1), and outliers."""
    report, tournament, players = inspection.report, inspection.tournament, inspection.people.players
    in_force = inspection.lookups.of(InForce)
    # An event that began before the first list in force of its kind cannot be rated (D-75).
    first = min((item.date for item in in_force.lists.of_kind(tournament.kind)), default=None)
    if first is not None and tournament.start < first:
        days = {"start": tournament.start.isoformat(), "first": first.isoformat()}
        yield found("event-before-lists", kind=tournament.kind, **days)
    kinds = (ListKind(tournament.kind), ListKind.STANDARD)
    lists = in_force.lists_on(kinds, tournament.start)
    # Without a list nothing can be compared, and the day is a finding of its own (D-75, D-13).
    if not lists or not in_force.adoptions.has_text_on(tournament.start):
        return
    ids = {number: player.fide_id for number, player in players.items()}
    rules = in_force.adoptions.text_on(tournament.start)
    listed = listed_ids(lists, tournament.kind, ids, in_force)
    # Without any rating the program leaves them out: that is no difference of each player.
    gives_ratings = any(record.rating for record in report.players)
    for record in report.players:
        if record.number in players:
            yield from _titles(report, record, players[record.number], listed.get(record.number))
            if gives_ratings:
                yield from _ratings(report, record, players[record.number], listed.get(record.number))
    yield from _outliers(report, players, listed, rules)
    yield from _presidents_average(report, tournament, listed)


def listed_ids(
    lists: Mapping[str, RatingList], own_kind: str, ids: Mapping[int, int], in_force: InForce
) -> dict[int, Listed]:
    """Return who of these FIDE IDs is listed, by starting rank: on the list of the kind, else on the standard list."""
    entries = in_force.listed_on([rating_list.pk for rating_list in lists.values()], set(ids.values()))
    # The list of the kind first: it is what counts.
    own_first = sorted(lists.values(), key=lambda rating_list: rating_list.kind != own_kind)
    by_id: dict[int, Listed] = {}
    for rating_list in own_first:
        name, of_list = f"{rating_list.kind} {rating_list.date:%Y-%m}", entries[rating_list.pk]
        for fide_id in ids.values():
            if fide_id in of_list and fide_id not in by_id:
                entry = of_list[fide_id]
                titles = tuple(title for title in (entry.title, entry.women_title) if title)
                by_id[fide_id] = Listed(entry.rating, name, titles)
    return {number: by_id[fide_id] for number, fide_id in ids.items() if fide_id in by_id}


def _titles(report: Report, record: PlayerRecord, player: Player, listed: Listed | None) -> Iterator[Finding]:
    """A title that the list does not know; none is no difference, many programs leave titles out."""
    titles = listed.titles if listed else tuple(t for t in (player.title, player.women_title) if t)
    # A women's title beside a higher one is on the list as well: either is right.
    reported = record.title or ("" if record.is_moved else report.lines[record.line - 1][10:13].strip())
    if not reported or record.title in titles:
        return
    names = {"name": player.name, "reported": reported, "registered": titles[0] if titles else "–"}
    finding = found("title-differs", field_place(record, "title"), **names)
    yield finding.with_fix(with_field(report, record, "title", titles[0] if titles else ""))


def _ratings(
    report: Report, record: PlayerRecord, player: Player, listed: Listed | None
) -> Iterator[Finding]:
    place = field_place(record, "rating")
    if listed is None:
        if record.rating:
            yield found("rating-unlisted", place, name=player.name, reported=record.rating)
    elif record.rating != listed.rating:
        figures: dict[str, str | int] = {
            "name": player.name,
            "list": listed.on_list,
            "registered": listed.rating,
        }
        if record.rating:
            finding = found("rating-differs", place, reported=record.rating, **figures)
        else:
            finding = found("rating-missing", place, **figures)
        yield finding.with_fix(with_field(report, record, "rating", str(listed.rating)))


def _outliers(
    report: Report, players: Mapping[int, Player], listed: Mapping[int, Listed], rules: PeriodRules
) -> Iterator[Finding]:
    """Yield the results that are three standard deviations or more from the sum of PD (7.1.2); exact arithmetic."""
    ratings = {number: one.rating for number, one in listed.items()}
    played = (
        (white, black, HALF_POINTS[white_code], HALF_POINTS[black_code])
        for _round, white, black, white_code, black_code, is_played in report.games
        if is_played
    )
    results = scored_games(played, ratings, cap=rules.cap)
    for record in report.players:
        games = results.get(record.number, [])
        if len(games) >= rules.pool_games:
            yield from _outlier(record, players[record.number], listed[record.number], games)


def _outlier(
    record: PlayerRecord, player: Player, listed: Listed, games: Sequence[Scored]
) -> Iterator[Finding]:
    score = sum(50 * game.half_points for game in games)
    expected = sum(game.pd for game in games)
    variance = sum(game.pd * (100 - game.pd) for game in games)
    # Squared on both sides: a root would be a float, and decide cases that are equal.
    if (score - expected) ** 2 < DEVIATIONS**2 * variance:
        return
    figures: dict[str, str | int] = {"rating": listed.rating, "games": len(games), "deviations": DEVIATIONS}
    yield found(
        "performance-outlier",
        field_place(record, "points"),
        name=player.name,
        score=f"{score // 100}.{score % 100 // 10}",
        expected=f"{expected // 100}.{expected % 100:02}",
        direction=gettext_noop("above") if score > expected else gettext_noop("below"),
        **figures,
    )


def _presidents_average(
    report: Report, tournament: Tournament, listed: Mapping[int, Listed]
) -> Iterator[Finding]:
    """The President's decision holds only where the average rating exceeds 2700: else it is refused (0.2, D-116)."""
    ratings = [item.rating for item in listed.values()]
    limit = regulations.PRESIDENT_AVERAGE
    if tournament.decided_by == DecidedBy.PRESIDENT and sum(ratings) <= limit * len(ratings):
        average = sum(ratings) // len(ratings) if ratings else 0
        yield found("president-average-0.2", header_place(report, "012"), average=average, limit=limit)


ONE_IN = 10_000
# Ratings that open something, such as a start or a smaller K: whoever is just below one has a reason to buy games.
THRESHOLDS = (1600, 1800, 2000, 2200, 2300, 2400)
STRONGER, FEWEST_STRONGER, SUITS_ONE_IN, LEAST_K = 100, 2, 20, 20


@dataclass(frozen=True, slots=True)
class Scored:
    """A game that counts, from one side: the half points, PD in hundredths, the opponent's rating minus one's own."""

    half_points: int
    pd: int
    above: int


def improbable_results(report: StoredReport, own: OwnReport) -> list[Indicator]:
    """Return the indicators of a report's results by the lists in effect: improbable scores, reached thresholds.

    `own` are the players and games of the report.
    """
    tournament = report.tournament
    kinds = (ListKind(tournament.kind), ListKind.STANDARD)
    in_force = InForce()
    lists = in_force.lists_on(kinds, tournament.start)
    if not lists or not in_force.adoptions.has_text_on(tournament.start):
        return []
    rules = in_force.adoptions.text_on(tournament.start)
    listed = listed_ids(lists, tournament.kind, own.players, in_force)
    ratings = {number: one.rating for number, one in listed.items()}
    scored = scored_games(games_of(own), ratings, cap=rules.cap)
    return [
        *improbable_scores(own, ratings, scored, fewest=rules.pool_games),
        *suited_thresholds(own, ratings, scored),
    ]


def games_of(own: OwnReport) -> Iterator[tuple[int, int, int, int]]:
    """Yield the played games of a report: White and Black by starting rank, and the half points of each."""
    for white, black, code in own.games:
        if code in HALF_POINTS and black is not None:
            yield white, black, HALF_POINTS[code], 2 - HALF_POINTS[code]


def scored_games(
    games: Iterable[tuple[int, int, int, int]], ratings: Mapping[int, int], *, cap: int
) -> dict[int, list[Scored]]:
    """Return the games between rated players by starting rank; differences count up to the cap (7.3.1)."""
    results: dict[int, list[Scored]] = defaultdict(list)
    for white, black, *points in games:
        if white in ratings and black in ratings:
            difference = ratings[white] - ratings[black]
            pd = scoring_probability(max(-cap, min(cap, difference)))
            results[white].append(Scored(points[0], pd, -difference))
            results[black].append(Scored(points[1], 100 - pd, difference))
    return results


def improbable_scores(
    own: OwnReport, ratings: Mapping[int, int], scored: Mapping[int, Sequence[Scored]], *, fewest: int
) -> Iterator[Indicator]:
    """Yield who scored what by the table of PD (7.1.2) is to be expected once in 10,000 events or less often."""
    for number, games in sorted(scored.items()):
        times = _one_in(games)
        if len(games) >= fewest and times >= ONE_IN:
            yield Indicator("improbable", _sentence(own.names[number], ratings[number], games, times))


def suited_thresholds(
    own: OwnReport, ratings: Mapping[int, int], scored: Mapping[int, Sequence[Scored]]
) -> Iterator[Indicator]:
    """Yield whom improbable wins against clearly stronger opponents bring over a rating that matters, by K = 20."""
    for number, games in sorted(scored.items()):
        stronger = [game for game in games if game.above >= STRONGER]
        # K is at least 20 for whoever can reach one of these ratings, save after 2400.
        gained = sum(50 * game.half_points - game.pd for game in games) * LEAST_K // 100
        before, after = ratings[number], ratings[number] + gained
        reached = max((mark for mark in THRESHOLDS if before < mark <= after), default=None)
        points, expected = sum(game.half_points for game in stronger), sum(game.pd for game in stronger)
        if reached is None or len(stronger) < FEWEST_STRONGER or 50 * points <= expected:
            continue
        times = _one_in(stronger)
        if times >= SUITS_ONE_IN:
            message = _(
                "%(name)s, rated %(before)d, scored %(score)s of %(games)d against opponents rated at least "
                "%(least)d points higher, which happens once in %(times)s tournaments. The rating rises to "
                "%(reached)d."
            )
            figures = {"before": before, "games": len(stronger), "least": STRONGER, "reached": reached}
            often = number_format(times, force_grouping=True)
            text = {"name": own.names[number], "score": _score(points), "times": often}
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
        "%(expected)s. According to the ratings, this happens once in %(times)s tournaments."
    )
    figures = {
        "expected": decimal_hundredths(expected),
        "times": number_format(times, force_grouping=True),
    }
    return message % {"name": name, "rating": rating, "games": len(games), "score": _score(points), **figures}


def _score(half_points: int) -> str:
    return decimal_tenths(5 * half_points)
