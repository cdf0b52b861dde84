"""Lines before they are records: tabs, hard blanks and control characters; rulers and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.limits import MAX_LINE_LENGTH
from tournaments.trf.records.player_line import is_aligned

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
UNUSUAL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\xa0\u2028\u2029\ufffd]")
LOST_LETTER = "\ufffd"
DIGITS = re.compile(r"[\d\s]+")
TENS = re.compile(r"\s{5,}1\s+2[\d\s]*")
DASHES = re.compile(r"[-+=|.\d\s]+")
LEGEND = re.compile(r"(?:DDD|###)\s+SSSS\b")


def is_skipped(line: str) -> bool:
    """Whether a line is blank, a ruler or the legend of one: it says nothing of the event."""
    return not line or _is_ruler(line) or bool(LEGEND.match(line))


def is_comment(line: str) -> bool:
    """Whether a line is a comment: `###` in TRF26, `#` in some programs."""
    return line.startswith("#")


def usual_lines(lines: tuple[str, ...], findings: list[Finding]) -> Iterator[str]:
    """Yield the lines in printable characters and blanks, without blanks at their ends."""
    for at, line in enumerate(lines, 1):
        if len(line) > MAX_LINE_LENGTH:
            findings.append(
                found("line-too-long", Place(at, MAX_LINE_LENGTH), count=len(line), limit=MAX_LINE_LENGTH)
            )
            line = line[:MAX_LINE_LENGTH]
        line = line.rstrip()
        # The first look is far quicker, and enough for nearly all lines.
        is_usual = (line.isprintable() and LOST_LETTER not in line) or not UNUSUAL.search(line)
        yield line if is_usual else _usual(line, at, findings)


def _is_ruler(line: str) -> bool:
    if "1234567890" in line or "0123456789" in line:
        return bool(DIGITS.fullmatch(line))
    return bool(TENS.fullmatch(line) or ("----" in line and DASHES.fullmatch(line)))


def _usual(line: str, at: int, findings: list[Finding]) -> str:
    position = line.find(LOST_LETTER)
    if position >= 0:
        around = line[max(0, position - 10) : position + 10].strip()
        findings.append(found("encoding-broken", Place(at, position + 1, 1), text=around))
    line = line.replace("\xa0", " ")
    if "\t" in line:
        line = _without_tabs(line, at, findings)
    if control := CONTROLS.search(line):
        place = Place(at, control.start() + 1, 1)
        findings.append(found("control-character", place, character=f"{ord(control[0]):04X}"))
        line = CONTROLS.sub(" ", line)
    return line.replace("\u2028", " ").replace("\u2029", " ").rstrip()


def _without_tabs(line: str, at: int, findings: list[Finding]) -> str:
    column = line.index("\t") + 1
    blanked = line.replace("\t", " ")
    if not line.startswith("001"):
        findings.append(found("tab-as-blank", Place(at, column, 1)))
        return blanked
    candidates = (blanked, line.expandtabs(8))
    chosen = next(filter(is_aligned, candidates), blanked)
    fix = chosen if is_aligned(chosen) else None
    findings.append(found("tab", Place(at, column, 1)).with_fix(fix))
    return chosen
