"""Everything found in a report, in one pass."""

from __future__ import annotations

from itertools import islice

from tournaments.trf.checks.event import event_findings
from tournaments.trf.checks.numbers import number_findings, with_right_numbers
from tournaments.trf.checks.pairings import pairing_findings
from tournaments.trf.checks.players import player_findings
from tournaments.trf.checks.points import correction_findings, points_findings
from tournaments.trf.checks.records import record_findings, team_findings
from tournaments.trf.findings import Finding, in_order
from tournaments.trf.limits import MAX_FINDINGS
from tournaments.trf.report import Report

CHECKS = (
    event_findings,
    player_findings,
    pairing_findings,
    points_findings,
    record_findings,
    correction_findings,
    team_findings,
)


def check_report(report: Report) -> tuple[Finding, ...]:
    """Return all findings of a report, those of its reading included, by line and column.

    What only follows from a wrong starting number, or from a wrong result, is left out.
    """
    if not report.players:
        return in_order(report.findings)
    righted = with_right_numbers(report)
    findings = [*report.findings, *number_findings(report, righted)]
    for check in CHECKS:
        # A file that is wrong everywhere need not be searched to its end.
        findings += islice(check(righted), 2 * MAX_FINDINGS)
    # Their fix is one by which the points are right.
    explained = {
        one.line for one in findings if one.fix and one.code in ("results-contradict", "result-penalty")
    }
    return in_order(one for one in findings if one.code != "points-mismatch" or one.line not in explained)
