"""Rounds by day."""

from __future__ import annotations

from collections import Counter
from datetime import date

from tournaments.trf.report import Report


def rounds_per_day(report: Report) -> dict[date, int]:
    """Return how many rounds each day has (FIDE R&B 2024, 3.1), empty where the report does not date them.

    Rounds without a date are on the one day of an event that has only one.
    """
    dated = Counter(day for day in report.round_dates if day)
    undated = report.rounds - dated.total()
    if undated > 0 and report.start and report.start == report.end:
        dated[report.start] += undated
    return dict(sorted(dated.items()))
