"""Played games that are not rated: force majeure and Fair Play, with a reference (FIDE R&B 2024, 4.1)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.errors import RefusedError
from ratings.models import Calculation, ParticipantRating, RatingList
from ratings.systems.otb.values import Outcome
from tests import make
from tests.codes import refusal
from tests.conftest import NOW
from tests.ratings.alphaville import ALL_PLAY, PLAYERS, entry_of, perform_due, publish
from tests.trf_files import Event
from tournaments.amendments import NotRated
from tournaments.choices import GameMark
from tournaments.marks import Mark, mark_games
from tournaments.models import Game, Report, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

FAIR_PLAY = Mark(3, 3, GameMark.FAIR_PLAY, "FPL 7/2026")


def mark(*marks: Mark) -> None:
    mark_games(Tournament.objects.get(), marks, reason="", by=None, at=NOW)
    perform_due()


def outcome(player: int, round_number: int) -> Outcome:
    row = ParticipantRating.objects.get(player=player)
    return next(outcome for outcome in row.outcomes if outcome.round == round_number)


def test_4_1_marked_game_counts_for_neither_side(month: Any) -> None:
    mark(FAIR_PLAY)
    for player in (1003, 1001):
        assert outcome(player, 3)[5:] == (("fair-play-4.1",), None, None, None, None, None)
    assert ParticipantRating.objects.get(player=1001).games == 3


def test_4_1_mark_taken_back_counts_again(month: Any) -> None:
    before = ParticipantRating.objects.get(player=1001).outcomes
    mark(FAIR_PLAY)
    mark(Mark(3, 3, "", ""))
    assert ParticipantRating.objects.get(player=1001).outcomes == before
    assert Game.objects.exclude(mark_reference="").count() == 0


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (Mark(3, 3, GameMark.FAIR_PLAY, " "), "mark-reference-missing"),
        (Mark(3, 1, GameMark.FAIR_PLAY, "x"), "no-such-game"),
        (Mark(99, 1, GameMark.FORCE_MAJEURE, "x"), "no-such-game"),
    ],
)
def test_4_1_mark_of_no_game_or_without_reference_is_refused(month: Any, wrong: Mark, code: str) -> None:
    with refusal() as error:
        mark_games(Tournament.objects.get(), [FAIR_PLAY, wrong], reason="", by=None, at=NOW)
    assert error.found == [code]
    assert Game.objects.exclude(mark="").count() == 0


def test_d_83_game_of_unequal_times_is_marked_and_not_rated(month: Any) -> None:
    mark(Mark(3, 3, GameMark.UNEQUAL_TIMES, "arbiter's report, armageddon"))
    for player in (1003, 1001):
        assert outcome(player, 3)[5] == ("unequal-times-1.2",)


def test_d_100_list_takes_a_marked_game_only_as_marked(month: Any) -> None:
    """Nobody has rated the tournament anew when the list comes: 20 x .59 in place of 20 x .33 for 1001."""
    mark_games(Tournament.objects.get(), [FAIR_PLAY], reason="", by=None, at=NOW)
    publish("2026-02-01")
    assert entry_of(1001).rating == 2012
    assert Calculation.objects.get(player=1001).change_hundredths == 1180
    assert make.run("verify_list", "rapid", "2026-02-01") == {"verified": True, "reasons": []}


def test_d_100_new_version_keeps_the_marks_of_its_games(month: Any) -> None:
    """The second version has the marked game with colours and starting ranks changed."""
    mark(FAIR_PLAY)
    order = [1, 2, 6, 4, 5, 3]
    players = [PLAYERS[number - 1] for number in order]
    rounds = [[(_rank(order, w), _rank(order, b), result) for w, b, result in games] for games in ALL_PLAY]
    white, black, result = rounds[2][1]
    rounds[2][1] = (black, white, result)
    make.submit(Event(players, rounds), "--event-id", Tournament.objects.get().event_id)
    game = Game.objects.exclude(mark="").get(report__version=2)
    assert (game.round, game.white, game.black) == (3, 1, 6)
    assert (game.mark, game.mark_reference) == ("fair-play", "FPL 7/2026")
    perform_due()
    row = ParticipantRating.objects.get(player=1001, tournament_rating__report__version=2)
    assert row.games == 3


def _rank(order: list[int], number: int) -> int:
    return order.index(number) + 1


def test_d_100_version_without_a_marked_pairing_is_refused_until_staff_remove_the_mark(month: Any) -> None:
    mark(FAIR_PLAY)
    without = [list(games) for games in ALL_PLAY]
    del without[2][1]
    again = Event(PLAYERS, without), "--event-id", Tournament.objects.get().event_id
    with pytest.raises(make.RefusedCommandError) as refused:
        make.submit(*again)
    assert refused.value.args[0]["codes"] == ["marked-game-missing"]
    assert Report.objects.get(state="accepted").version == 1
    mark(Mark(3, 3, "", ""))
    assert make.submit(*again)["accepted"] is True


def test_d_100_correction_by_a_file_keeps_the_marks(month: Any, tmp_path: Any) -> None:
    """Another result in round 5 leaves the game of round 3 unrated; 1001 played in neither's place: no difference."""
    mark_games(Tournament.objects.get(), [FAIR_PLAY], reason="", by=None, at=NOW)
    publish("2026-02-01")
    path = tmp_path / "corrected.trf"
    path.write_bytes(Event(PLAYERS, [*ALL_PLAY[:4], [(3, 6, "1-0"), (4, 2, "0-1"), (5, 1, "0-1")]]).content())
    event_id = Tournament.objects.get().event_id
    effect = make.run(
        "correct_report", event_id, str(path), "--submitted-on", "2026-02-10", "--reason", "Result"
    )
    assert 1001 not in {line["fide_id"] for line in effect["lines"]}
    assert Game.objects.exclude(mark="").get(report__state="accepted").round == 3


def test_d11_single_game_of_a_published_tournament_is_corrected(month: Any) -> None:
    """Without the draw with 1800 (PD .76) the change of 1001 is 20 x .59 in place of 20 x .33."""
    publish("2026-02-01")
    tournament, report = Tournament.objects.get(), Report.objects.get()
    with pytest.raises(RefusedError):
        mark_games(tournament, [FAIR_PLAY], reason="", by=None, at=NOW)
    effect = make.correct_report(
        tournament,
        bytes(report.content),
        file_name="same.trf",
        reason="Fair Play decision",
        on=date(2026, 2, 10),
        at=NOW,
        marks=[NotRated(3, 3, why="fair-play", reference="FPL 7/2026")],
    )
    assert {line.player_id: line.difference_hundredths for line in effect.lines} == {
        1001: 520,
        1003: -1040 // 2,
    }
    publish("2026-03-01")
    march = Calculation.objects.get(
        player=1001, rating_list=RatingList.objects.get(kind="rapid", date="2026-03-01")
    )
    assert march.correction_hundredths == 520
    for day in ("2026-02-01", "2026-03-01"):
        assert make.run("verify_list", "rapid", day)["verified"] is True
