"""From the games of a report to each participant's seats: which rounds count for nobody (articles 1.2, 4 and 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import UNRATED, Participation, ReportedGame, Seat, Status, StatusAtStart

HALF_POINTS = {"1": 2, "W": 2, "+": 2, "F": 2, "U": 2, "=": 1, "D": 1, "H": 1}
FORFEITS = frozenset("+-")
# TRF writes W, D and L where the game ended before both players had moved: it is not rated (4.1).
SHORT_GAMES = frozenset("WDL")


@dataclass(frozen=True, slots=True)
class GameConditions:
    """The conditions of the registration for all games.

    `rounds` are those of a match, `void` a reason to count none of them.
    """

    rounds: int
    is_match: bool = False
    has_waiver: bool = False
    has_unequal_times: bool = False
    void: str = ""


def rate_tournament(
    rules: PeriodRules,
    conditions: GameConditions,
    games: Sequence[ReportedGame],
    standings: Mapping[int, StatusAtStart],
) -> dict[int, Participation]:
    """Return every participant's result by the standings at the start, by starting rank."""
    seats = seats_of(rules, conditions, games, standings)
    return {
        number: rules.rate_participant(standing, seats.get(number, ()), standings)
        for number, standing in standings.items()
    }


def games_that_count(participations: Iterable[Participation]) -> int:
    """Return how many pairings count for at least one side.

    Between two rated players a game counts for both; with an unrated one, only for that one (6.1.4).
    """
    for_both = for_one = 0
    for participation in participations:
        if participation.standing.status is Status.UNRATED:
            for_one += participation.games
        else:
            for_both += participation.games
    return for_both // 2 + for_one


def seats_of(
    rules: PeriodRules,
    conditions: GameConditions,
    games: Sequence[ReportedGame],
    standings: Mapping[int, StatusAtStart],
) -> dict[int, tuple[Seat, ...]]:
    """Return each participant's rounds in order, with the reason where a round counts for nobody."""
    # In the order of play, in which a match is decided (D-17).
    ordered = sorted(games, key=attrgetter("round", "white"))
    decided = _games_after_decision(conditions, ordered)
    seats: dict[int, list[Seat]] = defaultdict(list)
    for game in ordered:
        number, white, black, white_code, black_code, is_played, _mark = game
        # Most events are no match: their games need not be looked for among those of one.
        void = _void(rules, conditions, game, standings, bool(decided) and game in decided)
        points = _half_points(white_code)
        seats[white].append(Seat(number, black, "w" if is_played else "", white_code, points, void))
        if black is not None:
            points = _half_points(black_code)
            seats[black].append(Seat(number, white, "b" if is_played else "", black_code, points, void))
    return {number: tuple(of_number) for number, of_number in seats.items()}


def _half_points(code: str) -> int:
    return HALF_POINTS.get(code, 0)


def _void(
    rules: PeriodRules,
    conditions: GameConditions,
    game: ReportedGame,
    standings: Mapping[int, StatusAtStart],
    is_decided: bool,
) -> str:
    """Return the reason key for which a round counts for nobody, empty where it may count."""
    keys = rules.keys
    if game.black is None:
        return keys["forfeit"] if game.white_code in FORFEITS else keys["bye"]
    if not game.is_played:
        codes = {game.white_code, game.black_code}
        if codes & FORFEITS:
            return keys["forfeit"]
        return keys["no-move"] if codes & SHORT_GAMES else keys["unplayed"]
    if game.mark:
        # A mark is the concept of its reason (D-83).
        return keys[game.mark]
    if conditions.void:
        return conditions.void
    if conditions.has_unequal_times:
        return keys["unequal-times"]
    if conditions.is_match and _has_unrated(game, standings):
        return keys["match-unrated"]
    if is_decided:
        return keys["match-decided"]
    return rules.void_by_ratings(standings.get(game.white, UNRATED), standings.get(game.black, UNRATED))


def _has_unrated(game: ReportedGame, standings: Mapping[int, StatusAtStart]) -> bool:
    sides = (game.white, game.black or 0)
    return any(standings.get(number, UNRATED).status is Status.UNRATED for number in sides)


def _games_after_decision(
    conditions: GameConditions, games: Sequence[ReportedGame]
) -> frozenset[ReportedGame]:
    """Return the games played after one player had more than half of the match's points (5.2, D-17)."""
    if not conditions.is_match or conditions.has_waiver:
        return frozenset()
    met = _opponents_met(games)
    scores: dict[frozenset[int], dict[int, int]] = defaultdict(lambda: defaultdict(int))
    late: set[ReportedGame] = set()
    for game in games:
        score = scores[_match_of(game, met)]
        # In half points, more than the number of games is more than half of the points (D-17).
        if any(points > conditions.rounds for points in score.values()):
            late.add(game)
        # A forfeit scores, too: it may decide the match (D-17).
        score[game.white] += _half_points(game.white_code)
        if game.black is not None:
            score[game.black] += _half_points(game.black_code)
    return frozenset(late)


def _opponents_met(games: Sequence[ReportedGame]) -> dict[int, set[int]]:
    met: dict[int, set[int]] = defaultdict(set)
    for game in games:
        if game.black is not None:
            met[game.white].add(game.black)
            met[game.black].add(game.white)
    return met


def _match_of(game: ReportedGame, met: Mapping[int, set[int]]) -> frozenset[int]:
    """Return the two players of the match; a forfeit that names no opponent belongs to the only one met."""
    if game.black is not None:
        return frozenset({game.white, game.black})
    opponents = met.get(game.white, set())
    return frozenset({game.white, *opponents}) if len(opponents) == 1 else frozenset({game.white})
