"""Writes docs/trf-findings.md: `python -m tests.tournaments.trf.document`."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path

from tests.tournaments.services.portal_examples import PORTAL_SECTIONS, PortalExample
from tests.tournaments.trf.examples import SECTIONS, Example
from tests.tournaments.trf.reports import BASE
from tournaments.messages import PORTAL_MESSAGES, PORTAL_SEVERITIES
from tournaments.trf import SEVERITIES, Finding, check_report, read_report

PATH = "docs/trf-findings.md"
HEAD = f"""\
# Findings of reports

Every code that `check_trf` and the portal find in a report itself, and those that
[only the portal finds](#what-only-the-portal-finds), with the least that triggers each. An **error** blocks the report,
a **warning** must be acknowledged with a sentence, a **notice** informs. The page is written by
`python -m tests.tournaments.trf.document` from the examples that the tests check.

The examples are this report, which has no finding, with the lines that are shown taken out (`-`) or put in (`+`):

```
{BASE}```

"""


PORTAL_HEAD = """\
## What only the portal finds

The portal holds a report against the registration of its tournament, its players, the lists in force on the first day,
the reports of other events, and for a hybrid event the PGN of its games. For the examples it knows the four players
as the report above has them, the list in force gives them the same ratings, and the event is registered with the same
facts. Words in braces are values of the report.
"""


def document() -> str:
    """Return the page."""
    pure = [part for title, examples in SECTIONS.items() for part in _section(title, examples)]
    portal = [
        part for title, examples in PORTAL_SECTIONS.items() for part in _portal_section(title, examples)
    ]
    return HEAD + "\n".join([*pure, PORTAL_HEAD, *portal])


def _portal_section(title: str, examples: dict[str, PortalExample]) -> Iterator[str]:
    yield f"### {title}\n"
    yield "| code | severity | what it means |"
    yield "|---|---|---|"
    for code, example in examples.items():
        yield f"| [`{code}`](#{_anchor(code)}) | {PORTAL_SEVERITIES[code]} | {example.meaning} |"
    yield ""
    for code, example in examples.items():
        line, column = example.place
        place = f" (line {line}, column {column})" if line else ""
        yield f"#### {code}\n"
        yield f"**{PORTAL_SEVERITIES[code].capitalize()}**{place}: {PORTAL_MESSAGES[code]}\n"
        if example.portal:
            yield f"Example: {example.portal}.\n"
        if example.file != BASE:
            yield f"```diff\n{_shown(example.file)}```\n"


def _anchor(code: str) -> str:
    """Return the anchor that a page gives a heading: without full stops."""
    return code.replace(".", "")


def _section(title: str, examples: dict[str, Example]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| code | severity | what it means |"
    yield "|---|---|---|"
    for code, example in examples.items():
        yield f"| [`{code}`](#{code}) | {SEVERITIES[code]} | {example.meaning} |"
    yield ""
    for code, example in examples.items():
        yield from _entry(code, example)


def _entry(code: str, example: Example) -> Iterator[str]:
    findings = [item for item in check_report(read_report(example.file)) if item.code == code]
    finding = next((item for item in findings if item.fix), findings[0])
    yield f"### {code}\n"
    yield f"**{SEVERITIES[code].capitalize()}**{_place(finding)}: {finding.message}\n"
    yield f"{example.meaning}\n"
    if example.shown:
        yield f"Example: {example.shown}.\n"
    else:
        yield f"```diff\n{_shown(str(example.file))}```\n"
    if finding.fix is not None:
        yield f"The line as it should be:\n\n```\n{finding.fix}\n```\n"


def _place(finding: Finding) -> str:
    if finding.line is None:
        return ""
    column = f", column {finding.column}" if finding.column else ""
    return f" (line {finding.line}{column})"


def _shown(file: str) -> str:
    lines = [line for line in ndiff(BASE.splitlines(), file.splitlines()) if line[0] in "+-"]
    visible = (line.replace("\t", "→").replace("\x07", "␇").rstrip() for line in lines)
    return "".join(f"{line[0]} {line[2:]}\n" if len(line) > 1 else f"{line}\n" for line in visible)


if __name__ == "__main__":
    Path(PATH).write_text(document(), encoding="utf-8")
