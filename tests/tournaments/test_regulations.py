"""Days and limits of the regulations, article by article."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments import regulations
from tournaments.list_dates import due_list, ends_in_time, lists_after

DAYS = st.dates(date(2022, 1, 1), date(2035, 12, 31))


@pytest.mark.parametrize(
    ("seconds", "kind"),
    [
        (180, None),
        (181, "blitz"),
        (3 * 60 + 2 * 60, "blitz"),
        (600, "blitz"),
        (601, "rapid"),
        (15 * 60 + 10 * 60, "rapid"),
        (3599, "rapid"),
        (3600, None),
        (0, None),
    ],
)
def test_1_1_kind_by_the_time_for_60_moves(seconds: int, kind: str | None) -> None:
    assert regulations.kind_of(seconds) == kind


@pytest.mark.parametrize(
    ("start", "registered", "in_time"),
    [
        (date(2026, 1, 10), date(2026, 1, 7), True),
        (date(2026, 1, 10), date(2026, 1, 8), False),
        (date(2026, 1, 2), date(2025, 12, 30), True),
        (date(2026, 1, 2), date(2025, 12, 31), False),
        (date(2024, 3, 2), date(2024, 2, 28), True),
        (date(2026, 3, 2), date(2026, 2, 28), False),
    ],
)
def test_0_2_three_days_before_the_start(start: date, registered: date, in_time: bool) -> None:
    assert regulations.is_registered_in_time(start, registered) is in_time
    assert (registered <= regulations.last_day_to_register(start)) is in_time


@pytest.mark.parametrize(
    ("end", "list_date", "official", "in_time"),
    [
        (date(2026, 2, 26), date(2026, 3, 1), False, True),
        (date(2026, 2, 27), date(2026, 3, 1), False, False),
        (date(2026, 2, 28), date(2026, 3, 1), True, True),
        (date(2026, 3, 1), date(2026, 3, 1), True, False),
        (date(2023, 12, 29), date(2024, 1, 1), False, True),
    ],
)
def test_6_1_3_closing_date(end: date, list_date: date, official: bool, in_time: bool) -> None:
    assert ends_in_time(end, list_date, is_official=official) is in_time


@pytest.mark.parametrize(
    ("end", "due"),
    [
        (date(2026, 1, 10), date(2026, 2, 1)),
        (date(2026, 1, 25), date(2026, 2, 1)),
        (date(2026, 1, 26), date(2026, 3, 1)),
        (date(2026, 1, 31), date(2026, 3, 1)),
        (date(2024, 2, 23), date(2024, 3, 1)),
        (date(2024, 2, 24), date(2024, 4, 1)),
        (date(2025, 12, 31), date(2026, 2, 1)),
    ],
)
def test_8_1_due_list(end: date, due: date) -> None:
    assert due_list(end) == due


@pytest.mark.parametrize(
    ("decided", "last"),
    [
        (date(2026, 2, 25), date(2026, 3, 4)),
        (date(2028, 2, 24), date(2028, 3, 2)),
        (date(2026, 12, 31), date(2027, 1, 7)),
        (date(2026, 4, 30), date(2026, 5, 7)),
    ],
)
def test_0_4_seventh_day_of_an_appeal_still_counts(decided: date, last: date) -> None:
    in_time = [regulations.may_appeal(decided, last + timedelta(days=days)) for days in (0, 1)]
    assert (regulations.appeal_ends(decided), in_time) == (last, [True, False])


@given(DAYS)
def test_lists_after_a_day_are_firsts_of_successive_months(day: date) -> None:
    first, second = islice(lists_after(day), 2)
    assert (first.day, second.day) == (1, 1)
    assert day < first <= day + timedelta(days=31)
    assert second == (first + timedelta(days=31)).replace(day=1)
