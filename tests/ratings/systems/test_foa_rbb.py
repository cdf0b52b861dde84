"""FIDE Online Arena ratings, by the articles of the RBB regulations and decisions D-40 to D-43."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import foa_rbb
from ratings.systems.foa_rbb import MESSAGES, NEWCOMER, State
from ratings.systems.online.figures import in_points
from ratings.systems.online.values import Game, Outcome, Result, Side, Step
from ratings.systems.tables import dp

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS

# 4.1, as printed: p and dp in six pairs of columns.
TABLE_4_1 = """
1.0 800 .83 273 .66 117 .49 -7 .32 -133 .15 -296
.99 677 .82 262 .65 110 .48 -14 .31 -141 .14 -309
.98 589 .81 251 .64 102 .47 -21 .30 -149 .13 -322
.97 538 .80 240 .63 95 .46 -29 .29 -158 .12 -336
.96 501 .79 230 .62 87 .45 -36 .28 -166 .11 -351
.95 470 .78 220 .61 80 .44 -43 .27 -175 .10 -366
.94 444 .77 211 .60 72 .43 -50 .26 -184 .09 -383
.93 422 .76 202 .59 65 .42 -57 .25 -193 .08 -401
.92 401 .75 193 .58 57 .41 -65 .24 -202 .07 -422
.91 383 .74 184 .57 50 .40 -72 .23 -211 .06 -444
.90 366 .73 175 .56 43 .39 -80 .22 -220 .05 -470
.89 351 .72 166 .55 36 .38 -87 .21 -230 .04 -501
.88 336 .71 158 .54 29 .37 -95 .20 -240 .03 -538
.87 322 .70 149 .53 21 .36 -102 .19 -251 .02 -589
.86 309 .69 141 .52 14 .35 -110 .18 -262 .01 -677
.85 296 .68 133 .51 7 .34 -117 .17 -273 .00 -800
.84 284 .67 125 .50 0 .33 -125 .16 -284
"""

# 4.2, as printed: the differences, PD of the higher and of the lower rated, in two groups of columns.
TABLE_4_2 = """
0-3 .50 .50 198-206 .76 .24
4-10 .51 .49 207-215 .77 .23
11-17 .52 .48 216-225 .78 .22
18-25 .53 .47 226-235 .79 .21
26-32 .54 .46 236-245 .80 .20
33-39 .55 .45 246-256 .81 .19
40-46 .56 .44 257-267 .82 .18
47-53 .57 .43 268-278 .83 .17
54-61 .58 .42 279-290 .84 .16
62-68 .59 .41 291-302 .85 .15
69-76 .60 .40 303-315 .86 .14
77-83 .61 .39 316-328 .87 .13
84-91 .62 .38 329-344 .88 .12
92-98 .63 .37 345-357 .89 .11
99-106 .64 .36 358-374 .90 .10
107-113 .65 .35 375-391 .91 .09
114-121 .66 .34 392-411 .92 .08
122-129 .67 .33 412-432 .93 .07
130-137 .68 .32 433-456 .94 .06
138-145 .69 .31 457-484 .95 .05
146-153 .70 .30 485-517 .96 .04
154-162 .71 .29 518-559 .97 .03
163-170 .72 .28 560-619 .98 .02
171-179 .73 .27 620-735 .99 .01
180-188 .74 .26 736-900 1.0 .00
189-197 .75 .25
"""


def game(result: Result = WIN, time_control: str = "15+10", **changes: Any) -> Game:
    sides = {"white": Side("ada"), "black": Side("bela"), **changes}
    return Game(ended_at=NOON, result=result, time_control=time_control, moves=40, **sides)


def listed(rating: int, **changes: Any) -> State:
    """A member with a first rating from a FIDE list, in hundredths."""
    return State(rating=rating, was_unrated=False, **changes)


def keys(steps: Iterable[Step]) -> list[str]:
    return [step.key for step in steps]


def sentences(outcome: Outcome[State]) -> list[str]:
    return [MESSAGES[step.key] % step.figures for step in outcome.steps]


def after_games(
    results: Iterable[Result], opponents: Iterable[int], state: State = NEWCOMER
) -> Outcome[State]:
    """The outcome of the last of a member's games as White, against rated opponents (hundredths)."""
    outcome = Outcome(state)
    for result, rating in zip(results, opponents, strict=True):
        outcome = foa_rbb.rate_game(outcome.state, listed(rating), game(result)).white
    return outcome


