"""What the QC's indicators mark, and what they do not."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.reported import games_of, scored_games, suited_thresholds
from tests import make
from tournaments.indicators import indicators_of
from tournaments.models import Participant
from tournaments.patterns import OwnReport, PlayedMeeting, YearOfGames, rising_pool, unseen_tournament


def test_wins_that_cross_a_threshold_are_indicated() -> None:
    own = OwnReport({1: 11, 2: 12, 3: 13, 4: 14}, {4: "Buyer, Bo"}, [(1, 4, "0"), (4, 2, "1"), (3, 4, "0")])
    ratings = {1: 2150, 2: 2140, 3: 2160, 4: 1980}

    told = [
        found.sentence
        for found in suited_thresholds(own, ratings, scored_games(games_of(own), ratings, cap=400))
    ]

    assert told == [
        (
            "Buyer, Bo, rated 1980, scored 3.0 of 3 against opponents rated at least 100 points higher, which "
            "happens once in 47 tournaments. The rating rises to 2000."
        )
    ]


@pytest.mark.django_db
def test_phantom_tournament_is_indicated() -> None:
    swiss = make.federation(code="SUI")
    players = [make.player(federation=swiss) for _number in range(6)]
    event = make.tournament(federation=swiss)
    make.play(event, players, make.round_robin(6, "1-0"))

    assert [found.sentence for found in indicators_of(event) if found.code == "unseen-players"] == [
        (
            "6 of 6 players have no other tournament within a year, and the results are unusually regular: "
            "everyone met everyone, and no game was left unplayed · the player with the better "
            "starting rank won almost every game."
        )
    ]


@pytest.mark.django_db
def test_pool_that_rises_together_is_indicated() -> None:
    swiss = make.federation(code="SUI")
    members = [make.player(federation=swiss) for _number in range(4)]
    for month in range(1, 5):
        event = make.tournament(federation=swiss, start=date(2026, month, 10))
        report = make.play(event, [*members, make.player(federation=swiss)], make.round_robin(5))
        Participant.objects.filter(report=report, number__lt=5).update(rating=1500 + 40 * month)

    sentences = [found.sentence for found in indicators_of(event) if found.code == "rising-pool"]

    assert len(sentences) == 1
    assert "these 4 players play almost only each other and rose by 120 points on average" in sentences[0]


def test_ordinary_club_has_no_indicators() -> None:
    people = [(0, number) for number in range(1, 7)]
    meetings = [
        PlayedMeeting(event, one, other, 1)
        for event in (1, 2, 3)
        for one in people
        for other in people
        if one < other
    ]
    own = OwnReport({number: number for number in range(1, 7)}, {}, [])
    rises = dict(zip(people, (120, 90, -80, -60, -40, -30), strict=True))

    assert list(rising_pool(3, YearOfGames(meetings, {}, own, rises=rises))) == []
    assert list(unseen_tournament(3, YearOfGames(meetings, {}, own))) == []


def test_unplayed_game_makes_the_table_incomplete() -> None:
    games = [(1, 2, "0"), (3, 4, "0"), (5, 6, "0")]
    own = OwnReport({number: number for number in range(1, 7)}, {}, games, unplayed=1)

    assert list(unseen_tournament(1, YearOfGames([], {}, own))) == []
