"""The versions of a tournament's report, without their bytes; and one of them with its findings beside its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Func, IntegerField, Q

from core.html.reports import Gap, Mark, MarkedLine, excerpt, marked_lines
from tournaments.choices import Action, ReportState
from tournaments.models import Report, Tournament, TrailEntry
from tournaments.queries.finding_texts import finding_text
from tournaments.trf.limits import MAX_FINDINGS

SEVERITIES = ("error", "warning", "notice")
# How many findings of one code are shown at first, and how many where that code is asked for.
MOST_OF_EACH = 20
MOST_OF_ONE = 500


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """The findings of one severity and code, numbered on through the whole report; `count` with those not shown."""

    severity: str
    code: str
    findings: Sequence[dict[str, Any]]
    count: int

    @property
    def left_out(self) -> int:
        return self.count - len(self.findings)


@dataclass(frozen=True, slots=True)
class MarkedReport:
    """A report as it is shown: its lines with their marks, and what was found, gravest first."""

    lines: Sequence[MarkedLine | Gap]
    groups: Sequence[FindingGroup]
    counts: Mapping[str, int]
    is_whole: bool

    @property
    def last_number(self) -> int:
        """The number of the last finding that is shown."""
        return sum(len(group.findings) for group in self.groups)

    def count(self, severity: str) -> int:
        """Return how many findings of a severity there are."""
        return self.counts[severity]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much of a report is shown: everything, or the first findings of each code, or more of one code."""

    whole: bool = False
    code: str = ""

    def most(self, code: str) -> int:
        """Return how many findings of a code are shown."""
        if self.whole:
            return MAX_FINDINGS
        return MOST_OF_ONE if code == self.code else MOST_OF_EACH


SHORT = Wanted()


class OctetLength(Func):
    """The number of bytes of a column of bytes."""

    arity = 1
    function = "OCTET_LENGTH"
    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """SQLite counts the bytes of a blob by its only LENGTH."""
        return self.as_sql(compiler, connection, function="LENGTH", **context)


def versions_of(tournament: Tournament) -> list[Report]:
    """Return the versions of a tournament's report, the oldest first.

    Each with its numbers of findings, its `size` in bytes, and the version before it (`former`, 0 without one).
    """
    of_all = tournament.reports.select_related("submitted_by").defer("content", "pgn")
    versions: list[Report] = [*of_all.annotate(size=OctetLength("content")).order_by("version")]
    for former, version in zip([None, *versions], versions, strict=False):
        version.former = former.version if former else 0  # type: ignore[attr-defined]
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


def acknowledged_by(report: Report) -> TrailEntry | None:
    """Return the step in which the warnings of a version were acknowledged: who, when; None where none were."""
    if not report.acknowledgement:
        return None
    steps = TrailEntry.objects.filter(
        tournament=report.tournament_id, action=Action.ACCEPT, reason=report.acknowledgement
    )
    return steps.select_related("by").order_by("at", "pk").last()


def marked_text(
    lines: Sequence[str], findings: Sequence[dict[str, Any]], wanted: Wanted = SHORT
) -> MarkedReport:
    """Return lines with findings as they are stored: numbered gravest first, then by code and place.

    Of many lines only those that the shown findings are about, with those around them.
    """
    counts = {severity: sum(item["severity"] == severity for item in findings) for severity in SEVERITIES}
    groups = list(_groups(findings, lines, wanted))
    shown = [item for group in groups for item in group.findings]
    marks = [
        Mark(item["line"], item["severity"], item["column"], item.get("length") or 1, item["number"])
        for item in shown
        if item["line"]
    ]
    marked = marked_lines("\n".join(lines), marks)
    parts: Sequence[MarkedLine | Gap] = marked if wanted.whole else excerpt(marked)
    is_whole = len(parts) == len(marked) and len(shown) == len(findings)
    return MarkedReport(parts, groups, counts, is_whole)


def _groups(
    findings: Sequence[dict[str, Any]], lines: Sequence[str], wanted: Wanted
) -> Iterator[FindingGroup]:
    by_code: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for finding in findings:
        by_code.setdefault((finding["severity"], finding["code"]), []).append(finding)
    number = 0
    for (severity, code), some in sorted(by_code.items(), key=lambda item: SEVERITIES.index(item[0][0])):
        numbered = []
        for finding in some[: wanted.most(code)]:
            number += 1
            shown = {**finding, "message": finding_text(finding)}
            numbered.append({**shown, "number": number, "original": _original(finding, lines)})
        yield FindingGroup(severity, code, numbered, len(some))


def _original(finding: dict[str, Any], lines: Sequence[str]) -> str:
    line = finding["line"]
    return lines[line - 1] if finding["fix"] and line and line <= len(lines) else ""
