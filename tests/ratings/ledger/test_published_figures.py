"""The oracle against changes, lists and a first rating that FIDE published (the arithmetic of 7.3 is the same)."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path

from tests.ratings.ledger.facts import Event, Facts, Game, Imported, Person, Report
from tests.ratings.ledger.oracle import lists_of
from tests.ratings.ledger.regulations import initial_rating, sum_of_changes
from tests.ratings.systems.oracle_figures import rounded

OCTOBER, NOVEMBER = date(2025, 10, 1), date(2025, 11, 1)
RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2"}


def rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    with (folder / "calculations" / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def test_7_3_us_championship_is_as_fide_published_it(real_data: Path) -> None:
    """All twelve ratings of the next list, without what the other event of two players gave."""
    players = list(rows(real_data, "us_championship_2025_players.csv"))
    games = tuple(
        Game(int(row["round"]), int(row["white_fide_id"]), int(row["black_fide_id"]), RESULTS[row["result"]])
        for row in rows(real_data, "us_championship_2025_games.csv")
    )
    event = Event("US", date(2025, 10, 11), date(2025, 10, 24), NOVEMBER, (Report(NOVEMBER, games),))
    imported = {
        int(row["fide_id"]): Imported(int(row["rating_list_2025_10"]), int(row["K"])) for row in players
    }
    people = tuple(Person(fide_id) for fide_id in imported)
    found = lists_of(Facts(people, {OCTOBER: imported}, (NOVEMBER,), (event,)))[NOVEMBER]
    for row in players:
        line = found[int(row["fide_id"])]
        other = Fraction(row["total_change_shown"]) - Fraction(row["K_chg"])
        before = int(row["rating_list_2025_10"])
        assert line.state.games == 11
        assert line.state.total == before + Fraction(row["K_chg"])
        assert before + rounded(line.state.total + other - before) == int(row["rating_list_2025_11"])


def test_7_3_periods_are_as_fide_published_them(real_data: Path) -> None:
    """F-P01 is left out: standard ratings above 2650 have no cap of 400 any more, rapid and blitz ones have."""
    games: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    own = {}
    for row in rows(real_data, "published_games.csv"):
        key = row["fide_id"], row["event_id"]
        games[key].append((int(row["opponent_rating_used"]), int(Fraction(row["score"]) * 2)))
        own[key] = int(row["own_rating_Ro"])
    for period in rows(real_data, "published_periods.csv"):
        if period["case"] == "F-P01":
            continue
        n, change = int(period["games_on_list"]), Fraction(0)
        k = min(int(period["K_on_previous_list"]), 700 // n)
        for key, played in games.items():
            if key[0] == period["fide_id"]:
                change += k * sum_of_changes("2024", own[key], played)
        assert change == Fraction(period["total_change_shown"])


def test_7_2_first_rating_is_as_fide_published_it(real_data: Path) -> None:
    games = [
        (int(row["opponent_rating_used"]), int(Fraction(row["score"]) * 2))
        for row in rows(real_data, "fide_published_initial_rating_F-N01.csv")
    ]
    assert initial_rating("2024", games) == 1922
