"""D-91: from 600 points on, a game with a rating above 2600 is not rated. The text is on offer, not adopted."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.systems.calculators import Met, OwnPlayer, rating_change
from ratings.systems.fide_rapid_blitz_2024 import RULES as RULES_2024
from ratings.systems.fide_rapid_blitz_2024_12 import RULES
from ratings.systems.otb.tournament import GameConditions, games_that_count, rate_tournament
from ratings.systems.otb.values import UNRATED, ReportedGame, StatusAtStart
from ratings.systems.registry import SHIPPED, meaning_of, rules_named
from tests.ratings.systems.builders import DRAW, LOSS, WIN, rated, standard

KEY = "difference-600-7.3.1"
DAY = date(2026, 1, 10)

# Both ratings, and whether the game is rated.
CASES = [
    (2601, 2001, False),
    (2601, 2002, True),
    (2600, 2000, True),
    (2600, 1400, True),
    (2700, 2100, False),
    (2850, 1400, False),
    (2700, 2101, True),
    (2400, 1500, True),
]


@pytest.mark.parametrize(("one", "other", "is_rated"), CASES)
def test_d_91_game_counts_for_neither_side(one: int, other: int, is_rated: bool) -> None:
    games = [ReportedGame(1, 1, 2, "1", "0", is_played=True), ReportedGame(2, 2, 1, "=", "=", is_played=True)]
    result = rate_tournament(RULES, GameConditions(2), games, {1: rated(one), 2: rated(other)})
    assert {number: part.games for number, part in result.items()} == dict.fromkeys(
        (1, 2), 2 if is_rated else 0
    )
    assert games_that_count(result.values()) == (2 if is_rated else 0)
    firsts = {outcome.reasons[0] for part in result.values() for outcome in part.outcomes}
    assert firsts == {"counted-7.3.2" if is_rated else KEY}


@pytest.mark.parametrize("own", [UNRATED, standard(1500)])
def test_d_91_pools_are_not_concerned_and_standard_ratings_count(own: StatusAtStart) -> None:
    games = [ReportedGame(1, 1, 2, "0", "1", is_played=True)]
    part = rate_tournament(RULES, GameConditions(1), games, {1: own, 2: rated(2700)})[1]
    assert part.games == (1 if own is UNRATED else 0)


def test_d_91_ratings_at_the_start_decide_where_the_own_status_changed() -> None:
    """Unrated at the start and rated meanwhile counts; rated at the start and not any more is not pooled."""
    games = [ReportedGame(1, 1, 2, "0", "1", is_played=True)]
    as_unrated = rate_tournament(RULES, GameConditions(1), games, {1: UNRATED, 2: rated(2700)})[1]
    assert RULES.rate_again(rated(1500), as_unrated.outcomes).games == 1
    as_rated = rate_tournament(RULES, GameConditions(1), games, {1: rated(1500), 2: rated(2700)})[1]
    again = RULES.rate_again(UNRATED, as_rated.outcomes)
    assert (again.games, again.outcomes[0].reasons[0]) == (0, KEY)


def test_d_91_is_on_offer_and_everything_else_is_the_text_of_2024() -> None:
    assert rules_named("fide-rapid-blitz-2024-12") is RULES
    assert RULES not in [row.rules for row in SHIPPED.rows]
    assert (RULES.floor, RULES.cap, RULES.most_points) == (1400, 400, 700)
    games = [Met(2050, WIN), Met(1500, DRAW), Met(1640, LOSS)]
    assert rating_change(RULES, OwnPlayer(2100, 20), games, on=DAY) == rating_change(
        RULES_2024, OwnPlayer(2100, 20), games, on=DAY
    )


def test_d_91_explains_itself_and_leaves_the_words_of_others() -> None:
    assert RULES.reasons[KEY].article == "7.3.1"
    assert "2600" in meaning_of("7.3.1", RULES)
    assert "2600" not in meaning_of("7.3.1", RULES_2024)
    assert "2600" not in meaning_of("7.3.1")


def test_d_91_calculators_show_the_case() -> None:
    results = [
        rating_change(rules, OwnPlayer(2650, 10), [Met(2000, DRAW)], on=DAY) for rules in (RULES_2024, RULES)
    ]
    assert [result.rating for result in results] == [2646, 2650]
    assert results[1].events[0].participation.outcomes[0].reasons == (KEY,)
