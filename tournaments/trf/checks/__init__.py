"""Everything found in a report, in one pass."""

from __future__ import annotations

from tournaments.trf.checks.event import event_findings
from tournaments.trf.checks.pairings import pairing_findings
from tournaments.trf.checks.players import player_findings
from tournaments.trf.checks.points import points_findings
from tournaments.trf.checks.records import record_findings
from tournaments.trf.findings import Finding, in_order
from tournaments.trf.report import Report


def check_report(report: Report) -> tuple[Finding, ...]:
    """Return all findings of a report, those of its reading included, by line and column."""
    if not report.players:
        return in_order(report.findings)
    return in_order(
        (
            *report.findings,
            *event_findings(report),
            *player_findings(report),
            *pairing_findings(report),
            *points_findings(report),
            *record_findings(report),
        )
    )
