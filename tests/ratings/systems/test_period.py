"""What a list makes of a player: changes, K, status, first ratings by a standard rating, corrections, withholding."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.systems.otb.period import (
    CorrectionEffect,
    Period,
    PeriodResult,
    calculate,
    own_standing,
)
from ratings.systems.otb.values import UNRATED, Event, KFactor, PlayerState, StatusAtStart
from ratings.systems.registry import SHIPPED
from tests.ratings.systems.builders import DRAW, LOSS, WIN, Met, event, rated, share, standard

MARCH, APRIL, MARCH_7 = date(2026, 3, 1), date(2026, 4, 1), date(2026, 3, 7)
LAST_OF_2022_TEXT, FIRST_OF_2024_TEXT = date(2023, 12, 30), date(2024, 1, 2)
EVEN: Met = (1500, WIN)  # half a point more than expected of a player of 1500


def listed(
    state: PlayerState, *events: Event, on: date = APRIL, correction: CorrectionEffect | None = None
) -> PeriodResult:
    return calculate(Period(on, None, state, events, correction=correction))


def figures(result: PeriodResult) -> tuple[str, int | None, int, int]:
    """Return the outcome, the rating and games on the list, the games completed."""
    return result.outcome, result.rating, result.games, result.completed


def test_6_1_the_change_is_added_to_the_rating_of_the_previous_list() -> None:
    result = listed(PlayerState(rating=1650, k=20, completed=30), event(MARCH_7, [EVEN], own=rated(1500)))
    assert (result.base, result.rating) == (1650, 1660)


def test_6_1_without_a_game_the_rating_stays() -> None:
    no_game = event(MARCH_7, [(None, WIN)], own=rated(1500))
    assert figures(listed(PlayerState(rating=1500, k=20, completed=3), no_game)) == (
        "unchanged-6.1",
        1500,
        0,
        3,
    )


@pytest.mark.parametrize(("games", "k"), [(35, 20), (36, 19), (39, 17)])
def test_7_3_3_n_is_counted_over_all_tournaments_of_the_list(games: int, k: int) -> None:
    events = (
        event(MARCH_7, [(1500, DRAW)] * 30 + [(None, WIN)] * 9, own=rated(1500)),
        event(date(2026, 3, 20), [EVEN] * (games - 30), own=rated(1500), event_id="2"),
    )
    result = listed(PlayerState(rating=1500, k=20, completed=30), *events)
    assert [item.k for item in result.events] == [k, k]
    assert (result.games, result.change) == (games, k * 50 * (games - 30))


def test_7_3_3_each_tournament_has_its_own_k() -> None:
    december = event(date(2023, 12, 20), [EVEN] * 10, own=rated(1500, 20))
    january = event(FIRST_OF_2024_TEXT, [EVEN] * 10, own=rated(1500, 40), event_id="2")
    result = listed(PlayerState(rating=1500, k=40), december, january, on=date(2024, 2, 1))
    assert [item.k for item in result.events] == [20, 35]
    assert (result.change, result.rating) == ((20 + 35) * 500, 1775)


def test_7_3_3_more_than_700_games_leave_no_k() -> None:
    result = listed(PlayerState(rating=1500, k=10), event(MARCH_7, [EVEN] * 701, own=rated(1500, 10)))
    assert (result.events[0].k, result.rating) == (0, 1500)


# Status at the start, rating on the list before: the own status by which the result is rated.
OWN_STATUS = [
    (rated(1500, 40), PlayerState(rating=1500, k=40), rated(1500, 40)),
    (rated(1500, 40), PlayerState(rating=1555, k=20), rated(1500, 40)),
    (rated(1500, 40), PlayerState(), UNRATED),
    (UNRATED, PlayerState(), UNRATED),
    (UNRATED, PlayerState(rating=1555, k=40), rated(1555, 40)),
    (UNRATED, PlayerState(rating=1555, k=10), rated(1555, 10)),
    (UNRATED, PlayerState(rating=1555, difference=-149, k=10), rated(1554, 10)),
    (standard(1800), PlayerState(), standard(1800)),
    (standard(1800), PlayerState(rating=1555, k=20), standard(1800)),
]


@pytest.mark.parametrize(("start", "state", "own"), OWN_STATUS)
def test_d2_own_status_is_that_of_the_list_before(
    start: StatusAtStart, state: PlayerState, own: StatusAtStart
) -> None:
    assert own_standing(event(MARCH_7, [EVEN], own=start), state) == own


def test_d4_a_tournament_of_2023_has_k_20_by_the_current_rating_too() -> None:
    late = event(LAST_OF_2022_TEXT, [EVEN])
    assert own_standing(late, PlayerState(rating=1500, k=40))[:3] == rated(1500, 20)[:3]


def test_7_2_5_an_unrated_player_who_is_rated_by_now_is_rated_from_the_current_rating() -> None:
    result = listed(PlayerState(rating=1600, k=40, completed=7), event(MARCH_7, [(1600, WIN), (None, WIN)]))
    assert figures(result) == ("change-7.3.4", 1620, 1, 8)
    assert result.events[0].own == rated(1600, 40)
    assert result.shares == ()


def test_d2_results_of_one_who_lost_the_rating_are_pooled() -> None:
    result = listed(PlayerState(), event(MARCH_7, [(1800, DRAW)] * 5, own=rated(1405)))
    assert figures(result) == ("initial-7.2.4", 1800, 5, 5)
    assert result.events[0].participation.change == 0


def test_7_2_1_first_rating_is_the_standard_rating_and_the_change() -> None:
    result = listed(PlayerState(), event(MARCH_7, [EVEN, (None, WIN)], own=standard(1500)))
    assert figures(result) == ("first-by-standard-7.2.1", 1520, 1, 1)
    assert (result.base, result.closes_pool) == (1500, True)


def test_7_2_1_without_a_counting_game_no_rating_comes_of_a_standard_rating() -> None:
    result = listed(PlayerState(), event(MARCH_7, [(None, WIN)], own=standard(1500)))
    assert figures(result) == ("no-game-6.1.4", None, 0, 0)


def test_7_2_1_one_who_has_a_rating_by_now_keeps_the_standard_rating_for_that_tournament() -> None:
    result = listed(PlayerState(rating=1600, k=40, completed=5), event(MARCH_7, [EVEN], own=standard(1500)))
    assert figures(result) == ("change-7.3.4", 1620, 1, 6)


def test_d5_the_base_is_the_standard_rating_at_the_start_of_the_earliest_tournament() -> None:
    events = (
        event(date(2026, 3, 20), [EVEN], own=standard(1500), event_id="1"),
        event(MARCH_7, [(1700, WIN)], own=standard(1700), event_id="2"),
        event(date(2026, 2, 20), [(None, WIN)], own=standard(1900), event_id="3"),
    )
    result = listed(PlayerState(), *events)
    assert (result.base, result.change, result.rating) == (1700, 4000, 1740)
    assert [item.event.event_id for item in result.events] == ["3", "2", "1"]


def test_d21_a_standard_rating_has_k_40_and_20_by_the_text_of_2022() -> None:
    result = listed(
        PlayerState(), event(LAST_OF_2022_TEXT, [EVEN], own=standard(1500, 20)), on=date(2024, 2, 1)
    )
    assert (result.change, result.rating) == (1000, 1510)


@pytest.mark.parametrize(
    ("on", "rating", "outcome"),
    [
        (date(2023, 12, 1), 1390, "change-7.3.4"),
        (date(2024, 1, 1), None, "below-floor-6.2.1"),
    ],
)
def test_d14_the_floor_is_that_of_the_text_in_force_on_the_lists_date(
    on: date, rating: int | None, outcome: str
) -> None:
    result = listed(
        PlayerState(rating=1400, k=20), event(date(2023, 11, 3), [(1400, LOSS)], own=rated(1400)), on=on
    )
    assert (result.rating, result.outcome, result.rounded) == (rating, outcome, -10)


@pytest.mark.parametrize(("rating", "new"), [(1410, 1400), (1409, None)])
def test_6_2_1_a_rating_below_1400_is_lost(rating: int, new: int | None) -> None:
    state = PlayerState(rating=rating, k=20, completed=90, reached_2300=True)
    result = listed(state, event(MARCH_7, [(rating, LOSS)], own=rated(rating)))
    assert (result.rating, result.completed) == (new, 91 if new else 0)
    assert (result.games, result.reached_2300) == (1, True)


def test_d14_the_floor_holds_without_a_game_too() -> None:
    no_game = event(MARCH_7, [(None, WIN)], own=rated(1399))
    assert figures(listed(PlayerState(rating=1399, k=20), no_game)) == ("below-floor-6.2.1", None, 0, 0)


def test_d22_one_who_fell_below_the_floor_has_an_empty_pool() -> None:
    by_standard = event(MARCH_7, [(1405, LOSS)], own=standard(1405))
    pool = (share(date(2026, 1, 1), [1800] * 4, 4),)
    result = calculate(Period(APRIL, events=(by_standard,), pool=pool))
    assert figures(result) == ("below-floor-6.2.1", None, 1, 0)
    assert (result.base, result.closes_pool, result.pool) == (1405, True, ())


@pytest.mark.parametrize(
    ("rating", "reached"), [(2289, (False, False)), (2290, (True, False)), (2390, (True, True))]
)
def test_7_3_3_what_a_published_rating_reaches_stays_reached(rating: int, reached: tuple[bool, bool]) -> None:
    result = listed(PlayerState(rating=rating, k=20), event(MARCH_7, [(rating, WIN)], own=rated(rating)))
    assert (result.rating, result.reached_2300, result.reached_2400) == (rating + 10, *reached)
    later = listed(
        PlayerState(rating=1500, k=10, reached_2300=reached[0], reached_2400=reached[1]),
        event(MARCH_7, [EVEN], own=rated(1500, 10)),
    )
    assert (later.reached_2300, later.reached_2400) == reached


def test_d4_the_lists_k_is_that_of_its_date() -> None:
    state = PlayerState(rating=1500, k=20, completed=12)
    found = [
        SHIPPED.text_on(day).list_k(state, birth_year=1990, on=day)
        for day in (date(2023, 12, 1), date(2024, 1, 1))
    ]
    assert found == [KFactor(20, "k20-7.32"), KFactor(40, "k40-newcomer-7.3.3")]


def test_events_are_taken_by_start_end_and_id_as_a_number() -> None:
    ids = ["10", "9", "8", "7"]
    ends = {"7": date(2026, 3, 9), "8": date(2026, 3, 8), "9": MARCH_7, "10": MARCH_7}
    events = tuple(event(MARCH_7, [EVEN], own=rated(1500), event_id=i, end=ends[i]) for i in ids)
    result = calculate(Period(APRIL, state=PlayerState(rating=1500, k=20), events=events))
    assert [item.event.event_id for item in result.events] == ["9", "10", "8", "7"]


def test_d11_the_difference_of_a_correction_is_rounded_with_the_change() -> None:
    played = event(MARCH_7, [(2128, DRAW)], own=rated(2100, 10))
    result = listed(PlayerState(2100, 30, k=10, completed=28), played, correction=CorrectionEffect())
    assert (result.change, result.correction, result.rounded, result.rating) == (40, 30, 1, 2101)
    assert (result.outcome, result.completed) == ("change-7.3.4", 29)


def test_d11_a_correction_alone_changes_the_rating() -> None:
    result = listed(PlayerState(2100, -450, k=10, completed=3), correction=CorrectionEffect())
    assert figures(result) == ("correction-D-11", 2095, 0, 3)


def test_d110_games_of_one_whom_a_correction_made_rated_are_those_of_a_rated_player() -> None:
    """2109 loses ten games to 1800: D 309, PD .86; K 40, which 700 / 10 leaves: 344 points."""
    state, correction = PlayerState(rating=2109, k=40, completed=5), CorrectionEffect(is_first=True)
    assert figures(listed(state, correction=correction)) == ("corrected-first-D-11", 2109, 0, 5)
    result = listed(state, event(MARCH_7, [(1800, LOSS)] * 10), correction=correction)
    assert figures(result) == ("corrected-first-D-11", 1765, 10, 15)


def test_d110_games_of_one_who_lost_the_rating_by_a_correction_are_pooled() -> None:
    """Four wins stay in the pool and one game is lost: p 5 / 7 = .71, dp 158."""
    pool, correction = (share(date(2026, 1, 10), [1800] * 4, 8),), CorrectionEffect(is_lost=True)
    lost = calculate(Period(APRIL, pool=pool, correction=correction))
    assert (figures(lost), lost.closes_pool) == (("initial-lost-D-11", None, 0, 0), False)
    played = event(MARCH_7, [(1800, LOSS)], own=rated(2109, 40))
    result = calculate(Period(APRIL, events=(played,), pool=pool, correction=correction))
    assert figures(result) == ("initial-7.2.4", 1958, 1, 5)


SIX_WINS = event(date(2026, 3, 1), [(1800, WIN)] * 6)


def test_d113_change_by_the_standard_rating_is_added_to_the_initial_rating() -> None:
    """Six wins: p 7 / 8 = .88, dp 336, so 2136; 1600 loses to 1800, PD .24, K 40: 9.60 less."""
    result = listed(PlayerState(), SIX_WINS, event(MARCH_7, [(1800, LOSS)], own=standard(1600)))
    assert figures(result) == ("initial-7.2.4", 2126, 7, 7)
    assert (result.base, result.change, result.closes_pool) == (2136, -960, True)


def test_d113_without_five_games_the_standard_rating_is_the_base_and_the_pool_is_emptied() -> None:
    pooled = event(date(2026, 3, 1), [(1800, WIN)] * 4)
    result = listed(PlayerState(), pooled, event(MARCH_7, [(1800, LOSS)], own=standard(1600)))
    assert figures(result) == ("first-by-standard-7.2.1", 1590, 1, 1)
    assert (result.base, result.closes_pool) == (1600, True)


def test_d113_k_is_reduced_by_all_games_of_the_list() -> None:
    """Twelve games by the standard rating and six of the pool: 700 / 18 = 38."""
    result = listed(PlayerState(), SIX_WINS, event(MARCH_7, [(1600, LOSS)] * 12, own=standard(1600)))
    assert [item.k for item in result.events] == [0, 38]
    assert result.games == 18


BARRED = pytest.mark.parametrize("barred", ["excluded-9.1", "deceased-9.2"])


@BARRED
def test_9_1_nothing_counts_for_one_who_may_not_be_listed(barred: str) -> None:
    state = PlayerState(rating=1500, k=20, completed=44, reached_2300=True)
    played = event(MARCH_7, [EVEN], own=rated(1500))
    result = calculate(Period(APRIL, None, state, (played,), barred=barred))
    assert figures(result) == (barred, None, 0, 44)
    assert (result.kept, result.base, result.change, result.reached_2300) == (1500, 1500, 0, True)
    (item,) = result.events
    assert (item.own, item.k, item.participation.games) == (rated(1500), 0, 0)
    assert item.participation.outcomes[0].reasons == (barred, "counted-7.3.2")


@BARRED
def test_9_1_the_pool_of_one_who_may_not_be_listed_is_kept(barred: str) -> None:
    pool = (share(date(2026, 1, 1), [1800] * 4, 4),)
    result = calculate(Period(APRIL, events=(event(MARCH_7, [(1800, DRAW)] * 5),), pool=pool, barred=barred))
    assert (figures(result), result.shares, result.closes_pool) == ((barred, None, 0, 0), (), False)


EXCLUDED_ON_20 = {"barred": "excluded-9.1", "void": ((date(2026, 2, 20), date.max),)}


def test_d114_event_that_began_before_the_exclusion_counts_for_the_rating_that_is_kept() -> None:
    before = event(date(2026, 2, 19), [(1800, WIN)], own=rated(1800))
    since = event(date(2026, 2, 20), [(1800, WIN)], own=rated(1800))
    state = PlayerState(rating=1800, k=20, completed=44)
    result = calculate(Period(MARCH, None, state, (before, since), **EXCLUDED_ON_20))
    assert figures(result) == ("excluded-9.1", None, 1, 45)
    assert (result.kept, result.base, result.change) == (1810, 1800, 1000)
    assert [item.participation.games for item in result.events] == [1, 0]


def test_d114_pool_of_an_excluded_player_may_give_a_rating_that_is_kept() -> None:
    events = (event(date(2026, 2, 19), [(1800, DRAW)] * 5),)
    result = calculate(Period(MARCH, events=events, **EXCLUDED_ON_20))
    assert (result.rating, result.kept, result.completed, result.closes_pool) == (None, 1800, 5, True)


def test_d112_rating_that_is_kept_but_not_published_has_reached_nothing() -> None:
    played = event(date(2026, 2, 19), [(2390, WIN)] * 5, own=rated(2390))
    state = PlayerState(rating=2390, k=20, completed=44, reached_2300=True)
    result = calculate(Period(MARCH, None, state, (played,), **EXCLUDED_ON_20))
    assert (result.kept, result.reached_2400) == (2440, False)


def test_9_1_on_re_admission_the_rating_is_shown_again() -> None:
    result = listed(PlayerState(rating=1500, k=20, completed=44))
    assert figures(result) == ("unchanged-6.1", 1500, 0, 44)


def test_d14_the_floor_holds_for_a_rating_that_is_shown_again() -> None:
    assert figures(listed(PlayerState(rating=1399, k=20, completed=44))) == ("below-floor-6.2.1", None, 0, 0)


def test_d11_a_correction_of_a_withheld_rating_is_kept_with_it() -> None:
    state = PlayerState(1500, -150, k=20, completed=43)
    result = calculate(Period(APRIL, None, state, correction=CorrectionEffect(), barred="excluded-9.1"))
    assert (result.kept, result.rounded, result.completed) == (1498, -2, 43)


def test_d11_a_withheld_first_rating_may_be_taken_away() -> None:
    result = calculate(Period(APRIL, correction=CorrectionEffect(is_lost=True), barred="excluded-9.1"))
    assert (result.rating, result.kept) == (None, None)
