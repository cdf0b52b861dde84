"""What the games of a list say of its ratings: each figure by hand."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.lists import read_lists
from ratings.models import ListEntry, RatingList
from ratings.statistics import Results, Scores, Stayed, results_of
from tests import make

pytestmark = pytest.mark.django_db
FEBRUARY = date(2026, 2, 1)


@pytest.fixture
def february() -> RatingList:
    """Return a list on which 2700 drew with 1500 and beat 2500, 2500 beat 2000, and 2000 drew with 1500.

    An unrated player drew with 2700.
    """
    first = make.rating_list()
    rated = [make.entry(rating_list=first, rating=rating).player for rating in (2700, 1500, 2500, 2000)]
    pairings = [(1, 1, 2, "1/2"), (1, 3, 4, "1-0"), (2, 1, 3, "1-0"), (2, 4, 2, "1/2"), (3, 1, 5, "1/2")]
    make.play_and_rate(make.tournament(event_id="SUI-FAR"), [*rated, make.player()], pairings)
    return make.publish("rapid", FEBRUARY)


def test_7_1_2_scores_are_compared_with_the_table_by_difference(february: RatingList) -> None:
    scores = results_of(february, read_lists()).scores
    # 200 points are .76, 500 are .96, 1200 are 1.00; each game once, from the side of the higher rated.
    assert [first for first, _one in scores] == [*range(0, 801, 50)]
    by_band = {first: one for first, one in scores if one.games}
    assert by_band == {200: Scores(1, 2, 76), 500: Scores(2, 3, 192), 800: Scores(1, 1, 100)}
    assert (by_band[500].score_tenths, by_band[500].expected_tenths, by_band[500].gap_tenths) == (
        750,
        960,
        -210,
    )


def test_change_is_that_of_players_who_stayed_active() -> None:
    lists = [make.rating_list(date=day) for day in (date(2025, 1, 1), date(2025, 3, 1), FEBRUARY)]
    for rating in (1500, 1600, 1700, 1800, 1900):
        player = make.player()
        for rating_list, change in zip(lists, (-100, 0, 25), strict=True):
            make.entry(rating_list=rating_list, player=player, rating=rating + change)
    _oldest, before, now = lists
    ListEntry.objects.filter(rating_list=now, rating=1525).update(is_inactive=True)
    ListEntry.objects.filter(rating_list=before, rating=1600).update(is_inactive=True)
    ListEntry.objects.filter(rating_list=before, rating=1700).delete()
    ListEntry.objects.filter(rating_list=now, rating=1925).update(rating=1896)
    # The oldest list is more than 12 months before. 1800 gained 25, 1900 lost 4.
    stayed = results_of(now, read_lists()).stayed
    assert stayed == Stayed(before.date, players=2, change=21)
    assert stayed.mean_tenths == 105


def test_a_first_list_has_nothing_to_look_back_on() -> None:
    assert results_of(make.rating_list(), read_lists()) == Results(
        scores=[], initial=0, stayed=None, months=[]
    )