def cells(table: str, width: int) -> list[list[str]]:
    rows = [line.split() for line in table.strip().splitlines()]
    return [row[at : at + width] for row in rows for at in range(0, len(row), width)]


def hundredths(text: str) -> int:
    return int(Fraction(text) * 100)


# Article 2


@pytest.mark.parametrize(
    ("category", "controls"),
    [
        ("rapid", "15+0 25+0 45+0 10+10 15+10 25+10 45+10"),
        ("blitz", "3+0 5+0 10+0 3+2 3+3 5+3"),
        ("bullet", "1+0 2+0 1+1 1+2"),
        (None, "10+5 60+0 20+0 5+2 30+0 2+1 15 rapid"),
    ],
)
def test_2_3_time_control_decides_the_category(category: str | None, controls: str) -> None:
    assert {foa_rbb.category_of(control) for control in controls.split()} == {category}


def test_2_1_game_of_a_member_who_is_not_full_is_unrated() -> None:
    white, black = listed(1800_00), listed(1700_00)
    rated = foa_rbb.rate_game(white, black, game(black=Side("bela", is_full_member=False)))
    reason = Step("unrated-not-full-member-2.1", {"member": "bela"})
    assert (rated.white, rated.black) == (Outcome(white, (reason,)), Outcome(black, (reason,)))
    assert rated.unrated == reason
    assert sentences(rated.white) == ["Not rated: only full members play rated games, and bela is none."]


def test_2_3_game_at_another_time_control_is_unrated() -> None:
    white, black = listed(1800_00), listed(1700_00)
    rated = foa_rbb.rate_game(white, black, game(time_control="10+5"))
    assert rated.unrated == Step("unrated-time-control-2.3", {"time_control": "10+5"})
    assert (rated.white.state, rated.black.state) == (white, black)


@pytest.mark.parametrize(
    ("white_away", "black_away", "white_after", "black_after"),
    [(True, False, 1790_00, 1810_00), (False, True, 1810_00, 1790_00)],
)
def test_2_4_disconnected_player_has_lost_whatever_the_result(
    white_away: bool, black_away: bool, white_after: int, black_after: int
) -> None:
    white, black = Side("ada", is_disconnected=white_away), Side("bela", is_disconnected=black_away)
    rated = foa_rbb.rate_game(listed(1800_00), listed(1800_00), game(DRAW, white=white, black=black))
    assert (rated.white.state.rating, rated.black.state.rating) == (white_after, black_after)
    assert keys(rated.white.steps)[0] == keys(rated.black.steps)[0] == "disconnected-2.4"


# Article 3


def test_3_14_gain_of_0_6_is_shown_as_1800_twice() -> None:
    """0.6 points are K 20 and dR .03, at a difference of 518 to 559."""
    before = listed(1799_60)
    after = foa_rbb.rate_game(before, listed(1250_00), game()).white
    assert (before.shown, after.state.exact, after.state.shown) == (1800, "1800.20", 1800)
    assert sentences(after) == [
        "D = 550, from 1799.60 against 1250.00, rounded to a whole number.",
        "Score 1 less the scoring probability 0.97: 0.03.",
        "K = 20 for rapid and blitz.",
        "From 1799.60 by 0.60 to 1800.20.",
    ]


@pytest.mark.parametrize(
    ("rating", "shown"), [(2215_50, 2216), (2215_49, 2215), (2215_00, 2215), (100_00, 100)]
)
def test_3_13_half_a_point_is_shown_upwards(rating: int, shown: int) -> None:
    assert listed(rating).shown == shown


