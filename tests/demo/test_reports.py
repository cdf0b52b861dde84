"""Generated tournaments give reports without issues."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.history import seeded_random
from demo.people import everybody
from demo.reports import DemoEvent, Draw, play, play_match
from tournaments.trf import Severity, check_report, read_report
from tournaments.trf.tables import row

PEOPLE = everybody(seeded_random("people"), year=2026)
EVENT = DemoEvent(
    "Any Rapid", "Anywhere", "rapid", (15, 10), date(2026, 5, 9), date(2026, 5, 10), 7, "Arbiter, An"
)


@given(seed=st.integers(0, 10_000), size=st.integers(18, 60))
def test_generated_trf26_report_is_read_without_issues(seed: int, size: int) -> None:
    rng = seeded_random(seed)
    field = [
        (person, person.record.rapid.rating if person.record.rapid else 0)
        for person in rng.sample(PEOPLE, size)
    ]

    played = play(rng, EVENT, field)

    report = read_report(played.content)
    assert report == replace(
        played.report, encoded_time_control="900+10", records=(row("142", EVENT.rounds),)
    )
    assert [item for item in check_report(report) if item.severity != Severity.NOTICE] == []


def test_generated_trf16_report_is_read_back_unchanged() -> None:
    event = replace(EVENT, start=date(2025, 8, 30), end=date(2025, 8, 31))

    played = play(seeded_random(1), event, [(person, 0) for person in PEOPLE[:20]])

    assert read_report(played.content) == played.report


@given(seed=st.integers(0, 10_000))
def test_no_pair_repeats_and_each_player_has_every_round(seed: int) -> None:
    rng = seeded_random(seed)

    played = play(rng, EVENT, [(person, 0) for person in rng.sample(PEOPLE, 21)])

    pairs = [{board.white, board.black} for board in played.boards if board.black is not None]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    for number in range(1, 8):
        seats = [
            seat for board in played.boards if board.round == number for seat in (board.white, board.black)
        ]
        assert sorted(seat for seat in seats if seat) == list(range(1, 22))


def test_turning_a_result_changes_one_game_only() -> None:
    played = play(seeded_random(1), EVENT, [(person, 0) for person in PEOPLE[:20]])

    turned = played.with_result_turned()

    changed = [(one, other) for one, other in zip(played.boards, turned.boards, strict=True) if one != other]
    assert [(one.white_code, other.white_code) for one, other in changed] in ([("1", "0")], [("0", "1")])
    assert changed[0][0].round == 3


@pytest.mark.parametrize("rounds", [1, 8])
def test_colours_alternate_in_a_match(rounds: int) -> None:
    boards = play_match(seeded_random("match"), Draw([2500, 2300], 4), rounds=rounds)

    assert [board.white for board in boards] == [1, 2, 1, 2, 1, 2, 1, 2][:rounds]
