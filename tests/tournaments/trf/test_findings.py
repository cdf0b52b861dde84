"""Every code has a minimal file that has it, at its place; docs/trf-findings.md lists them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.trf.examples import EXAMPLES
from tests.tournaments.trf.reports import BASE
from tools.findings_page import PATH, page
from tournaments.trf import check_report, read_report
from tournaments.trf.codes import OWN_SECTIONS

pytestmark = pytest.mark.slow


def test_every_code_has_an_example() -> None:
    assert set(EXAMPLES) == {code for some in OWN_SECTIONS.values() for code in some}


def test_the_report_that_is_spoiled_has_no_fault() -> None:
    assert check_report(read_report(BASE)) == ()


def test_a_minimal_file_of_each_code_has_the_finding_at_its_place() -> None:
    found = {}
    for code, (file, _place) in EXAMPLES.items():
        places = ((item.line, item.column) for item in check_report(read_report(file)) if item.code == code)
        found[code] = next(places, None)
    assert found == {code: place for code, (_file, place) in EXAMPLES.items()}


def test_the_page_lists_the_codes_as_they_are_declared() -> None:
    root = Path(__file__).parents[3]
    assert (root / PATH).read_text(encoding="utf-8") == page()
