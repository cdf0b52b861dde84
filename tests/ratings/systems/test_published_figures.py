"""Figures published for real events come out of the engine; the arithmetic of 7.3 is that of standard chess."""

from __future__ import annotations

import csv
from collections import defaultdict
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from ratings.systems.arithmetic import half_away_from_zero_hundredths, scoring_probability
from ratings.systems.fide_rapid_blitz_2024 import RULES
from ratings.systems.otb.period import Period, calculate
from ratings.systems.otb.tournament import GameConditions, rate_tournament
from ratings.systems.otb.values import (
    Event,
    Participation,
    PlayerState,
    RatedEvent,
    ReportedGame,
    StatusAtStart,
)
from tests.ratings.systems.builders import event, rated

CODES = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("=", "=")}
# Standard chess takes a difference of more than 400 as it is where a player has 2650 or more; rapid and blitz do not.
EXEMPT = 2650


@pytest.fixture
def championship(real_data: Path) -> tuple[list[dict[str, str]], dict[int, Participation]]:
    """Return the games of the championship as published, and as rated here with the published ratings and K 10."""
    rows = rows_of(real_data, "us_championship_2025_games.csv")
    standings: dict[int, StatusAtStart] = {}
    games = []
    for row in rows:
        white, black = int(row["white_fide_id"]), int(row["black_fide_id"])
        standings[white] = rated(int(row["white_rating_used"]), 10)
        standings[black] = rated(int(row["black_rating_used"]), 10)
        games.append(ReportedGame(int(row["round"]), white, black, *CODES[row["result"]], is_played=True))
    return rows, rate_tournament(RULES, GameConditions(rounds=11), games, standings)


def test_7_3_2_every_change_of_the_championship_is_the_published_one(
    championship: tuple[list[dict[str, str]], dict[int, Participation]],
) -> None:
    rows, by_number = championship
    changes = {
        (number, outcome.round): outcome.change or 0
        for number, part in by_number.items()
        for outcome in part.outcomes
    }
    published = {
        (int(row[f"{side}_fide_id"]), int(row["round"])): (
            hundredths(row[f"{side}_chg"]),
            hundredths(row[f"{side}_K_chg"]),
        )
        for row in rows
        for side in ("white", "black")
    }
    assert len(published) == 132
    assert {key: (change, 10 * change) for key, change in changes.items()} == published


def test_7_3_4_every_total_of_the_championship_is_the_published_one(
    championship: tuple[list[dict[str, str]], dict[int, Participation]], real_data: Path
) -> None:
    _, by_number = championship
    for row in rows_of(real_data, "us_championship_2025_players.csv"):
        part = by_number[int(row["fide_id"])]
        assert (part.games, part.half_points) == (int(row["n"]), half_points(row["w"]))
        assert (part.change, 10 * part.change) == (hundredths(row["chg"]), hundredths(row["K_chg"]))


def test_7_3_4_the_next_list_shows_the_championship_as_published(
    championship: tuple[list[dict[str, str]], dict[int, Participation]], real_data: Path
) -> None:
    _, by_number = championship
    rows = rows_of(real_data, "us_championship_2025_players.csv")
    rows = [row for row in rows if not row["other_event_in_period"]]
    new = {}
    for row in rows:
        number, rating = int(row["fide_id"]), int(row["rating_list_2025_10"])
        state = PlayerState(rating=rating, k=int(row["K"]), completed=30, reached_2400=True)
        played = Event("1", date(2025, 10, 12), date(2025, 10, 24), by_number[number])
        result = calculate(Period(date(2025, 11, 1), state=state, events=(played,)))
        new[number] = (result.rating, result.games)
    published = {
        int(row["fide_id"]): (int(row["rating_list_2025_11"]), int(row["games_list_2025_11"])) for row in rows
    }
    assert len(published) == 10
    assert new == published


def test_7_3_2_every_published_game_has_the_published_change(real_data: Path) -> None:
    """The opponent's rating is published as one within 400 where the difference was more."""
    rows = rows_of(real_data, "published_games.csv")
    exempt = [row for row in rows if is_exempt(row)]
    assert (len(rows), len(exempt)) == (79, 4)
    for row in rows:
        if row in exempt:
            change = 50 * half_points(row["score"]) - scoring_probability(difference_of(row))
        else:
            change = played_in([row]).participation.change
        assert (change, change * int(row["K"])) == (hundredths(row["chg"]), hundredths(row["K_chg"])), row


