"""Writes docs/trf-findings.md: `python -m tests.tournaments.trf.document`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.tournaments.services.portal_examples import PORTAL_SECTIONS
from tests.tournaments.trf.examples import SECTIONS, Example
from tournaments.messages import PORTAL_MESSAGES, PORTAL_SEVERITIES
from tournaments.trf import SEVERITIES, check_report, read_report

PATH = "docs/trf-findings.md"
HEAD = """\
# Findings of reports

Every code that `check_trf` and the portal find in a report itself, and those that
[only the portal finds](#what-only-the-portal-finds), with what it says of the smallest report that has it. An **error**
blocks the report, a **warning** must be acknowledged with a sentence, a **notice** informs. The page is written by
`python -m tests.tournaments.trf.document` from the examples that the tests check (`tests/tournaments/trf/examples`).

"""
PORTAL_HEAD = """\
## What only the portal finds

The portal holds a report against the registration of its tournament, its players, the lists in force on the first day,
the reports of other events, and for a hybrid event the PGN of its games. Words in braces are values of the report.
"""


def document() -> str:
    """Return the page."""
    pure = [part for title, examples in SECTIONS.items() for part in _section(f"## {title}", _rows(examples))]
    portal = [
        part
        for title, examples in PORTAL_SECTIONS.items()
        for part in _section(
            f"### {title}",
            [
                (code, PORTAL_SEVERITIES[code], PORTAL_MESSAGES[code], one.meaning)
                for code, one in examples.items()
            ],
        )
    ]
    return HEAD + "\n".join([*pure, PORTAL_HEAD, *portal])


def _rows(examples: dict[str, Example]) -> Iterator[tuple[str, str, str, str]]:
    for code, example in examples.items():
        findings = [item for item in check_report(read_report(example.file)) if item.code == code]
        finding = next((item for item in findings if item.fix), findings[0])
        yield code, SEVERITIES[code], finding.message, example.meaning


def _section(title: str, rows: Iterable[tuple[str, str, str, str]]) -> Iterator[str]:
    yield f"{title}\n"
    yield "| code | severity | what it says | why |"
    yield "|---|---|---|---|"
    for code, severity, message, meaning in rows:
        yield f'| <a id="{code}"></a>`{code}` | {severity} | {_in_cell(message)} | {_in_cell(meaning)} |'
    yield ""


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    Path(PATH).write_text(document(), encoding="utf-8")
