"""What players see of their own results is what the list made of them."""

from __future__ import annotations

from datetime import date

import pytest

from players.models import Player
from ratings.models import ParticipantRating
from ratings.queries.own_results import games_of_result, own_result, own_results
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    play,
    play_and_rate,
    publish,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def two() -> tuple[Player, Player]:
    hero, other = PlayerFactory(name="Hero, Hanna"), PlayerFactory(name="Other, Otto")
    on = RatingListFactory(kind="rapid", date=date(2026, 1, 1))
    for player in (hero, other):
        ListEntryFactory(rating_list=on, player=player, rating=1800)
    return hero, other


def test_7_3_3_result_has_the_k_that_its_list_used(two: tuple[Player, Player]) -> None:
    for place in range(3):
        event = TournamentFactory(event_id=f"SUI-{place}", start=date(2026, 1, 5 + 3 * place))
        play_and_rate(event, [*two], [(number, 1, 2, "1-0") for number in range(1, 14)])
    assert {one.points for one in own_results(two[0])} == {20 * 650}
    publish("rapid", date(2026, 2, 1))
    assert {(one.k, one.points) for one in own_results(two[0])} == {(17, 17 * 650)}


def test_report_that_is_not_rated_yet_has_its_games(two: tuple[Player, Player]) -> None:
    report = play(TournamentFactory(event_id="SUI-1"), [*two], [(1, 1, 2, "1-0"), (2, 2, 1, "1/2")])
    ParticipantRating.objects.filter(participant__report=report).delete()
    result = own_result(two[0], "SUI-1")
    assert result is not None
    assert (result.row.pk, result.points) == (None, None)
    games = games_of_result(result)
    found = [(one.outcome.round, one.outcome.colour, one.outcome.half_points) for one in games]
    assert found == [(1, "w", 2), (2, "b", 1)]
    assert [one.opponent and one.opponent.reported_name for one in games] == ["Other, Otto"] * 2