@pytest.mark.parametrize(
    ("category", "ratings", "rating", "key"),
    [
        ("rapid", {"rapid": 1900, "standard": 2000, "blitz": 1800}, 1900, "first-rating-listed-3.4.1"),
        ("rapid", {"rapid": None, "standard": 2000, "blitz": 1800}, 2000, "first-rating-listed-3.4.1"),
        ("rapid", {"blitz": 1800}, None, "no-first-rating-3.5"),
        ("blitz", {"rapid": 1900, "standard": 2000, "blitz": 1800}, 1800, "first-rating-listed-3.4.2"),
        ("blitz", {"rapid": 1900, "standard": 2000}, 1900, "first-rating-listed-3.4.2"),
        ("blitz", {"standard": 2000}, 2000, "first-rating-listed-3.4.2"),
        ("bullet", {"rapid": 1900, "standard": 2000, "blitz": 1800}, 1800, "first-rating-listed-3.4.3"),
        ("bullet", {"rapid": 1900, "standard": 2000}, 1900, "first-rating-listed-3.4.3"),
        ("bullet", {"standard": 2000}, 2000, "first-rating-listed-3.4.3"),
        ("bullet", {}, None, "no-first-rating-3.5"),
    ],
)
def test_3_4_first_rating_comes_from_the_fide_lists_in_order(
    category: str, ratings: dict[str, int | None], rating: int | None, key: str
) -> None:
    outcome = foa_rbb.first_state(category, ratings, list_date=date(2026, 3, 1))
    assert outcome.state.shown == rating
    assert outcome.state.was_unrated is (rating is None)
    assert outcome.state.adjusted_on == date(2026, 3, 1)
    assert keys(outcome.steps) == [key]


def test_3_6_1_losses_before_the_first_draw_or_win_are_disregarded() -> None:
    outcome = after_games([LOSS, LOSS], [1500_00, 2500_00])
    assert outcome.state == NEWCOMER
    assert keys(outcome.steps) == ["loss-disregarded-3.6.1"]


def test_3_6_2_losses_after_the_first_target_count() -> None:
    outcome = after_games([LOSS, DRAW, LOSS], [1500_00, 1600_00, 1701_25])
    assert outcome.state == State(games=2, opponents_sum=3301_25, half_points=1)
    assert outcome.steps == (
        Step("second-target-3.6.2", {"opponent": "1701.25", "score": "0", "games": 2, "remaining": 3}),
    )


@pytest.mark.parametrize(
    ("results", "rating", "key"),
    [
        ([WIN, WIN, DRAW, LOSS, LOSS], 1600_00, "even-score-3.7.3"),
        ([WIN, WIN, WIN, LOSS, LOSS], 1620_00, "plus-score-3.7.4"),
        ([WIN, WIN, WIN, WIN, WIN], 1700_00, "plus-score-3.7.4"),
        ([WIN, WIN, LOSS, LOSS, LOSS], 1528_00, "minus-score-3.7.5"),
        ([DRAW, LOSS, LOSS, LOSS, LOSS], 1234_00, "minus-score-3.7.5"),
    ],
)
def test_3_7_five_results_give_the_first_rating(results: list[Result], rating: int, key: str) -> None:
    outcome = after_games(results, [1400_00, 1500_00, 1600_00, 1700_00, 1800_00])
    assert outcome.state == State(rating=rating, games=5)
    assert keys(outcome.steps) == ["second-target-3.6.2", "average-3.7.1", key, "first-rating-3.7.2"]


@pytest.mark.parametrize(
    ("last", "rating"), [(1500_02, 1500_00), (1500_03, 1500_01), (1500_07, 1500_01), (1500_08, 1500_02)]
)
def test_3_7_1_average_has_two_decimals_half_up(last: int, rating: int) -> None:
    outcome = after_games([DRAW] * 5, [1500_00] * 4 + [last])
    assert outcome.state.rating == rating


@pytest.mark.parametrize("half_points", range(1, 5))
def test_3_7_5_dp_is_that_of_the_table(half_points: int) -> None:
    results = [DRAW] * half_points + [LOSS] * (5 - half_points)
    outcome = after_games(results, [1500_00] * 5)
    assert outcome.state.rating == 1500_00 + 100 * dp(10 * half_points)


def test_d_40_first_rating_under_the_floor_starts_over_from_the_first_target() -> None:
    low = after_games([DRAW, LOSS, LOSS, LOSS, LOSS], [465_99] * 5)
    assert low.state == NEWCOMER
    assert keys(low.steps)[-1] == "first-rating-under-floor-D-40"
    assert after_games([LOSS], [465_99], low.state).state == NEWCOMER
    assert after_games([DRAW, LOSS, LOSS, LOSS, LOSS], [466_00] * 5).state.rating == 100_00


