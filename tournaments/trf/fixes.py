"""A report with the lines that findings propose."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.trf.findings import Finding
from tournaments.trf.report import Report
from tournaments.trf.writer import LINE_END


def corrected_text(report: Report, findings: Iterable[Finding]) -> str:
    """Return the lines of a report, each with the fix of its finding; of several for one line the first.

    Lines end in CR LF. Checked again, the text may have findings that the former line hid.
    """
    lines = list(report.lines)
    done: set[int] = set()
    for finding in findings:
        if finding.fix is not None and finding.line is not None and finding.line not in done:
            lines[finding.line - 1] = finding.fix
            done.add(finding.line)
    return "".join(line + LINE_END for line in lines)
