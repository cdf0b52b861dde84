"""Findings: what is wrong or odd in a report, where, and what the line should be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tournaments.trf.codes import MESSAGES, SEVERITIES, Severity
from tournaments.trf.limits import MAX_FINDINGS

ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTICE: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a report: an error blocks it, a warning must be acknowledged, a notice informs.

    `line` and `column` count from 1; None is the whole file or the whole line. `fix` is the whole line as it
    should be, where that is certain. `message` is the template of `code` filled with `params`.
    """

    code: str
    severity: Severity
    line: int | None
    column: int | None
    length: int
    message: str
    fix: str | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)

    def with_fix(self, line: str | None) -> Finding:
        """Return the finding with the line as it should be."""
        return replace(self, fix=line)


class Place(NamedTuple):
    """Where a finding is: line and column from 1, None for the whole file or line, and how many columns."""

    line: int | None = None
    column: int | None = None
    length: int = 0


WHOLE_FILE = Place()


def found(code: str, place: Place = WHOLE_FILE, /, **params: str | int) -> Finding:
    """Return the finding of a code with the message and severity that belong to the code."""
    message = MESSAGES[code].format(**params)
    return Finding(code, SEVERITIES[code], *place, message, None, params)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings by line and column; of more than can be shown, the gravest and each code at least once."""
    kept = sorted(findings, key=_place)
    if len(kept) <= MAX_FINDINGS:
        return tuple(kept)
    first = {id(finding) for finding in {finding.code: finding for finding in reversed(kept)}.values()}
    by_weight = sorted(kept, key=lambda finding: (id(finding) not in first, ORDER[finding.severity]))
    gravest = by_weight[: MAX_FINDINGS - 1]
    gravest.append(found("findings-left-off", count=len(kept) - len(gravest)))
    return tuple(sorted(gravest, key=_place))


def _place(finding: Finding) -> tuple[int, int, str]:
    return finding.line or 0, finding.column or 0, finding.code