def test_3_8_rated_player_is_not_affected_by_an_unrated_one() -> None:
    rated = foa_rbb.rate_game(listed(1500_00), NEWCOMER, game(LOSS))
    assert rated.unrated is None
    assert rated.white == Outcome(listed(1500_00), (Step("unrated-opponent-3.8", {}),))
    assert rated.black.state == State(games=1, opponents_sum=1500_00, half_points=2)


def test_3_6_game_between_two_unrated_players_counts_for_nothing() -> None:
    pooled = State(games=2, opponents_sum=3000_00, half_points=2)
    rated = foa_rbb.rate_game(pooled, NEWCOMER, game())
    assert (rated.white.state, rated.black.state) == (pooled, NEWCOMER)
    assert rated.unrated == Step("both-unrated-3.6", {})


@pytest.mark.parametrize(
    ("state", "time_control", "k"),
    [
        (listed(1500_00), "15+0", 20),
        (listed(1500_00), "3+2", 20),
        (listed(1500_00), "1+1", 10),
        (State(rating=1500_00, games=5), "15+0", 40),
        (State(rating=1500_00, games=29), "3+0", 40),
        (State(rating=1500_00, games=29), "1+0", 40),
        (State(rating=1500_00, games=30), "15+0", 20),
        (State(rating=1500_00, games=30), "1+0", 10),
    ],
)
def test_3_10_k_factor(state: State, time_control: str, k: int) -> None:
    outcome = foa_rbb.rate_game(state, listed(1500_00), game(time_control=time_control)).white
    assert outcome.state.rating == 1500_00 + 50 * k
    assert outcome.state.games == state.games + 1
    assert outcome.steps[2].figures["k"] == k


def test_d_42_the_five_first_games_and_every_game_between_rated_players_make_the_30() -> None:
    state = after_games([DRAW] * 5, [1500_00] * 5).state
    ks = []
    for _ in range(26):
        outcome = foa_rbb.rate_game(state, listed(state.rating or 0), game(DRAW)).white
        state = foa_rbb.rate_game(outcome.state, NEWCOMER, game(DRAW)).white.state
        ks.append(outcome.steps[2].figures["k"])
    assert ks == [40] * 25 + [20]


@pytest.mark.parametrize(
    ("own", "opponent", "difference"),
    [
        (1500_49, 1500_00, 0),
        (1500_50, 1500_00, 1),
        (1500_00, 1500_50, -1),
        (1503_49, 1500_00, 3),
        (1503_50, 1500_00, 4),
        (1500_00, 1503_50, -4),
        (2500_00, 1500_00, 1000),
    ],
)
def test_d_41_difference_of_exact_ratings_is_rounded_half_up(
    own: int, opponent: int, difference: int
) -> None:
    outcome = foa_rbb.rate_game(listed(own), listed(opponent), game()).white
    assert outcome.steps[0].figures["difference"] == difference


def test_3_9_difference_is_not_capped_at_400() -> None:
    rated = foa_rbb.rate_game(listed(2400_00), listed(1600_00), game(LOSS))
    assert (rated.white.state.rating, rated.black.state.rating) == (2380_00, 1620_00)


def test_3_3_rating_under_the_floor_is_lost_and_found_anew() -> None:
    lost = foa_rbb.rate_game(listed(109_99), listed(109_99), game(LOSS)).white
    assert lost.state == NEWCOMER
    assert keys(lost.steps)[-2:] == ["new-rating-3.9.2", "rating-lost-3.3"]
    kept = foa_rbb.rate_game(listed(110_00), listed(110_00), game(LOSS)).white
    assert kept.state == listed(100_00, games=1)
    again = after_games([DRAW] * 5, [1000_00] * 5, lost.state).state
    assert again == State(rating=1000_00, was_unrated=True, games=5)


# 3.15 and D-43


