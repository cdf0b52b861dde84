"""The index of the design decisions has each of them, once and in order."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs" / "adr"


def test_index_names_each_decision() -> None:
    index = (FOLDER / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| \[(\d+)\]\((.+?)\) \|", index, flags=re.MULTILINE)
    pages = sorted(path.name for path in FOLDER.glob("0*.md"))

    assert [number for number, _page in rows] == [str(number) for number in range(1, len(rows) + 1)]
    # What is told at length stands with the other documents.
    assert [row for row in rows if not row[1].startswith("../")] == [
        (str(int(name[:4])), name) for name in pages
    ]
    assert [page for _number, page in rows if not (FOLDER / page).exists()] == []
