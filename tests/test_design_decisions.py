"""The index of the design decisions has each of them, once and in order."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs" / "adr"


def test_index_names_each_decision() -> None:
    rows = re.findall(
        r"^\| \[(\d+)\]\((.+?)\) \|", (FOLDER / "README.md").read_text("utf-8"), flags=re.MULTILINE
    )
    pages = sorted(path.name for path in FOLDER.glob("0*.md"))

    assert rows == [(str(int(name[:4])), name) for name in pages]
