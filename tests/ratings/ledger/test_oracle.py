"""The oracle against figures worked out by hand: decisions D-11, D-101, D-110, D-112, D-113 and D-114.

Every opponent is rated 1800 unless it is said otherwise, and plays in one event only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.ratings.ledger.facts import (
    Death,
    Event,
    Exclusion,
    Facts,
    Game,
    Imported,
    Person,
    Report,
    StandardList,
)
from tests.ratings.ledger.oracle import Line, lists_of
from tests.ratings.ledger.worlds import facts_of, quiet_world_of, redated

PLAYER, OPPONENTS = 1, range(101, 149)
JANUARY, FEBRUARY, MARCH, APRIL, MAY = (date(2026, month, 1) for month in range(1, 6))
WON, LOST, DRAWN, FORFEIT = "1-0", "0-1", "1/2", "-+"


def opponent(start: date, number: int = 1) -> int:
    """Return the opponent of a round of the event that starts on a day: twelve a month."""
    return OPPONENTS[12 * (start.month - 1) + number - 1]


def games(start: date, results: Sequence[str]) -> tuple[Game, ...]:
    """Return a game a round of the player with White against one opponent after the other."""
    return tuple(
        Game(number, PLAYER, opponent(start, number), result)
        for number, result in enumerate(results, start=1)
    )


def event(start: date, taken_by: date, *results: str, **corrected: tuple[str, ...]) -> Event:
    """Return an event of two days; `april=(...)` are the results by a correction that the April list takes."""
    later = [Report(_month(name), games(start, changed)) for name, changed in corrected.items()]
    reports = (Report(taken_by, games(start, results)), *later)
    return Event(f"E-{start}", start, start + timedelta(days=1), taken_by, reports)


def _month(name: str) -> date:
    return {"february": FEBRUARY, "march": MARCH, "april": APRIL, "may": MAY}[name]


def world(*events: Event, own: Imported | None = None, birth_year: int = 1980) -> Facts:
    """Return the player, rated on 1 January or not, opponents of 1800, and what was played; lists until May."""
    imported = {JANUARY: {fide_id: Imported(1800) for fide_id in OPPONENTS}}
    if own:
        imported[JANUARY][PLAYER] = own
    people = [Person(PLAYER, "FRA", birth_year), *(Person(fide_id) for fide_id in OPPONENTS)]
    return Facts(tuple(people), imported, (FEBRUARY, MARCH, APRIL, MAY), tuple(events))


def line(facts: Facts, on: date, fide_id: int = PLAYER) -> Line:
    return lists_of(facts)[on][fide_id]


def ratings(facts: Facts) -> dict[int, int | None]:
    """Return what the lists show of the player, by month."""
    found: Mapping[date, Mapping[int, Line]] = lists_of(facts)
    return {
        on.month: lines[PLAYER].rating if lines[PLAYER].status == "listed" else None
        for on, lines in found.items()
    }


FOUR_WINS = (*[WON] * 4, FORFEIT)
FIVE_WINS = (WON,) * 5
EARLY, TENTH, MARCH_TENTH = date(2026, 1, 10), date(2026, 2, 10), date(2026, 3, 10)


def test_d_110_ten_losses_count_as_a_rated_players_where_a_correction_made_the_first_rating() -> None:
    """Row 1: 2109, and ten times .86 with K 40."""
    facts = world(event(EARLY, FEBRUARY, *FOUR_WINS, march=FIVE_WINS), event(TENTH, MARCH, *[LOST] * 10))
    march = line(facts, MARCH)
    assert ratings(facts) == {2: None, 3: 1765, 4: 1765, 5: 1765}
    assert (march.state.games, march.state.completed, march.state.k) == (10, 15, 40)
    assert line(facts, MARCH, opponent(TENTH)).rating == 1800


@pytest.mark.parametrize(
    ("month", "expected"),
    [("march", {2: None, 3: 2040, 4: 2040, 5: 2040}), ("april", {2: None, 3: 1895, 4: 2040, 5: 2040})],
)
def test_d_110_two_losses_give_2040_whether_the_correction_comes_before_the_march_list_or_after(
    month: str, expected: dict[int, int | None]
) -> None:
    """Row 2: 2109 - 68.8; pooled, four wins and two losses are 1895."""
    facts = world(event(EARLY, FEBRUARY, *FOUR_WINS, **{month: FIVE_WINS}), event(TENTH, MARCH, LOST, LOST))
    assert ratings(facts) == expected


def test_d_110_a_first_rating_that_shrinks_takes_the_next_loss_into_the_pool() -> None:
    """Row 3: 1958 from five pooled games in March, and -28.4 in April."""
    facts = world(
        event(EARLY, FEBRUARY, *FIVE_WINS, march=FOUR_WINS),
        event(TENTH, MARCH, LOST),
        event(MARCH_TENTH, APRIL, LOST),
    )
    assert ratings(facts) == {2: 2109, 3: 1958, 4: 1930, 5: 1930}
    assert (line(facts, MARCH).state.games, line(facts, MARCH).state.completed) == (1, 5)


def test_d_110_a_loss_counts_on_the_list_on_which_a_first_rating_comes_back() -> None:
    """Row 4: 2109 - 34.4."""
    facts = world(
        event(EARLY, FEBRUARY, *FIVE_WINS, march=FOUR_WINS, april=FIVE_WINS),
        event(MARCH_TENTH, APRIL, LOST),
    )
    assert ratings(facts) == {2: 2109, 3: None, 4: 2075, 5: 2075}


def test_d_110_a_win_counts_on_the_list_on_which_a_death_is_undone() -> None:
    """Row 5: 1810 from a win in January, then .49 with K 20."""
    facts = world(event(EARLY, FEBRUARY, WON), event(MARCH_TENTH, APRIL, WON), own=Imported(1800))
    deaths = (Death(MARCH, PLAYER, date(2026, 2, 20)), Death(APRIL, PLAYER, None))
    assert ratings(replace(facts, deaths=deaths)) == {2: 1810, 3: None, 4: 1820, 5: 1820}


def test_d_114_wins_before_an_exclusion_and_on_the_list_of_return_both_count() -> None:
    """Row 6: 1800, a win of 10 February and one of 14 March; K 20."""
    facts = world(event(TENTH, MARCH, WON), event(date(2026, 3, 14), APRIL, WON), own=Imported(1800))
    exclusion = Exclusion(MARCH, "FRA", date(2026, 2, 20), date(2026, 3, 10))
    found = replace(facts, exclusions=(exclusion,))
    assert ratings(found) == {2: 1800, 3: None, 4: 1820, 5: 1820}
    assert line(found, MARCH).rating == 1810


def test_9_1_what_begins_in_an_exclusion_counts_for_nothing_on_the_lists_that_it_covers() -> None:
    facts = world(event(TENTH, MARCH, WON), event(date(2026, 3, 14), APRIL, WON), own=Imported(1800))
    exclusion = Exclusion(MARCH, "FRA", date(2026, 2, 20), date(2026, 4, 25))
    assert ratings(replace(facts, exclusions=(exclusion,))) == {2: 1800, 3: None, 4: None, 5: 1810}


def test_d_112_2400_is_reached_by_a_published_rating_only() -> None:
    """Row 7: 2395, 2385, 2355. A loss of January becomes a win: February would be 2405, and K stays 20."""
    strong = {fide_id: Imported(2395) for fide_id in OPPONENTS}
    january, february = event(EARLY, FEBRUARY, LOST, april=(WON,)), event(TENTH, MARCH, LOST, LOST, LOST)
    march = event(MARCH_TENTH, APRIL, LOST)
    april = event(date(2026, 4, 10), MAY, WON)
    facts = world(january, february, march, april)
    facts = replace(facts, imported={JANUARY: {PLAYER: Imported(2395), **strong}})
    # 2385 loses thrice to 2395: PD .49, -1.47 with K 20; 2356 would lose .44 to 2395.
    assert ratings(facts) == {2: 2385, 3: 2356, 4: 2367, 5: 2378}
    assert [line(facts, on).state.k for on in (FEBRUARY, MARCH, APRIL, MAY)] == [20] * 4


def test_d_112_a_junior_reaches_2300_by_a_published_rating_only() -> None:
    strong = {fide_id: Imported(2290) for fide_id in OPPONENTS}
    january = event(EARLY, FEBRUARY, LOST, april=(WON,))
    facts = world(january, event(TENTH, MARCH, LOST), own=Imported(2290, 40), birth_year=2010)
    facts = replace(facts, imported={JANUARY: {PLAYER: Imported(2290, 40), **strong}})
    assert ratings(facts) == {2: 2270, 3: 2251, 4: 2291, 5: 2291}
    assert line(facts, MAY).state.k == 40


def test_d_113_a_pool_that_suffices_is_the_base_of_what_the_standard_rating_adds() -> None:
    """Row 8: 2136 from six wins, and -9.6 from 1600 against 1800 with K 40."""
    wins = event(date(2026, 1, 29), MARCH, *[WON] * 6)
    facts = world(wins, event(TENTH, MARCH, LOST))
    facts = replace(facts, standard=(StandardList(FEBRUARY, FEBRUARY, {PLAYER: 1600}),))
    march = line(facts, MARCH)
    assert (march.rating, march.state.games, march.state.completed) == (2126, 7, 7)


def test_d_113_a_pool_that_does_not_suffice_is_emptied_by_the_standard_rating() -> None:
    """1600 - 9.6; three wins of January are never counted again."""
    wins = event(date(2026, 1, 29), MARCH, *[WON] * 3)
    facts = world(wins, event(TENTH, MARCH, LOST))
    facts = replace(facts, standard=(StandardList(FEBRUARY, FEBRUARY, {PLAYER: 1600}),))
    march = line(facts, MARCH)
    assert (march.rating, march.state.completed, march.state.pool) == (1590, 1, ())


def test_d_77_a_standard_list_that_comes_late_corrects_the_lists_since_its_date() -> None:
    """A win of 10 February by 1600 against 1800 is .76 with K 40; the opponent, who lost to 1600, -.76 with K 20."""
    facts = world(event(TENTH, MARCH, WON))
    late = StandardList(FEBRUARY, APRIL, {PLAYER: 1600})
    facts = replace(facts, standard=(late,))
    assert ratings(facts) == {2: None, 3: None, 4: 1630, 5: 1630}
    assert [line(facts, on, opponent(TENTH)).rating for on in (MARCH, APRIL)] == [1800, 1785]


def test_d_101_what_is_undone_leaves_nothing_behind() -> None:
    once = world(event(EARLY, FEBRUARY, *FIVE_WINS), event(TENTH, MARCH, WON, DRAWN))
    changed = event(EARLY, FEBRUARY, *FIVE_WINS, march=(LOST,) * 5, april=FIVE_WINS)
    undone = world(changed, event(TENTH, MARCH, WON, DRAWN))
    assert line(undone, MAY).state == line(once, MAY).state


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_d_110_the_same_corrections_on_other_days_give_the_same_last_list(seed: int) -> None:
    """Ratings differ by the rounding of the lists that took corrections (D-101), K by what lists showed (D-112)."""
    world = quiet_world_of(seed)
    one, other = ([*lists_of(facts_of(item)).values()] for item in (world, redated(world, seed + 1)))
    for fide_id, expected in one[-1].items():
        found = other[-1][fide_id]
        figures = [
            (item.status, item.state.completed, item.is_inactive, item.state.pool)
            for item in (expected, found)
        ]
        assert figures[0] == figures[1]
        taken = max(sum(lines[fide_id].state.is_corrected for lines in lists) for lists in (one, other))
        assert abs((expected.rating or 0) - (found.rating or 0)) <= taken
