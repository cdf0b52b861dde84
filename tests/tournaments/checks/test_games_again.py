"""Games that are rated in another event already (D-117), without a database."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from tournaments.checks.games_again import compare_games
from tournaments.other_reports import Played, RecordedEvent, Span

FIRST, LAST = date(2026, 10, 5), date(2026, 10, 19)
Rounds = dict[int, str]


def played(rounds: Rounds) -> Played:
    """Return games by round: `12=` is the game of 1 with White against 2, a draw."""
    return {
        number: Counter((int(game[0]), int(game[1]), game[2]) for game in games.split())
        for number, games in rounds.items()
    }


def event(first: date = FIRST, last: date = LAST, *rounds: date) -> RecordedEvent:
    return RecordedEvent(1, 1, "OCT", "October", "rapid", first, last, dict(Counter(rounds)))


FOUR = {1: "121 34=", 2: "310 241", 3: "14= 231"}
REPEATED = {1: "121 34=", 2: "310 241", 3: "14= 231", 4: "211 43=", 5: "13= 421"}
OTHER_PAIRS = {1: "561 78=", 2: "750 681", 3: "58= 671"}


MERGED = {number: f"{FOUR[number]} {OTHER_PAIRS[number]}" for number in FOUR}


@pytest.mark.parametrize(
    ("mine", "theirs", "common", "rounds"),
    [
        pytest.param(FOUR, FOUR, 6, (1, 2, 3), id="the-same"),
        pytest.param(REPEATED, FOUR, 6, (1, 2, 3), id="the-whole-after-a-part"),
        pytest.param(FOUR, REPEATED, 6, (1, 2, 3), id="a-part-after-the-whole"),
        pytest.param({1: "211 43=", 2: "13= 421"}, REPEATED, 4, (1, 2), id="last-rounds-after-the-whole"),
        pytest.param({4: "121 34=", 5: "310 241", 6: "43="}, FOUR, 4, (4, 5), id="renumbered"),
        pytest.param(MERGED, FOUR, 6, (1, 2, 3), id="two-groups-merged"),
        pytest.param(OTHER_PAIRS, MERGED, 6, (), id="one-group-after-both"),
        pytest.param({1: "121", 2: "34= 310", 3: "241"}, FOUR, 4, (1, 2, 3), id="rounds-split"),
        pytest.param({1: "121 34=", 2: "130 421"}, FOUR, 2, (), id="one-whole-round"),
        pytest.param({1: "121 341", 2: "310 421"}, FOUR, 2, (), id="two-games"),
        pytest.param({1: "121 341", 2: "310 240"}, FOUR, 2, (), id="corrected-results"),
        pytest.param({1: "121 341", 2: "130 240"}, FOUR, None, (), id="one-game"),
        pytest.param({1: "210 43="}, FOUR, None, (), id="colours-exchanged"),
        pytest.param({1: "120 341", 2: "311 240"}, FOUR, None, (), id="other-results"),
        pytest.param(OTHER_PAIRS, FOUR, None, (), id="other-pairs"),
        pytest.param({1: "121", 2: "211", 3: "121"}, {1: "121", 2: "211"}, 2, (1, 2, 3), id="a-match"),
        pytest.param({1: "121"}, {1: "121", 2: "121"}, None, (), id="once-of-twice"),
    ],
)
def test_d117_games_on_days_that_overlap(
    mine: Rounds, theirs: Rounds, common: int | None, rounds: tuple[int, ...]
) -> None:
    days = dict.fromkeys(mine, Span(FIRST, LAST))

    found = compare_games(played(mine), played(theirs), event(), days)

    assert (found and (found.common, found.rounds)) == (None if common is None else (common, rounds))


LATER = Span(date(2026, 11, 2), date(2026, 11, 16))


@pytest.mark.parametrize(
    ("days", "of_event", "expected"),
    [
        pytest.param(Span(FIRST, FIRST), event(), (6, (1, 2, 3)), id="of-the-event"),
        pytest.param(Span(FIRST, FIRST), event(FIRST, LAST, FIRST, LAST), (6, (1, 2, 3)), id="of-a-round"),
        pytest.param(Span(FIRST, LATER.last), event(), (6, (1, 2, 3)), id="uncertain"),
        pytest.param(LATER, event(), (6, ()), id="other-days"),
        pytest.param(
            Span(date(2026, 10, 7), date(2026, 10, 7)),
            event(FIRST, LAST, FIRST, LAST),
            (6, ()),
            id="between-rounds",
        ),
    ],
)
def test_d117_on_other_days_the_whole_event_is_compared(
    days: Span, of_event: RecordedEvent, expected: tuple[int, tuple[int, ...]]
) -> None:
    found = compare_games(played(FOUR), played(FOUR), of_event, dict.fromkeys(FOUR, days))
    assert found is not None
    assert (found.common, found.rounds) == expected


def test_d117_a_part_on_other_days_is_another_event() -> None:
    assert compare_games(played(REPEATED), played(FOUR), event(), dict.fromkeys(REPEATED, LATER)) is None
