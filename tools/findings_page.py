"""Writes docs/trf-findings.md from the codes of findings: `python -m tools.findings_page`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tournaments.trf.codes import OWN_SECTIONS, Code
from tournaments.trf.portal_codes import PORTAL_SECTIONS

PATH = "docs/trf-findings.md"
HEAD = """\
# Check result codes

For rating officers, chief arbiters and developers of pairing programs. After reading you know what each issue of a
report means. The page has the codes that `check_trf` and the portal find in a report itself, and those that
[only the portal finds](#what-only-the-portal-finds). Words in braces are values of the report. An **error** blocks the
report, a **warning** must be acknowledged with a sentence, a **notice** informs. `python -m tools.findings_page` writes
the page from `tournaments/trf/codes.py` and `tournaments/trf/portal_codes.py`.

"""
PORTAL_HEAD = """\
## What only the portal finds

The portal holds a report against the registration of its tournament, its players, the lists in force on the first day,
the reports of other events, and for a hybrid event the PGN of its games.
"""


def page() -> str:
    """Return the page."""
    return HEAD + "\n".join([*_sections("##", OWN_SECTIONS), PORTAL_HEAD, *_sections("###", PORTAL_SECTIONS)])


def _sections(level: str, sections: Mapping[str, Mapping[str, Code]]) -> Iterator[str]:
    for title, codes in sections.items():
        yield f"{level} {title}\n\n| code | severity | what it says |\n|---|---|---|"
        for code, one in codes.items():
            yield f'| <a id="{code}"></a>`{code}` | {one.severity} | {one.text} |'
        yield ""


if __name__ == "__main__":
    Path(PATH).write_text(page(), encoding="utf-8")