@pytest.mark.parametrize(
    ("change", "rating"),
    [
        (Fraction(12), 1512_00),
        (Fraction(-33, 10), 1496_70),
        (Fraction(1, 8), 1500_13),
        (Fraction(-1, 8), 1499_88),
        (0, 1500_00),
    ],
)
def test_3_15_change_of_the_fide_list_is_added_half_up(change: Fraction, rating: int) -> None:
    outcome = foa_rbb.adjust(listed(1500_00, games=3), change, list_date=date(2026, 3, 1))
    assert outcome.state == listed(rating, games=3, adjusted_on=date(2026, 3, 1))
    assert keys(outcome.steps) == ["adjustment-3.15"]


def test_d_43_a_list_is_added_once() -> None:
    once = foa_rbb.adjust(listed(1500_00), 12, list_date=date(2026, 3, 1)).state
    twice = foa_rbb.adjust(once, 12, list_date=date(2026, 3, 1))
    assert twice == Outcome(once, (Step("adjusted-already-D-43", {"list": "2026-03-01"}),))
    assert foa_rbb.adjust(once, 12, list_date=date(2026, 4, 1)).state.rating == 1524_00


def test_d_43_an_unrated_member_gets_nothing_then_or_later() -> None:
    outcome = foa_rbb.adjust(NEWCOMER, 12, list_date=date(2026, 3, 1))
    assert outcome.state == State(adjusted_on=date(2026, 3, 1))
    assert keys(outcome.steps) == ["adjustment-unrated-D-43"]
    rated = after_games([DRAW] * 5, [1500_00] * 5, outcome.state).state
    assert foa_rbb.adjust(rated, 12, list_date=date(2026, 3, 1)).state.rating == 1500_00


def test_3_3_adjustment_under_the_floor_loses_the_rating() -> None:
    outcome = foa_rbb.adjust(listed(110_00), Fraction(-1001, 100), list_date=date(2026, 3, 1))
    assert outcome.state == State(adjusted_on=date(2026, 3, 1))
    assert keys(outcome.steps) == ["adjustment-3.15", "rating-lost-3.3"]


# A cancelled game


def test_cancelled_game_gives_its_change_back_at_todays_rating() -> None:
    before, after, today = listed(1500_00, games=7), listed(1509_40, games=8), listed(1533_35, games=12)
    outcome = foa_rbb.reverse_game(today, before=before, after=after)
    assert outcome.state == listed(1523_95, games=11)
    assert sentences(outcome) == ["A game was cancelled: from 1533.35 by -9.40 to 1523.95."]


def test_cancelled_game_may_lose_the_rating() -> None:
    outcome = foa_rbb.reverse_game(listed(105_00), before=listed(200_00), after=listed(206_00))
    assert outcome.state == NEWCOMER
    assert keys(outcome.steps) == ["cancelled-change", "rating-lost-3.3"]


@pytest.mark.parametrize("results", [[LOSS], [DRAW], [DRAW] * 5, [DRAW, LOSS, LOSS, LOSS, LOSS]])
def test_cancelled_latest_game_is_undone(results: list[Result]) -> None:
    *earlier, last = results
    before = after_games(earlier, [480_00] * len(earlier)).state
    after = after_games([last], [480_00], before).state
    adjusted = foa_rbb.adjust(after, 0, list_date=date(2026, 4, 1)).state
    assert foa_rbb.reverse_game(after, before=before, after=after).state == before
    undone = foa_rbb.reverse_game(adjusted, before=before, after=after).state
    assert undone == replace(before, adjusted_on=date(2026, 4, 1))


def test_cancelled_result_leaves_the_five() -> None:
    first = after_games([WIN], [1500_00]).state
    second = after_games([DRAW], [1600_00], first).state
    today = after_games([LOSS], [1700_00], second).state
    outcome = foa_rbb.reverse_game(today, before=first, after=second)
    assert outcome.state == State(games=2, opponents_sum=3200_00, half_points=2)
    assert keys(outcome.steps) == ["cancelled-result"]


def test_cancelled_first_target_leaves_only_losses_that_no_longer_count() -> None:
    first = after_games([WIN], [1500_00]).state
    today = after_games([LOSS, LOSS], [1700_00] * 2, first).state
    assert foa_rbb.reverse_game(today, before=NEWCOMER, after=first).state == NEWCOMER


