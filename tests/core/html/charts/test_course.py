"""The course of an arena rating: as wide as its days, whatever the number of games on them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from core.html.charts.course import ChartChange, course_svg


def test_changes_stand_at_their_days_and_a_late_one_never_before_its_predecessor() -> None:
    at = [datetime(2026, 3, day, 12, tzinfo=UTC) for day in (1, 3, 2, 4)]
    changes = [
        ChartChange(moment, rating) for moment, rating in zip(at, (1200, None, 1250, 1260), strict=True)
    ]
    for until, width in ((at[0], 5760), (datetime(2026, 3, 6, 1, tzinfo=UTC), 8640)):
        svg = course_svg(changes, label="All games", title="", description="", until=until)
        assert f'viewBox="0 0 {width} ' in svg
        assert re.findall(r"[MH](\d+)", svg) == ["720", "3600", "3600", "5040", str(width)]
