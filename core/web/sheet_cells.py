"""The first sheet of a spreadsheet, read in a process of its own (`sheet_reader`): in at stdin, rows as JSON at stdout.

A crafted file can make the reader take any time or memory, and ends its process where memory is missing. The process
has little of both, and the portal goes on.
"""

from __future__ import annotations

import json
import resource
import sys
import zipfile
from datetime import datetime, time
from io import BytesIO
from typing import Any

# The most that an archive of this size takes is 1.5 s.
SECONDS, MEMORY = 3, 512 << 20
MAX_UNPACKED_BYTES = 16 << 20
MAX_ENTRIES = 1000
MAX_ROWS = 5000
MAX_COLUMNS = 256
# 5,000 players and 40 columns.
MAX_CELLS = 200_000
MAX_CELL_LENGTH = 1000
ZIP_START = b"PK\x03\x04"
TOO_LARGE = 3


def main() -> int:
    """Write the rows; return the exit code: `TOO_LARGE`, or 1 where the file cannot be read."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # A reader that is ended by its limits leaves no image of its memory behind.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    content = sys.stdin.buffer.read()
    try:
        if content.startswith(ZIP_START) and not _is_small(content):
            return TOO_LARGE
        rows = _rows(content)
    except MemoryError:
        return TOO_LARGE
    if rows is None:
        return TOO_LARGE
    json.dump(rows, sys.stdout)
    return 0


def _is_small(content: bytes) -> bool:
    """Return whether an archive unpacks to little, by what it states and by what comes out."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        left = MAX_UNPACKED_BYTES
        if len(members) > MAX_ENTRIES or sum(member.file_size for member in members) > left:
            return False
        for member in members:
            with archive.open(member) as part:
                left -= len(part.read(left + 1))
            if left < 0:
                return False
    return True


def _rows(content: bytes) -> list[list[str]] | None:
    """Return the cells as texts, empty rows too, so that their numbers are kept; None where they are too many."""
    from python_calamine import load_workbook

    sheet = load_workbook(BytesIO(content)).get_sheet_by_index(0)
    if sheet.end is None:
        return []
    height, width = sheet.end[0] + 1, sheet.end[1] + 1
    if height > MAX_ROWS or width > MAX_COLUMNS or height * width > MAX_CELLS:
        return None
    rows, left = [], MAX_UNPACKED_BYTES
    # A small file can name a long text a million times.
    for row in sheet.to_python(skip_empty_area=False):
        rows.append([_text(value)[:MAX_CELL_LENGTH] for value in row])
        left -= sum(map(len, rows[-1]))
        if left < 0:
            return None
    return rows


def _text(value: Any) -> str:
    """Return a cell as somebody types it: whole numbers without decimals, days as YYYY-MM-DD."""
    if (isinstance(value, float) and value.is_integer()) or isinstance(value, bool):
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time.min:
        return value.date().isoformat()
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
