"""A report with the lines that findings propose."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.trf.editing import with_lines
from tournaments.trf.findings import Finding
from tournaments.trf.report import Report


def corrected_text(report: Report, findings: Iterable[Finding]) -> str:
    """Return the lines of a report, each with the fix of its finding; of several for one line the first.

    Lines end in CR LF. Checked again, the text may have findings that the former line hid.
    """
    changed: dict[int, str] = {}
    for finding in findings:
        if finding.fix is not None and finding.line is not None:
            changed.setdefault(finding.line, finding.fix)
    return with_lines(report, changed)
