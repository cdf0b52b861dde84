"""A report as it is shown."""

from __future__ import annotations

import pytest

from tournaments.marked_report import ShownPart, marked_text
from tournaments.trf import read_report
from tournaments.trf.limits import MAX_LINES


@pytest.mark.slow
def test_no_page_shows_more_lines_than_are_read() -> None:
    read = read_report(b"012 Open\n" + b"### x\n" * MAX_LINES)

    assert len(read.lines) == MAX_LINES + 1
    assert len(marked_text(read, [], ShownPart(whole=True)).lines) == MAX_LINES
