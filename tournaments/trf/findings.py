"""Findings: what is wrong or odd in a report, where, and what the line should be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tournaments.trf.codes import OWN_SECTIONS, Code, Severity
from tournaments.trf.limits import MAX_FINDINGS
from tournaments.trf.portal_codes import PORTAL_SECTIONS


def gettext_noop(text: str) -> str:
    """Mark a text for translation; it is translated where it is shown."""
    return text


CODES = {
    code: one for some in (*OWN_SECTIONS.values(), *PORTAL_SECTIONS.values()) for code, one in some.items()
}


def _where(is_so: Callable[[Code], object]) -> frozenset[str]:
    return frozenset(code for code, one in CODES.items() if is_so(one))


SHIFTED = "shifted-columns"
OF_ANOTHER_PERSON = _where(lambda one: one.of_another)
# Of many players each line is answered alone (D-130).
OF_ANOTHER_NAME = _where(lambda one: one.of_another == "name")
ABOUT_PEOPLE = _where(lambda one: one.layout == "people")
OF_A_GAME = _where(lambda one: one.is_of_a_game or one.layout == "games")
OF_TWO_LINES = _where(lambda one: one.is_of_two_lines)
# How a game ended, on which days an event was, which event it is: somebody has to decide.
DECIDED = _where(lambda one: one.is_decided or one.layout in ("games", "days"))
NAMES_ROUNDS = _where(lambda one: one.names_rounds)
LIFTED_BY_REASON = _where(lambda one: one.lifted_by == "reason")
LIFTED_BY_QC = _where(lambda one: one.lifted_by == "qc")
ANSWERED_ALONE = _where(lambda one: one.is_answered_alone)
ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTICE: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a report: an error blocks it, a warning must be acknowledged, a notice informs.

    `line` and `column` count from 1; None is the whole file or the whole line. `fix` is the whole line as it
    should be, where that is certain. What it says is made of `code` and `params` when it is shown.
    """

    code: str
    severity: Severity
    line: int | None
    column: int | None
    length: int
    fix: str | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The finding in English."""
        return CODES[self.code].text.format(**self.params)

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
    """Return the finding of a code with the severity that belongs to it."""
    return Finding(code, CODES[code].severity, *place, None, params)


def english_text(finding: Mapping[str, Any]) -> str:
    """Return what a stored finding says in English; one of an earlier release may have other values, and its words."""
    try:
        return CODES[finding["code"]].text.format(**(finding.get("params") or {}))
    except (KeyError, IndexError):
        return str(finding.get("message", ""))


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
