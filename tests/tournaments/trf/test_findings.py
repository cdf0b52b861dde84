"""Every code has a minimal file that has it, at its place; docs/trf-findings.md says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.trf.document import PATH, document
from tests.tournaments.trf.examples import EXAMPLES
from tests.tournaments.trf.reports import BASE
from tournaments.trf import MESSAGES, check_report, read_report


def test_every_code_has_an_example() -> None:
    assert set(EXAMPLES) == set(MESSAGES)


def test_the_report_that_is_spoiled_has_no_fault() -> None:
    assert check_report(read_report(BASE)) == ()


@pytest.mark.parametrize("code", EXAMPLES)
def test_a_minimal_file_has_the_finding_at_its_place(code: str) -> None:
    example = EXAMPLES[code]
    places = [
        (item.line, item.column) for item in check_report(read_report(example.file)) if item.code == code
    ]
    assert places[0] == example.place


def test_the_document_is_what_the_examples_say() -> None:
    root = Path(__file__).parents[3]
    assert (root / PATH).read_text(encoding="utf-8") == document()
