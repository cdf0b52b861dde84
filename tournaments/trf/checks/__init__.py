"""Everything found in a report, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
    points_findings,
    record_findings,
    correction_findings,
    team_findings,
)


def check_report(report: Report) -> tuple[Finding, ...]:
    """Return all findings of a report, those of its reading included, by line and column.

    What only follows from a wrong starting number, or from a wrong or unknown result, is left out.
    """
    if not report.players:
        return in_order(report.findings)
    righted, of_pairings = report, _first_of(pairing_findings, report)
    # Where all lines agree no number is wrong.
    if of_pairings:
        righted = with_right_numbers(report)
        of_pairings = _first_of(pairing_findings, righted)
    findings = [*report.findings, *number_findings(report, righted), *of_pairings]
    for check in CHECKS:
        findings += _first_of(check, righted)
    # Their fix is one by which the points are right.
    explained = {
        one.line for one in findings if one.fix and one.code in ("results-contradict", "result-penalty")
    }
    games = _games_without_result(righted, findings)
    return in_order(
        one
        for one in findings
        if not (one.code == "points-mismatch" and one.line in explained)
        and not (one.code == "result-unknown" and (one.line, one.params["round"]) in games)
    )


def _first_of(check: Callable[[Report], Iterable[Finding]], report: Report) -> list[Finding]:
    """Return what a check finds; a file that is wrong everywhere need not be searched to its end."""
    return [*islice(check(report), 2 * MAX_FINDINGS)]


def _games_without_result(report: Report, findings: Iterable[Finding]) -> set[tuple[int | None, str | int]]:
    """Return line and round, on both lines, of the games of which a finding says that their result is not known."""
    named = [one for one in findings if one.code in ("results-contradict", "result-missing")]
    players, lines = report.by_number, {one.line: one for one in report.players}
    games = set[tuple[int | None, str | int]]()
    for one in named:
        number = int(one.params["round"])
        opponent = lines[one.line or 0].results[number - 1].opponent
        games |= {(one.line, number), (players[opponent or 0].line, number)}
    return games
