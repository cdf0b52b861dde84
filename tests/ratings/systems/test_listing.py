"""Entries from list to list: what is shown, carried over, withheld, lost and inferred from an import."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ratings.systems.otb.listing import (
    DECEASED,
    EntryFigures,
    EntryStatus,
    Listing,
    carried_over,
    entry_after,
    imported_entry,
    state_of,
)
from ratings.systems.otb.period import EXCLUDED, CorrectionEffect, Period, calculate
from ratings.systems.otb.values import Event, PlayerState
from tests.ratings.systems.builders import DRAW, LOSS, WIN, event, rated

APRIL, MARCH, MARCH_7 = date(2026, 4, 1), date(2026, 3, 1), date(2026, 3, 7)
OLDEST = date(2025, 5, 1)
LISTING = Listing(APRIL, active_since=OLDEST)
K20, NEWCOMER, K10 = "k20-7.3.3", "k40-newcomer-7.3.3", "k10-reached-2400-7.3.3"
KNOWN = EntryFigures(
    rating=1500, games=9, k=20, k_reason=K20, completed=44, reached_2300=True, last_played=MARCH
)
# The same one on a list without a game, and on one that withholds the rating.
IDLE = KNOWN._replace(games=0)
WITHHELD = IDLE._replace(status=EntryStatus.WITHHELD)
PLAIN = EntryFigures(rating=1500, k=20, k_reason=K20, completed=44)
JUNIOR = EntryFigures(rating=1500, k=40, k_reason=NEWCOMER, completed=30)


def after(
    entry: EntryFigures | None,
    *events: Event,
    barred: str = "",
    birth_year: int | None = None,
    correction: CorrectionEffect | None = None,
    **more: Any,
) -> EntryFigures | None:
    """Return the entry on the list of April for a player with results or corrections."""
    period = Period(APRIL, birth_year, state_of(entry), events, correction=correction, barred=barred, **more)
    return entry_after(calculate(period), entry, LISTING, birth_year=birth_year, barred=barred)


def carried(
    entry: EntryFigures, *, barred: str = "", birth_year: int | None = None, on: date = APRIL
) -> EntryFigures | None:
    listing = Listing(on, active_since=OLDEST if on == APRIL else on)
    return carried_over(entry, listing, birth_year=birth_year, barred=barred)


def test_6_1_2_an_entry_shows_rating_games_and_k() -> None:
    played = event(MARCH_7, [(1500, WIN)] * 3, own=rated(1500))
    assert after(KNOWN, played) == KNOWN._replace(rating=1530, games=3, completed=47, last_played=APRIL)


def test_6_1_2_a_first_rating_shows_the_games_of_this_list() -> None:
    entry = after(None, event(MARCH_7, [(1800, DRAW)] * 5))
    assert entry == EntryFigures(
        rating=1800, games=5, k=40, k_reason=NEWCOMER, completed=5, last_played=APRIL
    )


def test_6_1_2_an_entry_carried_over_shows_no_game() -> None:
    assert carried(KNOWN) == IDLE


@pytest.mark.parametrize(
    ("entry", "birth_year", "on", "k"),
    [
        (JUNIOR, 2007, date(2025, 12, 1), 40),
        (JUNIOR, 2007, date(2026, 1, 1), 20),
        (PLAIN._replace(completed=12), 1990, date(2023, 12, 1), 20),
        (PLAIN._replace(completed=12), 1990, date(2024, 1, 1), 40),
        (PLAIN._replace(rating=2399, reached_2400=True), 1990, date(2023, 12, 1), 20),
        (PLAIN._replace(rating=2399, reached_2400=True), 1990, date(2024, 1, 1), 10),
    ],
)
def test_d4_k_of_an_entry_carried_over_is_that_of_the_new_date(
    entry: EntryFigures, birth_year: int, on: date, k: int
) -> None:
    new = carried(entry, birth_year=birth_year, on=on)
    assert new is not None
    assert (new.rating, new.k) == (entry.rating, k)


def test_6_2_1_a_rating_that_falls_below_the_floor_leaves_the_list() -> None:
    assert after(PLAIN._replace(rating=1405), event(MARCH_7, [(1405, LOSS)], own=rated(1405))) is None


def test_d14_a_rating_below_the_new_floor_leaves_the_list_without_a_game() -> None:
    entry = PLAIN._replace(rating=1399, last_played=date(2023, 12, 1))
    assert carried(entry, on=date(2024, 1, 1)) is None
    kept = carried(entry, on=date(2023, 12, 1))
    assert kept is not None
    assert kept.rating == 1399


@pytest.mark.parametrize("reached_2400", [False, True])
def test_7_3_3_what_was_reached_is_remembered_of_one_who_lost_the_rating(*, reached_2400: bool) -> None:
    entry = PLAIN._replace(rating=1405, reached_2300=True, reached_2400=reached_2400)
    memory = EntryFigures(EntryStatus.UNRATED, reached_2300=True, reached_2400=reached_2400)
    assert after(entry, event(MARCH_7, [(1405, LOSS)], own=rated(1405))) == memory
    assert carried(memory) == memory
    again = after(memory, event(MARCH_7, [(1800, DRAW)] * 5))
    assert again == EntryFigures(
        rating=1800,
        games=5,
        k=10 if reached_2400 else 40,
        k_reason=K10 if reached_2400 else NEWCOMER,
        completed=5,
        reached_2300=True,
        reached_2400=reached_2400,
        last_played=APRIL,
    )


def test_6_1_4_an_unrated_player_has_no_entry() -> None:
    assert after(None, event(MARCH_7, [(1800, DRAW)] * 4)) is None


@pytest.mark.parametrize(
    ("last_played", "is_inactive"),
    [(OLDEST, False), (date(2025, 4, 1), True), (None, True), (MARCH, False)],
)
def test_d10_inactive_without_a_game_on_the_last_12_lists(
    last_played: date | None, *, is_inactive: bool
) -> None:
    entry = carried(PLAIN._replace(last_played=last_played))
    assert entry is not None
    assert (entry.is_inactive, entry.last_played) == (is_inactive, last_played)


def test_6_2_2_active_again_on_the_list_on_which_a_game_is_rated() -> None:
    entry = PLAIN._replace(is_inactive=True)
    again = after(entry, event(MARCH_7, [(1500, DRAW)], own=rated(1500)))
    assert again == PLAIN._replace(games=1, completed=45, last_played=APRIL)


def test_6_2_2_a_game_that_does_not_count_leaves_a_player_inactive() -> None:
    entry = PLAIN._replace(is_inactive=True)
    again = after(entry, event(MARCH_7, [(None, DRAW)], own=rated(1500)))
    assert again == entry


def test_9_1_the_rating_of_an_excluded_federations_player_is_withheld_and_shown_again() -> None:
    assert carried(KNOWN, barred=EXCLUDED) == carried(WITHHELD, barred=EXCLUDED) == WITHHELD
    assert carried(WITHHELD) == IDLE


def test_9_1_results_that_would_go_into_a_list_of_the_exclusion_count_for_nothing() -> None:
    played = event(MARCH_7, [(1500, WIN)] * 3, own=rated(1500))
    assert after(KNOWN, played, barred=EXCLUDED) == WITHHELD
    assert after(None, event(MARCH_7, [(1800, DRAW)] * 5), barred=EXCLUDED) is None
    memory = EntryFigures(EntryStatus.UNRATED, reached_2300=True)
    assert after(memory, event(MARCH_7, [(1800, DRAW)] * 5), barred=EXCLUDED) == memory


def test_d110_withheld_player_is_rated_as_one_listed() -> None:
    state = PlayerState(rating=1500, k=20, k_reason=K20, completed=44, reached_2300=True)
    assert state_of(WITHHELD) == state_of(KNOWN) == state
    assert state_of(None) == PlayerState()


def test_d14_a_withheld_rating_below_the_floor_is_lost_on_re_admission() -> None:
    withheld = PLAIN._replace(status=EntryStatus.WITHHELD, rating=1399)
    assert carried(withheld, barred=EXCLUDED) == withheld
    assert carried(withheld) is None


def test_d114_games_before_the_exclusion_change_the_entry_that_is_kept() -> None:
    played = event(date(2026, 3, 7), [(1500, WIN)] * 3, own=rated(1500))
    since = {"barred": EXCLUDED, "void": ((date(2026, 3, 8), date.max),)}
    kept = after(KNOWN, played, **since)
    assert kept == WITHHELD._replace(rating=1530, completed=47, last_played=APRIL)
    first = after(None, event(MARCH_7, [(1800, DRAW)] * 5), **since)
    assert first == EntryFigures(
        EntryStatus.WITHHELD, rating=1800, k=40, k_reason=NEWCOMER, completed=5, last_played=APRIL
    )


def test_d19_a_deceased_player_leaves_the_list_for_good() -> None:
    deceased = carried(KNOWN, barred=DECEASED)
    assert deceased is not None
    assert deceased.status is EntryStatus.DECEASED
    assert carried(deceased, barred=DECEASED) is None
    played = event(MARCH_7, [(1500, WIN)], own=rated(1500))
    assert after(KNOWN, played, barred=DECEASED) == deceased
    assert after(deceased, played, barred=DECEASED) is None
    assert after(None, played, barred=DECEASED) is None


# Rating, K, birth year: completed, 2300 and 2400 reached, by a list of April 2026.
IMPORTS = [
    (2400, 10, 1980, 30, True, True),
    (2399, 10, 1980, 30, True, True),
    (2350, 20, 1980, 30, True, False),
    (2299, 20, 1980, 30, False, False),
    (1500, 10, 1980, 30, False, True),
    (1500, 20, 1980, 30, False, False),
    (1500, 40, 1980, 0, False, False),
    (1500, 40, None, 0, False, False),
    (1500, 20, None, 30, False, False),
    # Juniors: 18 in the year of the list.
    (1500, 40, 2008, 30, False, False),
    (1500, 40, 2007, 0, False, False),
    (1500, 20, 2008, 30, True, False),
    (1500, 20, 2007, 30, False, False),
    (1500, 10, 2008, 30, True, True),
    (2300, 40, 2008, 0, True, False),
    (2300, 20, 2008, 30, True, False),
    (2400, 40, 2008, 0, True, True),
]


def imported(
    rating: int, k: int | None, birth_year: int | None = None, *, games: int = 0, **more: Any
) -> EntryFigures:
    values = {"is_inactive": False, **more}
    return imported_entry(rating=rating, games=games, k=k, birth_year=birth_year, on=APRIL, **values)


@pytest.mark.parametrize(("rating", "k", "birth_year", "completed", "at_2300", "at_2400"), IMPORTS)
def test_d12_what_an_imported_list_does_not_say_is_inferred(
    *, rating: int, k: int, birth_year: int | None, completed: int, at_2300: bool, at_2400: bool
) -> None:
    entry = imported(rating, k, birth_year, games=3)
    assert entry._replace(k_reason="") == EntryFigures(
        rating=rating,
        games=3,
        k=k,
        completed=completed,
        reached_2300=at_2300,
        reached_2400=at_2400,
        last_played=APRIL,
    )


@pytest.mark.parametrize(
    ("rating", "k", "birth_year", "reason"),
    [
        (1500, 20, 1980, K20),
        (1500, 40, 1980, NEWCOMER),
        (1500, 40, 2008, "k40-junior-7.3.3"),
        (2350, 40, 2008, NEWCOMER),
        (1500, 30, 1980, ""),
        (2410, 20, 1980, ""),
    ],
)
def test_d12_an_imported_k_has_a_reason_where_the_rules_give_it(
    rating: int, k: int, birth_year: int, reason: str
) -> None:
    entry = imported(rating, k, birth_year, games=3)
    assert (entry.k, entry.k_reason) == (k, reason)


def test_d12_one_flagged_inactive_has_not_played() -> None:
    entry = imported(1500, 20, is_inactive=True)
    assert entry == EntryFigures(rating=1500, k=20, k_reason=K20, is_inactive=True, completed=30)
    played = EntryFigures(rating=1490, k=20, k_reason=K20, completed=30, last_played=MARCH)
    assert imported(1500, 20, is_inactive=True, known=played).last_played == MARCH


def test_d12_what_earlier_lists_showed_stays_reached() -> None:
    known = EntryFigures(rating=2410, k=10, completed=30, reached_2300=True, reached_2400=True)
    entry = imported(2200, 20, 1980, known=known)
    assert (entry.reached_2300, entry.reached_2400) == (True, True)


@pytest.mark.parametrize(
    ("rating", "birth_year", "k"), [(1500, 1980, 20), (1500, 2010, 40), (2300, 2010, 20), (2400, 1980, 10)]
)
def test_d12_a_list_without_k_has_it_by_its_date(rating: int, birth_year: int, k: int) -> None:
    assert imported(rating, None, birth_year).k == k
