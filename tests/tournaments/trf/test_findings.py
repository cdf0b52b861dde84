"""Every code has a minimal file that has it, at its place; docs/trf-findings.md says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.trf.document import PATH, document
from tests.tournaments.trf.examples import EXAMPLES
from tests.tournaments.trf.reports import BASE
from tournaments.trf import MESSAGES, check_report, read_report

pytestmark = pytest.mark.slow


def test_every_code_has_an_example() -> None:
    assert set(EXAMPLES) == set(MESSAGES)


def test_the_report_that_is_spoiled_has_no_fault() -> None:
    assert check_report(read_report(BASE)) == ()


def test_a_minimal_file_of_each_code_has_the_finding_at_its_place() -> None:
    found = {}
    for code, example in EXAMPLES.items():
        places = (
            (item.line, item.column) for item in check_report(read_report(example.file)) if item.code == code
        )
        found[code] = next(places, None)
    assert found == {code: example.place for code, example in EXAMPLES.items()}


def test_the_document_is_what_the_examples_say() -> None:
    root = Path(__file__).parents[3]
    assert (root / PATH).read_text(encoding="utf-8") == document()
