"""The portal's own findings: messages from their templates, and lines with a field set right."""

from __future__ import annotations

from tournaments.messages import PORTAL_MESSAGES, PORTAL_SEVERITIES
from tournaments.trf import Finding, PlayerRecord, Report
from tournaments.trf.findings import WHOLE_FILE, Place

HEADER_COLUMN = 5


def portal_finding(code: str, place: Place = WHOLE_FILE, /, **params: str | int) -> Finding:
    """Return the finding of a code with the message and severity that belong to the code."""
    message = PORTAL_MESSAGES[code].format(**params)
    return Finding(code, PORTAL_SEVERITIES[code], *place, message, None, params)


def header_place(report: Report, tag: str) -> Place:
    """Return the place of what a header record says; the whole file where the record is not there."""
    line = report.header_lines.get(tag)
    return Place(line, HEADER_COLUMN, max(1, len(report.lines[line - 1]) - 4)) if line else WHOLE_FILE


def field_place(record: PlayerRecord, column: int, length: int) -> Place:
    """Return the place of a field of a player's line, where it stands in that line."""
    return Place(record.line, max(1, column - record.shift), length)


def with_field(report: Report, record: PlayerRecord, column: int, text: str) -> str | None:
    """Return a player's line with a field replaced; None where its columns are not where they belong."""
    line = report.lines[record.line - 1]
    if record.shift or "\t" in line or not line.startswith("001 "):
        return None
    return line[: column - 1].ljust(column - 1) + text + line[column - 1 + len(text) :]