def test_7_3_3_and_7_3_4_published_periods_have_the_published_k_and_totals(real_data: Path) -> None:
    events = events_by_case(rows_of(real_data, "published_games.csv"))
    tournaments = rows_of(real_data, "published_tournaments.csv")
    for row in rows_of(real_data, "published_periods.csv"):
        if row["case"] == "F-P01":  # exempt games
            continue
        state = PlayerState(
            rating=int(row["rating_previous_list"]), k=int(row["K_on_previous_list"]), completed=30
        )
        result = calculate(Period(list_date_of(row), state=state, events=events[row["case"]]))
        assert (result.games, result.change) == (
            int(row["games_on_list"]),
            hundredths(row["total_change_shown"]),
        )
        assert {of_event(item) for item in result.events} == {
            (t["event_id"], int(t["n"]), half_points(t["w"]), int(t["K"]), hundredths(t["K_chg"]))
            for t in tournaments
            if t["case"] == row["case"]
        }


@pytest.mark.parametrize(("case", "k", "new"), [("F-P03", 10, 2507), ("F-P05", 17, 2146)])
def test_7_3_4_the_next_list_shows_the_published_rating(real_data: Path, case: str, k: int, new: int) -> None:
    """The other periods have a rating that was corrected without a word."""
    (row,) = [row for row in rows_of(real_data, "published_periods.csv") if row["case"] == case]
    state = PlayerState(
        rating=int(row["rating_previous_list"]), k=int(row["K_on_previous_list"]), completed=30
    )
    events = events_by_case(rows_of(real_data, "published_games.csv"))[case]
    result = calculate(Period(list_date_of(row), state=state, events=events))
    assert {item.k for item in result.events} == {k}
    assert result.rating == new == int(row["rating_new_list"])


def test_7_3_4_a_published_total_that_ends_in_a_half_is_rounded_away_from_zero(real_data: Path) -> None:
    (row,) = [row for row in rows_of(real_data, "published_periods.csv") if row["case"] == "F-P01"]
    assert row["total_change_shown"] == "-2.50"
    rounded = half_away_from_zero_hundredths(hundredths(row["total_change_shown"]))
    assert int(row["rating_previous_list"]) + rounded == int(row["rating_new_list"])


def test_7_2_4_the_published_first_rating(real_data: Path) -> None:
    games = [
        (int(row["opponent_rating_used"]), half_points(row["score"]))
        for row in rows_of(real_data, "fide_published_initial_rating_F-N01.csv")
    ]
    result = calculate(Period(date(2025, 4, 1), events=(event(date(2025, 3, 7), games),)))
    assert (result.outcome, result.rating, result.games) == ("initial-7.2.4", 1922, 5)


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "calculations" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def hundredths(text: str) -> int:
    """Return a published figure of two decimals in hundredths."""
    return int(Decimal(text) * 100)


def half_points(score: str) -> int:
    return int(Decimal(score) * 2)


def difference_of(row: dict[str, str]) -> int:
    return int(row["own_rating_Ro"]) - int(row["opponent_rating_used"])


def is_exempt(row: dict[str, str]) -> bool:
    highest = max(int(row["own_rating_Ro"]), int(row["opponent_rating_used"]))
    return abs(difference_of(row)) > 400 and highest >= EXEMPT


def played_in(rows: list[dict[str, str]]) -> Event:
    """Return the event of some published games, with the rating and the K of the list before."""
    games = [(int(row["opponent_rating_used"]), half_points(row["score"])) for row in rows]
    k = {"17": 20}.get(rows[0]["K"], int(rows[0]["K"]))
    own = rated(int(rows[0]["own_rating_Ro"]), k)
    return event(date(2025, 11, 7), games, own=own, event_id=rows[0]["event_id"])


def events_by_case(rows: list[dict[str, str]]) -> dict[str, tuple[Event, ...]]:
    by_event: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        by_event[row["case"], row["event_id"]].append(row)
    events: dict[str, tuple[Event, ...]] = defaultdict(tuple)
    for (case, _), games in by_event.items():
        events[case] += (played_in(games),)
    return events


def list_date_of(row: dict[str, str]) -> date:
    year, month = row["rating_period"].split("-")
    return date(int(year), int(month), 1)


def of_event(item: RatedEvent) -> tuple[str, int, int, int, int]:
    part = item.participation
    return item.event.event_id, part.games, part.half_points, item.k, item.change
