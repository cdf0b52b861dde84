"""The versions of a tournament's report, without their bytes; and one of them with its findings beside its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from portal.ui.reports import Mark, MarkedLine, marked_lines
from tournaments.choices import ReportState
from tournaments.models import Report, Tournament
from tournaments.trf import read_report

SEVERITIES = ("error", "warning", "notice")


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """The findings of one severity, numbered on through the whole report."""

    severity: str
    findings: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class MarkedReport:
    """A report as it is shown: its lines with their marks, and what was found, gravest first."""

    lines: Sequence[MarkedLine]
    groups: Sequence[FindingGroup]

    def count(self, severity: str) -> int:
        """Return how many findings of a severity there are."""
        return sum(len(group.findings) for group in self.groups if group.severity == severity)


def versions_of(tournament: Tournament) -> list[Report]:
    """Return the versions of a tournament's report, the oldest first, each with its numbers of findings."""
    versions = list(
        tournament.reports.select_related("submitted_by").defer("content", "pgn").order_by("version")
    )
    for version in versions:
        found = [finding["severity"] for finding in version.findings]
        version.counts = {severity: found.count(severity) for severity in SEVERITIES}  # type: ignore[attr-defined]
    return versions


def same_accepted_elsewhere(report: Report) -> Report | None:
    """Return an accepted report of another tournament that has the same bytes, None without one."""
    same = Report.objects.filter(Q(sha256=report.sha256), state=ReportState.ACCEPTED)
    return (
        same.exclude(tournament=report.tournament_id)
        .select_related("tournament")
        .defer("content", "pgn")
        .first()
    )


def marked_report(report: Report) -> MarkedReport:
    """Return a report's text with its findings: numbered gravest first, then by place."""
    lines = read_report(bytes(report.content)).lines
    numbered = list(_numbered(report.findings, lines))
    marks = [
        Mark(item["line"], item["severity"], item["column"], item.get("length") or 1, item["number"])
        for item in numbered
        if item["line"]
    ]
    groups = [
        FindingGroup(severity, [item for item in numbered if item["severity"] == severity])
        for severity in SEVERITIES
    ]
    return MarkedReport(marked_lines("\n".join(lines), marks), [group for group in groups if group.findings])


def _numbered(findings: Sequence[dict[str, Any]], lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    number = 0
    for severity in SEVERITIES:
        for finding in findings:
            if finding["severity"] == severity:
                number += 1
                yield {**finding, "number": number, "original": _original(finding, lines)}


def _original(finding: dict[str, Any], lines: Sequence[str]) -> str:
    line = finding["line"]
    return lines[line - 1] if finding["fix"] and line and line <= len(lines) else ""
