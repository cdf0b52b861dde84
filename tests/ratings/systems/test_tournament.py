"""Which rounds of a report count, and for whom: articles 1.2, 4 and 5, and rating again by another status (7.2.5)."""

from __future__ import annotations

from ratings.systems.fide_rapid_blitz_2024 import RULES as RULES_2024
from ratings.systems.otb.tournament import Conditions, rate_tournament
from ratings.systems.otb.values import UNRATED, Game, Standing, Status

RATED_1500 = Standing(Status.RATED, 1500, 20)


def test_7_2_5_rates_again_the_game_with_an_opponent_who_later_forfeited() -> None:
    games = [
        Game(1, 1, 2, "1", "0", is_played=True),
        Game(2, 2, 1, "-", "+", is_played=False),
    ]
    by_number = rate_tournament(RULES_2024, Conditions(2), games, {1: UNRATED, 2: RATED_1500})
    again = RULES_2024.rate_again(RATED_1500, by_number[1].outcomes)
    assert (again.games, again.half_points, again.opponents_sum, again.change) == (1, 2, 1500, 50)
