"""Trials equal a second calculation by the verifier, which shares no code with the engine."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.models import RatingList
from ratings.services.text_trials import kept_part, tried_on
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    play_and_rate,
    publish,
    round_robin,
)
from tests.tools.tried_again import CAP_500_K_30, TRIED, Ratings, disagreements, ratings_under

pytestmark = pytest.mark.django_db
RATINGS = (2700, 2650, 2080, 1990, 1510, 1405)
RESULTS = ("1-0", "1/2", "0-1")


@pytest.fixture
def february() -> RatingList:
    """Return a list with games over 400, 500 and 600 points, an initial rating and a lost rating."""
    first = RatingListFactory()
    rated = [
        ListEntryFactory(rating_list=first, rating=rating, k_factor=10 if rating > 2400 else 20).player
        for rating in RATINGS
    ]
    games = round_robin(len(RATINGS) + 1)
    pairings = [(*game[:3], RESULTS[number % 3]) for number, game in enumerate(games)]
    play_and_rate(TournamentFactory(event_id="SUI-FAR"), [*rated, PlayerFactory()], pairings)
    return publish("rapid", date(2026, 2, 1))


@pytest.mark.parametrize("name", TRIED)
def test_trial_agrees_with_the_verifier(name: str, february: RatingList) -> None:
    month = kept_part(tried_on(february, TRIED[name].rules))
    ratings = ratings_under(february, name)
    assert len(ratings) > 2
    assert disagreements(month, ratings) == []


def test_different_figures_are_reported(february: RatingList) -> None:
    month = kept_part(tried_on(february, TRIED[CAP_500_K_30].rules))
    first = month["differences"][0]
    ratings: Ratings = ratings_under(february, CAP_500_K_30)
    ratings[first["fide_id"]] = (first["before"], first["after"] + 1)
    faults = disagreements(month, ratings)
    assert [fault.split()[0] for fault in faults] == ["distribution", str(first["fide_id"])]
