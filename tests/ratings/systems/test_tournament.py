"""Which rounds of a report count, and for whom: articles 1.2, 4, 5 and 7.2.1, and rating again (7.2.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from ratings.systems.fide_rapid_blitz_2022 import RULES as RULES_2022
from ratings.systems.fide_rapid_blitz_2024 import RULES as RULES_2024
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.tournament import GameConditions, rate_tournament, seats_of
from ratings.systems.otb.values import UNRATED, Outcome, Participation, ReportedGame, StatusAtStart
from tests.ratings.systems.builders import rated, standard

ONE, TWO = rated(1500), rated(1600)
COUNTED, POOLED, UNRATED_OPPONENT = "counted-7.3.2", "pooled-6.1.4", "unrated-opponent-7.3.1"
BOTH_RULES = pytest.mark.parametrize("rules", [RULES_2022, RULES_2024], ids=lambda rules: rules.slug)


def played(number: int, white: int, black: int, score: str = "1-0", mark: str = "") -> ReportedGame:
    """Return a game that was played: `1-0`, `0-1` or `=-=`."""
    white_code, black_code = score.split("-")
    return ReportedGame(number, white, black, white_code, black_code, is_played=True, mark=mark)


def reasons(part: Participation) -> list[str]:
    """Return the first reason of each round."""
    return [outcome.reasons[0] for outcome in part.outcomes]


def rate(
    games: Sequence[ReportedGame],
    standings: Mapping[int, StatusAtStart],
    conditions: GameConditions | None = None,
    *,
    rules: PeriodRules = RULES_2024,
) -> dict[int, Participation]:
    return rate_tournament(rules, conditions or GameConditions(rounds=9), games, standings)


def test_7_3_2_a_game_of_two_rated_players_gives_both_their_change() -> None:
    by_number = rate([played(3, 1, 2)], {1: ONE, 2: TWO})
    winner = Outcome(3, 2, "w", "1", 2, (COUNTED,), 1600, -100, -100, 36, 64)
    loser = Outcome(3, 1, "b", "0", 0, (COUNTED,), 1500, 100, 100, 64, -64)
    assert by_number == {
        1: Participation(ONE, (winner,), games=1, half_points=2, opponents_sum=1600, change=64),
        2: Participation(TWO, (loser,), games=1, half_points=0, opponents_sum=1500, change=-64),
    }


def test_d_120_a_penalty_counts_for_each_player_with_their_own_score() -> None:
    by_number = rate([played(1, 1, 2, "0-0"), played(2, 2, 1, "=-0")], {1: ONE, 2: TWO})
    assert {number: (part.games, part.half_points, part.change) for number, part in by_number.items()} == {
        1: (2, 0, -36 - 36),
        2: (2, 1, -64 - 14),
    }


@BOTH_RULES
def test_7_3_1_a_game_with_an_unrated_player_counts_for_the_unrated_one_alone(rules: PeriodRules) -> None:
    by_number = rate([played(1, 1, 2, "=-=")], {1: ONE, 2: UNRATED}, rules=rules)
    assert reasons(by_number[1]) == [UNRATED_OPPONENT]
    assert (by_number[1].games, by_number[1].change) == (0, 0)
    pooled = Outcome(1, 1, "b", "=", 1, (POOLED,), 1500)
    assert by_number[2] == Participation(UNRATED, (pooled,), 1, 1, 1500, 0)


def test_6_1_4_a_game_of_two_unrated_players_counts_for_neither() -> None:
    by_number = rate([played(1, 1, 2)], {1: UNRATED, 2: UNRATED})
    assert [reasons(by_number[number]) for number in (1, 2)] == [[UNRATED_OPPONENT], [UNRATED_OPPONENT]]
    assert [by_number[number].games for number in (1, 2)] == [0, 0]


def test_7_2_1_a_standard_rating_counts_as_the_rating_for_both_sides() -> None:
    by_number = rate([played(1, 1, 2)], {1: ONE, 2: standard(1600)})
    assert by_number[1].outcomes[0].reasons == (COUNTED, "standard-rating-7.2.1")
    assert by_number[2].outcomes[0].reasons == (COUNTED, "standard-rating-7.2.1")
    assert (by_number[1].change, by_number[2].change) == (64, -64)


def test_7_2_1_a_standard_rating_makes_a_rated_opponent_for_the_pool() -> None:
    by_number = rate([played(1, 1, 2)], {1: UNRATED, 2: standard(1600)})
    assert by_number[1].outcomes[0].reasons == (POOLED, "standard-rating-7.2.1")
    assert by_number[1].opponents_sum == 1600


def test_participant_without_a_round_has_nothing_counted() -> None:
    assert rate([], {1: ONE}) == {1: Participation(ONE, (), 0, 0, 0, 0)}


def test_rounds_come_in_order_whatever_the_order_of_the_games() -> None:
    games = [played(2, 2, 1), played(1, 1, 2), ReportedGame(3, 1, None, "U", "", is_played=False)]
    seats = seats_of(RULES_2024, GameConditions(3), games, {1: ONE, 2: TWO})
    assert [(seat.round, seat.opponent, seat.colour) for seat in seats[1]] == [
        (1, 2, "w"),
        (2, 2, "b"),
        (3, None, ""),
    ]


# Opponent, both codes, whether it was played; the reason.
UNPLAYED = [
    (None, "U", "", "bye-4.1"),
    (None, "H", "", "bye-4.1"),
    (None, "F", "", "bye-4.1"),
    (None, "Z", "", "bye-4.1"),
    (None, "+", "", "forfeit-4.1"),
    (None, "-", "", "forfeit-4.1"),
    (2, "+", "-", "forfeit-4.1"),
    (2, "-", "+", "forfeit-4.1"),
    (2, "-", "-", "forfeit-4.1"),
    (2, "W", "L", "no-move-4.1"),
    (2, "D", "D", "no-move-4.1"),
    (2, "Z", "Z", "unplayed-4.1"),
]


@pytest.mark.parametrize(("black", "white_code", "black_code", "reason"), UNPLAYED)
def test_4_1_unplayed_rounds_count_for_nobody(
    black: int | None, white_code: str, black_code: str, reason: str
) -> None:
    games = [ReportedGame(1, 1, black, white_code, black_code, is_played=False)]
    for own in (ONE, UNRATED):
        by_number = rate(games, {1: own, 2: TWO})
        assert reasons(by_number[1]) == [reason]
        assert reasons(by_number[2]) == ([reason] if black else [])
        assert [part.games for part in by_number.values()] == [0, 0]


@pytest.mark.parametrize("mark", ["force-majeure", "fair-play"])
def test_4_1_a_marked_game_counts_for_neither_side(mark: str) -> None:
    by_number = rate([played(1, 1, 2, mark=mark), played(2, 1, 2)], {1: ONE, 2: TWO})
    assert [reasons(by_number[number]) for number in (1, 2)] == [[f"{mark}-4.1", COUNTED]] * 2
    assert [part.change for part in by_number.values()] == [64, -64]


def test_1_2_unequal_times_rate_no_game() -> None:
    by_number = rate([played(1, 1, 2)], {1: ONE, 2: TWO}, GameConditions(1, has_unequal_times=True))
    assert [reasons(part) for part in by_number.values()] == [["unequal-times-1.2"]] * 2
    assert [part.games for part in by_number.values()] == [0, 0]


def test_0_2_a_decision_may_void_all_games_and_leaves_forfeits_their_reason() -> None:
    games = [played(1, 1, 2), ReportedGame(2, 1, 2, "+", "-", is_played=False)]
    by_number = rate(games, {1: ONE, 2: TWO}, GameConditions(2, void="president-average-0.2"))
    assert reasons(by_number[1]) == ["president-average-0.2", "forfeit-4.1"]
    assert by_number[1].games == 0


@pytest.mark.parametrize("standings", [{1: ONE, 2: UNRATED}, {1: UNRATED, 2: UNRATED}, {1: UNRATED, 2: TWO}])
def test_5_1_a_match_with_an_unrated_player_is_not_rated(standings: dict[int, StatusAtStart]) -> None:
    for has_waiver in (False, True):
        conditions = GameConditions(2, is_match=True, has_waiver=has_waiver)
        by_number = rate([played(1, 1, 2), played(2, 2, 1)], standings, conditions)
        assert [reasons(part) for part in by_number.values()] == [["match-unrated-5.1"] * 2] * 2
        assert [part.games for part in by_number.values()] == [0, 0]


def test_5_1_a_match_with_a_standard_rating_is_rated() -> None:
    by_number = rate([played(1, 1, 2)], {1: ONE, 2: standard(1600)}, GameConditions(1, is_match=True))
    assert [part.games for part in by_number.values()] == [1, 1]


# Scheduled games, the results from player 1's side (+ and - are forfeits), how many of the played ones count.
MATCHES = [
    (4, "1 1 1 1", [1, 2, 3]),
    (4, "1 1 0 0", [1, 2, 3, 4]),
    (4, "1 1 = 0", [1, 2, 3]),
    (4, "= 1 1 1", [1, 2, 3]),
    (4, "0 0 0 1", [1, 2, 3]),
    (3, "1 1 1", [1, 2]),
    (3, "1 = 1", [1, 2, 3]),
    (3, "= = =", [1, 2, 3]),
    (5, "1 1 = 1 1", [1, 2, 3, 4]),
    (2, "1 1", [1, 2]),
    (2, "1 =", [1, 2]),
    # Forfeits are counted as scored, but not rated.
    (4, "+ + 1 1", [3]),
    (4, "1 + = 1", [1, 3]),
    (4, "- - 0 0", [3]),
    # Fewer games reported than scheduled.
    (8, "1 1 1 1", [1, 2, 3, 4]),
]


def match_of(results: str) -> list[ReportedGame]:
    """Return the games of a match with alternating colours."""
    other = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}
    games = []
    for number, code in enumerate(results.split(), start=1):
        is_played = code in "10="
        if number % 2:
            games.append(ReportedGame(number, 1, 2, code, other[code], is_played=is_played))
        else:
            games.append(ReportedGame(number, 2, 1, other[code], code, is_played=is_played))
    return games


@pytest.mark.parametrize(("rounds", "results", "counting"), MATCHES)
def test_5_2_and_d17_games_after_the_decision_are_not_rated(
    rounds: int, results: str, counting: list[int]
) -> None:
    games = match_of(results)
    by_number = rate(games, {1: ONE, 2: TWO}, GameConditions(rounds, is_match=True))
    for part in by_number.values():
        assert [outcome.round for outcome in part.outcomes if outcome.counts] == counting
        late = [o for o, game in zip(part.outcomes, games, strict=True) if game.is_played and not o.counts]
        assert {outcome.reasons[0] for outcome in late} <= {"match-decided-5.2"}


def test_5_2_a_waiver_requested_beforehand_rates_all_games() -> None:
    conditions = GameConditions(4, is_match=True, has_waiver=True)
    by_number = rate(match_of("1 1 1 1"), {1: ONE, 2: TWO}, conditions)
    assert [part.games for part in by_number.values()] == [4, 4]


def test_5_2_holds_for_matches_alone() -> None:
    by_number = rate(match_of("1 1 1 1"), {1: ONE, 2: TWO}, GameConditions(4))
    assert [part.games for part in by_number.values()] == [4, 4]


def test_d17_a_forfeit_that_names_no_opponent_is_scored_in_the_only_match_of_its_player() -> None:
    games = [
        ReportedGame(1, 1, None, "+", "", is_played=False),
        played(2, 1, 2),
        played(3, 2, 1),
        played(4, 2, 1),
    ]
    by_number = rate(games, {1: ONE, 2: TWO}, GameConditions(3, is_match=True))
    assert reasons(by_number[1]) == ["forfeit-4.1", COUNTED, "match-decided-5.2", "match-decided-5.2"]


def test_d17_matches_of_one_report_are_decided_apart() -> None:
    games = [
        played(1, 1, 2),
        played(2, 1, 2),
        played(3, 1, 2),
        played(1, 3, 4),
        played(2, 4, 3),
        played(3, 3, 4),
    ]
    standings = {number: rated(1500) for number in (1, 2, 3, 4)}
    by_number = rate(games, standings, GameConditions(3, is_match=True))
    assert [by_number[number].games for number in (1, 2, 3, 4)] == [2, 2, 3, 3]


def test_7_31_the_one_upgrade_goes_to_a_game_that_counts() -> None:
    games = [
        played(1, 1, 2, mark="fair-play"),
        played(2, 1, 3),
        ReportedGame(3, 1, 2, "+", "-", is_played=False),
    ]
    standings = {1: rated(2000), 2: rated(1200), 3: rated(1500)}
    by_number = rate(games, standings, rules=RULES_2022)
    assert [outcome.counted_difference for outcome in by_number[1].outcomes] == [None, 400, None]
    assert by_number[3].outcomes[0].counted_difference == -400


def test_7_2_5_one_who_was_unrated_is_rated_again_from_the_current_rating() -> None:
    by_number = rate([played(1, 1, 2), played(2, 3, 1)], {1: UNRATED, 2: TWO, 3: UNRATED})
    again = RULES_2024.rate_again(rated(1500, 40), by_number[1].outcomes)
    assert again == rate([played(1, 1, 2), played(2, 3, 1)], {1: rated(1500, 40), 2: TWO, 3: UNRATED})[1]
    assert reasons(by_number[2]) == [UNRATED_OPPONENT]


def test_d2_one_who_was_rated_is_pooled_again() -> None:
    games = [played(1, 1, 2, "=-="), played(2, 3, 1), ReportedGame(3, 1, None, "H", "", is_played=False)]
    standings = {1: ONE, 2: standard(1600), 3: UNRATED}
    again = RULES_2024.rate_again(UNRATED, rate(games, standings)[1].outcomes)
    assert again == rate(games, {**standings, 1: UNRATED})[1]


def test_d2_the_one_upgrade_is_found_again() -> None:
    games = [played(1, 1, 2), played(2, 1, 3), played(3, 1, 4)]
    standings = {2: rated(1450), 3: rated(1400), 4: rated(1590)}
    again = RULES_2022.rate_again(
        rated(2000), rate(games, {1: UNRATED, **standings}, rules=RULES_2022)[1].outcomes
    )
    assert [outcome.counted_difference for outcome in again.outcomes] == [550, 400, 410]


def test_7_2_5_rates_again_the_game_with_an_opponent_who_later_forfeited() -> None:
    games = [played(1, 1, 2), ReportedGame(2, 2, 1, "-", "+", is_played=False)]
    by_number = rate(games, {1: UNRATED, 2: rated(1500)})
    again = RULES_2024.rate_again(rated(1500), by_number[1].outcomes)
    assert (again.games, again.half_points, again.opponents_sum, again.change) == (1, 2, 1500, 50)


def test_9_1_voided_participation_keeps_its_rounds_and_counts_nothing() -> None:
    part = rate([played(1, 1, 2), ReportedGame(2, 1, None, "H", "", is_played=False)], {1: ONE, 2: TWO})[1]
    voided = part.leave_out("excluded-9.1")
    assert [outcome.reasons for outcome in voided.outcomes] == [("excluded-9.1", COUNTED), ("bye-4.1",)]
    assert (voided.games, voided.half_points, voided.opponents_sum, voided.change) == (0, 0, 0, 0)
    assert [outcome.counts for outcome in voided.outcomes] == [False, False]