def test_cancelled_game_behind_a_first_rating_leaves_it() -> None:
    first = after_games([WIN], [1500_00]).state
    rated = after_games([DRAW] * 4, [1500_00] * 4, first).state
    outcome = foa_rbb.reverse_game(rated, before=NEWCOMER, after=first)
    assert outcome.state == rated
    assert keys(outcome.steps) == ["cancelled-nothing"]


# Article 4


def test_4_1_every_cell() -> None:
    printed = {hundredths(p): int(difference) for p, difference in cells(TABLE_4_1, 2)}
    assert {p: dp(p) for p in range(101)} == printed


@pytest.mark.parametrize(("differences", "higher", "lower"), cells(TABLE_4_2, 3))
def test_4_2_every_cell(differences: str, higher: str, lower: str) -> None:
    first, last = (int(difference) for difference in differences.split("-"))
    for difference in range(first, last + 1):
        strong, weak = listed(1100_00 + 100 * difference), listed(1100_00)
        rated = foa_rbb.rate_game(strong, weak, game(LOSS))
        assert rated.white.steps[1].figures["pd"] == in_points(hundredths(higher))
        assert rated.black.steps[1].figures["pd"] == in_points(hundredths(lower))
        assert (rated.white.state.rating or 0) == (strong.rating or 0) - 20 * hundredths(higher)
        assert (rated.black.state.rating or 0) == (weak.rating or 0) + 20 * (100 - hundredths(lower))


# What always holds

rated_states = st.builds(listed, st.integers(200_00, 3000_00))
results = st.sampled_from(Result)
members = ["ada", "bela", "cleo", "dov"]
pairs = st.permutations(members).map(lambda order: (order[0], order[1]))
streams = st.lists(st.tuples(pairs, results, st.booleans()), max_size=60)


@given(rated_states, rated_states, results)
def test_changes_add_up_to_zero_where_both_have_the_same_k(
    white: State, black: State, result: Result
) -> None:
    rated = foa_rbb.rate_game(white, black, game(result))
    total = (white.rating or 0) + (black.rating or 0)
    assert (rated.white.state.rating or 0) + (rated.black.state.rating or 0) == total


def replay(stream: list[Any], *, through_json: bool) -> dict[str, State]:
    states = {"ada": listed(1500_00), "bela": listed(104_00), "cleo": NEWCOMER, "dov": NEWCOMER}
    for (white, black), result, is_disconnected in stream:
        side = Side(white, is_disconnected=is_disconnected)
        played = game(result, white=side, black=Side(black))
        rated = foa_rbb.rate_game(states[white], states[black], played)
        for member, outcome in ((white, rated.white), (black, rated.black)):
            assert all(sentences(outcome))
            stored = json.loads(json.dumps(outcome.state.to_dict()))
            states[member] = State.from_dict(stored) if through_json else outcome.state
    return states


@given(streams)
def test_replay_gives_the_same_states_also_through_json(stream: list[Any]) -> None:
    assert replay(stream, through_json=True) == replay(stream, through_json=False)


@given(streams)
def test_no_rating_is_ever_under_the_floor(stream: list[Any]) -> None:
    ratings = [state.rating for state in replay(stream, through_json=False).values()]
    assert [rating for rating in ratings if rating is not None and rating < 100_00] == []


@given(st.dates(min_value=date(2024, 1, 1)), st.integers(100_00, 3000_00))
def test_state_round_trips_through_json(day: date, rating: int) -> None:
    state = State(rating, was_unrated=False, games=7, adjusted_on=day)
    assert State.from_dict(json.loads(json.dumps(state.to_dict()))) == state


def test_step_round_trips_through_json() -> None:
    step = Step("k20-3.10.1", {"k": 20, "games": 3})
    assert Step.from_dict(json.loads(json.dumps(step.to_dict()))) == step


@given(rated_states, rated_states, results)
def test_cancelling_the_latest_game_gives_the_rating_before_it(
    white: State, black: State, result: Result
) -> None:
    after = foa_rbb.rate_game(white, black, game(result)).white.state
    assert foa_rbb.reverse_game(after, before=white, after=after).state == white
