"""Played games that are not rated: force majeure and Fair Play, with a reference (FIDE R&B 2024, 4.1)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from core.errors import RefusedError
from ratings.models import Calculation, ParticipantRating, RatingList
from ratings.services.corrections.correct import correct_report
from tests.conftest import NOW
from tests.ratings.services.alphaville import perform_due
from tournaments.choices import GameMark
from tournaments.models import Game, Report, Tournament
from tournaments.services.report_corrections import Mark, mark_games

FAIR_PLAY = Mark(3, 3, GameMark.FAIR_PLAY, "FPL 7/2026")


@pytest.fixture
def mark() -> Callable[..., None]:
    def call(*marks: Mark) -> None:
        mark_games(Tournament.objects.get(), marks, by=None, at=NOW)
        perform_due()

    return call


def outcome(player: int, round_number: int) -> list[Any]:
    row = ParticipantRating.objects.get(player=player)
    return next(outcome for outcome in row.outcomes if outcome[0] == round_number)


def test_4_1_marked_game_counts_for_neither_side(month: Any, mark: Callable[..., None]) -> None:
    mark(FAIR_PLAY)
    for player in (1003, 1001):
        assert outcome(player, 3)[5:] == [["fair-play-4.1"], None, None, None, None, None]
    assert ParticipantRating.objects.get(player=1001).games == 3


def test_4_1_mark_taken_back_counts_again(month: Any, mark: Callable[..., None]) -> None:
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
    with pytest.raises(RefusedError) as error:
        mark_games(Tournament.objects.get(), [FAIR_PLAY, wrong], by=None, at=NOW)
    assert [refusal.code for refusal in error.value.refusals] == [code]
    assert Game.objects.exclude(mark="").count() == 0


def test_d11_single_game_of_a_published_tournament_is_corrected(month: Any, run: Callable[..., Any]) -> None:
    """Without the draw with 1800 (PD .76) the change of 1001 is 20 x .59 in place of 20 x .33."""
    run("publish_lists", "2026-02-01")
    tournament, report = Tournament.objects.get(), Report.objects.get()
    with pytest.raises(RefusedError):
        mark_games(tournament, [FAIR_PLAY], by=None, at=NOW)
    effect = correct_report(
        tournament,
        bytes(report.content),
        file_name="same.trf",
        reason="Fair Play decision",
        by=None,
        on=date(2026, 2, 10),
        at=NOW,
        marks=[FAIR_PLAY],
    )
    assert {line.player_id: line.difference for line in effect.lines} == {1001: 520, 1003: -1040 // 2}
    run("publish_lists", "2026-03-01")
    march = Calculation.objects.get(
        player=1001, rating_list=RatingList.objects.get(kind="rapid", date="2026-03-01")
    )
    assert march.correction_hundredths == 520
    for day in ("2026-02-01", "2026-03-01"):
        assert run("verify_list", "rapid", day)["verified"] is True
