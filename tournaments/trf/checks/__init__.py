"""Everything found in a report, in one pass."""

from __future__ import annotations

from tournaments.trf.findings import Finding, in_order
from tournaments.trf.report import Report


def check_report(report: Report) -> tuple[Finding, ...]:
    """Return all findings of a report, those of its reading included, by line and column."""
    return in_order(report.findings)
