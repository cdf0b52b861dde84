"""The dates that a list can bear (6.1, D-70)."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.lists import date_refusals

TODAY = date(2026, 5, 31)


@pytest.mark.parametrize(
    ("on", "codes"),
    [
        (date(2026, 5, 1), []),
        (date(2026, 5, 2), ["list-date-6.1"]),
        (date(2026, 6, 1), ["future-list-D-70"]),
        (date(2027, 5, 1), ["future-list-D-70"]),
    ],
)
def test_d70_no_list_is_of_a_later_day(on: date, codes: list[str]) -> None:
    assert [item.code for item in date_refusals(on, today=TODAY)] == codes


def test_d70_a_list_of_tomorrow_is_told_from_when_it_can_be_imported() -> None:
    """FIDE's list of the 1st is there on the day before."""
    tomorrow, meant, far = (
        str(date_refusals(on, today=TODAY)[0].message)
        for on in (date(2026, 6, 1), date(2027, 5, 1), date(2026, 9, 1))
    )
    assert ["00:00 UTC" in text for text in (tomorrow, meant, far)] == [True, False, False]
    assert "1 May 2026" in meant
