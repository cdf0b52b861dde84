"""What must hold for every tournament and every period, whatever is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.otb.listing import Listing, entry_after
from ratings.systems.otb.period import CorrectionEffect, Period, calculate
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.tournament import GameConditions, games_that_count, rate_tournament
from ratings.systems.otb.values import (
    UNRATED,
    Event,
    Outcome,
    PlayerState,
    PoolShare,
    ReportedGame,
    Status,
    StatusAtStart,
)
from ratings.systems.registry import SHIPPED, texts
from tests.ratings.systems.builders import event

pytestmark = pytest.mark.slow

LIST_DATE = date(2024, 2, 1)
PLAYED = (("1", "0"), ("0", "1"), ("=", "="))
UNPLAYED = (("+", "-"), ("-", "-"), ("W", "L"), ("Z", "Z"))
PLAYERS = 6

rules_of_any_version = st.sampled_from(texts())
ratings = st.integers(min_value=1000, max_value=2900)
k_factors = st.sampled_from((10, 20, 40))
rated_standings = st.builds(StatusAtStart, st.just(Status.RATED), ratings, k_factors)
standings = st.one_of(
    st.just(UNRATED), rated_standings, st.builds(StatusAtStart, st.just(Status.STANDARD), ratings, k_factors)
)
days = st.dates(date(2023, 10, 1), date(2024, 1, 28))


@st.composite
def games(draw: st.DrawFn) -> list[ReportedGame]:
    """Return rounds of six players: games played, marked and not played, and rounds without an opponent."""
    found = []
    for number in range(1, draw(st.integers(1, 6)) + 1):
        order = draw(st.permutations(range(1, PLAYERS + 1)))
        for white, black in zip(order[::2], order[1::2], strict=True):
            kind = draw(st.integers(0, 9))
            if kind == 9:
                found.append(
                    ReportedGame(number, white, None, draw(st.sampled_from("UHFZ+-")), "", is_played=False)
                )
            elif kind == 8:
                found.append(
                    ReportedGame(number, white, black, *draw(st.sampled_from(UNPLAYED)), is_played=False)
                )
            else:
                mark = "fair-play" if kind == 7 else ""
                codes = draw(st.sampled_from(PLAYED))
                found.append(ReportedGame(number, white, black, *codes, is_played=True, mark=mark))
    return found


def fields_of(standing: st.SearchStrategy[StatusAtStart]) -> st.SearchStrategy[dict[int, StatusAtStart]]:
    """Return the standings of the six players."""
    return st.fixed_dictionaries(dict.fromkeys(range(1, PLAYERS + 1), standing))


conditions = st.builds(
    GameConditions,
    rounds=st.integers(1, 8),
    is_match=st.booleans(),
    has_waiver=st.booleans(),
    has_unequal_times=st.booleans(),
)
met = st.tuples(st.one_of(st.none(), ratings), st.integers(0, 2))


@st.composite
def event_lists(draw: st.DrawFn) -> list[Event]:
    return [
        event(
            start,
            draw(st.lists(met, max_size=9)),
            own=own,
            event_id=str(number),
            end=start + timedelta(length),
        )
        for number, (start, length, own) in enumerate(
            draw(st.lists(st.tuples(days, st.integers(0, 2), standings), max_size=5)), start=7
        )
    ]


pool_shares = st.builds(
    PoolShare,
    event_id=st.integers(100, 999).map(str),
    start=st.dates(date(2021, 10, 1), date(2023, 9, 30)),
    end=st.just(date(2023, 9, 30)),
    opponents_sum=st.integers(6000, 9000),
    games=st.just(4),
    half_points=st.integers(0, 8),
)
states = st.one_of(
    st.just(PlayerState()),
    st.builds(
        PlayerState,
        ratings,
        st.integers(-3000, 3000),
        k=k_factors,
        completed=st.integers(0, 60),
        reached_2300=st.booleans(),
    ),
)
corrections = st.one_of(st.none(), st.builds(CorrectionEffect, is_first=st.booleans(), is_lost=st.booleans()))


@st.composite
def periods(draw: st.DrawFn) -> Period:
    return Period(
        list_date=LIST_DATE,
        birth_year=draw(st.one_of(st.none(), st.integers(1940, 2015))),
        state=draw(states),
        events=tuple(draw(event_lists())),
        pool=tuple(draw(st.lists(pool_shares, max_size=3, unique_by=lambda share: share.event_id))),
        correction=draw(corrections),
        barred=draw(st.sampled_from(("", "", "", "excluded-9.1"))),
        void=draw(st.sampled_from(((), ((LIST_DATE - timedelta(days=20), LIST_DATE),)))),
    )


def floats_in(value: Any) -> list[float]:
    """Return the binary floats anywhere in a value."""
    if isinstance(value, float):
        return [value]
    if is_dataclass(value):
        return [found for item in fields(value) for found in floats_in(getattr(value, item.name))]
    if isinstance(value, dict):
        return [found for item in value.items() for found in floats_in(item)]
    if isinstance(value, list | tuple | set | frozenset):
        return [found for item in value for found in floats_in(item)]
    return []


def test_floats_are_found_wherever_they_are() -> None:
    assert floats_in((GameConditions(rounds=2), {1: [StatusAtStart(Status.RATED, 1.5)]})) == [1.5]  # type: ignore[arg-type]


@given(rules_of_any_version, games(), conditions, fields_of(standings))
def test_games_that_count_are_the_pairings_with_a_side_for_which_they_do(
    rules: PeriodRules, played: list[ReportedGame], held: GameConditions, field: dict[int, StatusAtStart]
) -> None:
    rated = rate_tournament(rules, held, played, field)
    pairings = {
        (outcome.round, frozenset((number, outcome.opponent)))
        for number, participation in rated.items()
        for outcome in participation.outcomes
        if outcome.counts
    }
    assert games_that_count(rated.values()) == len(pairings)


@given(rules_of_any_version, st.tuples(ratings, ratings), st.sampled_from(PLAYED))
def test_change_of_a_game_adds_up_to_zero_but_for_the_one_upgrade(
    rules: PeriodRules, pair: tuple[int, int], codes: tuple[str, str]
) -> None:
    """A single game has its upgrade in both texts, so nothing is lost between the two."""
    both = {number: StatusAtStart(Status.RATED, rating, 20) for number, rating in enumerate(pair, start=1)}
    by_number = rate_tournament(
        rules, GameConditions(1), [ReportedGame(1, 1, 2, *codes, is_played=True)], both
    )
    assert by_number[1].change + by_number[2].change == 0


@given(games(), fields_of(rated_standings))
def test_changes_of_a_tournament_of_rated_players_add_up_to_zero(
    rounds: list[ReportedGame], field: dict[int, StatusAtStart]
) -> None:
    by_number = rate_tournament(SHIPPED.text_on(LIST_DATE), GameConditions(6), rounds, field)
    assert sum(part.change for part in by_number.values()) == 0


@given(rules_of_any_version, conditions, games(), fields_of(standings), st.randoms(use_true_random=False))
def test_order_of_the_games_changes_nothing(
    rules: PeriodRules,
    said: GameConditions,
    rounds: list[ReportedGame],
    field: dict[int, StatusAtStart],
    random: Random,
) -> None:
    shuffled = random.sample(rounds, len(rounds))
    assert rate_tournament(rules, said, shuffled, field) == rate_tournament(rules, said, rounds, field)


@given(rules_of_any_version, conditions, games(), fields_of(standings))
def test_numbers_of_the_players_change_nothing(
    rules: PeriodRules, said: GameConditions, rounds: list[ReportedGame], field: dict[int, StatusAtStart]
) -> None:
    renumbered = [
        game._replace(white=game.white + 50, black=None if game.black is None else game.black + 50)
        for game in rounds
    ]
    by_number = rate_tournament(rules, said, rounds, field)
    again = rate_tournament(rules, said, renumbered, {number + 50: own for number, own in field.items()})
    assert [(p.games, p.change, p.opponents_sum) for p in again.values()] == [
        (p.games, p.change, p.opponents_sum) for p in by_number.values()
    ]


@given(rules_of_any_version, conditions, games(), fields_of(standings))
def test_every_outcome_comes_back_from_its_stored_row(
    rules: PeriodRules, said: GameConditions, rounds: list[ReportedGame], field: dict[int, StatusAtStart]
) -> None:
    for part in rate_tournament(rules, said, rounds, field).values():
        for outcome in (*part.outcomes, *part.leave_out("excluded-9.1").outcomes):
            assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome


@given(rules_of_any_version, conditions, games(), fields_of(standings))
def test_rated_again_by_the_same_standing_nothing_changes(
    rules: PeriodRules, said: GameConditions, rounds: list[ReportedGame], field: dict[int, StatusAtStart]
) -> None:
    for part in rate_tournament(rules, said, rounds, field).values():
        if part.standing.status is not Status.STANDARD:
            assert rules.rate_again(part.standing, part.outcomes) == part


@given(st.sampled_from([row.rules for row in SHIPPED.rows]), games(), fields_of(standings), rated_standings)
def test_rated_again_by_another_standing_the_result_is_that_of_a_start_with_it(
    rules: PeriodRules, rounds: list[ReportedGame], field: dict[int, StatusAtStart], own: StatusAtStart
) -> None:
    """7.2.5 and D-2, there and back: only in matches does the status at the start decide whether games count.

    And where D-91 is in force, which is tried by examples.
    """
    for first, second in ((UNRATED, own), (own, UNRATED)):
        start = rate_tournament(rules, GameConditions(6), rounds, {**field, 1: first})[1]
        again = rules.rate_again(second, start.outcomes)
        assert again == rate_tournament(rules, GameConditions(6), rounds, {**field, 1: second})[1]
        assert rules.rate_again(first, again.outcomes) == start


@given(rules_of_any_version, conditions, games(), fields_of(standings))
def test_each_round_has_one_reason_that_decides(
    rules: PeriodRules, said: GameConditions, rounds: list[ReportedGame], field: dict[int, StatusAtStart]
) -> None:
    for part in rate_tournament(rules, said, rounds, field).values():
        for outcome in part.outcomes:
            assert outcome.counts == outcome.reasons[0].startswith(("counted-", "pooled-"))
        counting = [outcome for outcome in part.outcomes if outcome.counts]
        assert part.games == len(counting)
        assert part.change == sum(outcome.change or 0 for outcome in counting)


@given(rules_of_any_version, conditions, games(), fields_of(standings), periods())
def test_no_float_takes_part(
    rules: PeriodRules,
    said: GameConditions,
    rounds: list[ReportedGame],
    field: dict[int, StatusAtStart],
    period: Period,
) -> None:
    result = calculate(period)
    entry = entry_after(
        result, None, Listing(LIST_DATE, LIST_DATE), birth_year=period.birth_year, barred=period.barred
    )
    assert floats_in((rate_tournament(rules, said, rounds, field), result, entry)) == []


@given(periods(), st.randoms(use_true_random=False))
def test_order_of_events_and_pool_changes_nothing(period: Period, random: Random) -> None:
    def shuffled(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(random.sample(values, len(values)))

    other = period._replace(
        events=shuffled(period.events),
        pool=shuffled(period.pool),
    )
    assert calculate(other) == calculate(period)


@given(periods())
def test_a_listed_rating_is_at_least_the_floor_and_the_base_and_change(period: Period) -> None:
    result = calculate(period)
    if result.rating is None:
        return
    assert result.rating >= SHIPPED.text_on(LIST_DATE).floor
    if result.base is not None:
        assert result.rating == result.base + result.rounded
        assert result.change == sum(item.change for item in result.events)
    assert (
        entry_after(result, None, Listing(LIST_DATE, LIST_DATE), birth_year=period.birth_year, barred="")
        is not None
    )


@given(periods())
def test_k_times_n_never_exceeds_700(period: Period) -> None:
    result = calculate(period)
    if result.base is not None:
        assert all(item.k * result.games <= 700 for item in result.events)


@given(st.lists(met, min_size=2, max_size=40), st.integers(1, 39), rated_standings, st.integers(0, 60))
def test_a_rated_players_tournament_of_2024_may_be_split_over_two_of_one_list(
    rounds: list[tuple[int | None, int]], cut: int, own: StatusAtStart, completed: int
) -> None:
    """7.3.2: the sum of a period is that of its games; n, and so K, are those of the list."""
    state = PlayerState(rating=own.rating, k=own.k, completed=completed)
    start = date(2024, 1, 3)
    whole = (event(start, rounds, own=own),)
    halves = (event(start, rounds[:cut], own=own), event(start, rounds[cut:], own=own, event_id="2"))
    one, two = (calculate(Period(LIST_DATE, state=state, events=events)) for events in (whole, halves))
    assert (one.rating, one.games, one.change, one.completed) == (
        two.rating,
        two.games,
        two.change,
        two.completed,
    )


@given(st.lists(met, min_size=2, max_size=9), st.integers(1, 8), ratings)
def test_d3_split_over_two_tournaments_of_2022_each_has_its_one_upgrade(
    rounds: list[tuple[int | None, int]], cut: int, rating: int
) -> None:
    """7.31: a split gives the higher-rated one upgrade more at most, so the change can only grow."""
    own = StatusAtStart(Status.RATED, rating, 20)
    start = date(2023, 12, 3)
    halves = [event(start, part, own=own).participation for part in (rounds[:cut], rounds[cut:])]
    whole = event(start, rounds, own=own).participation
    assert sum(part.games for part in halves) == whole.games
    assert 0 <= sum(part.change for part in halves) - whole.change <= 8


@given(st.lists(met, min_size=2, max_size=20), st.integers(1, 19))
def test_an_unrated_players_tournament_may_be_split_but_for_a_first_event_without_points(
    rounds: list[tuple[int | None, int]], cut: int
) -> None:
    """7.2.2 apart, the pool is the sum of its games."""
    start = date(2024, 1, 3)
    before = (PoolShare("1", date(2023, 12, 1), date(2023, 12, 1), 1800, 1, 1),)
    whole = (event(start, rounds, event_id="2"),)
    halves = (event(start, rounds[:cut], event_id="2"), event(start, rounds[cut:], event_id="3"))
    one, two = (calculate(Period(LIST_DATE, events=events, pool=before)) for events in (whole, halves))
    assert (one.rating, one.games, one.initial, one.outcome) == (
        two.rating,
        two.games,
        two.initial,
        two.outcome,
    )
