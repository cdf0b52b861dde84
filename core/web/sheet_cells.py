"""The first sheet of a spreadsheet, read in a process of its own (`sheet_reader`): at stdout a line of JSON a row.

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
from typing import Any, NamedTuple


class Limits(NamedTuple):
    """What reading a spreadsheet may take."""

    seconds: int
    memory: int
    unpacked_bytes: int
    rows: int
    cells: int


# 5,000 players and 40 columns: the most that an archive of this size takes is 1.5 s.
SECONDS, MAX_UNPACKED_BYTES, MAX_ROWS = 3, 16 << 20, 5000
# The name of the limits is the argument of the process. A register has as many rows as a sheet can have.
LIMITS = {
    "table": Limits(SECONDS, 512 << 20, MAX_UNPACKED_BYTES, MAX_ROWS, 200_000),
    "register": Limits(90, 2 << 30, 512 << 20, 1 << 20, 16 << 20),
}
MAX_ENTRIES = 1000
MAX_COLUMNS = 256
MAX_CELL_LENGTH = 1000
ZIP_START = b"PK\x03\x04"
TOO_LARGE = 3


def main() -> int:
    """Write the rows; return the exit code: `TOO_LARGE`, or 1 where the file cannot be read."""
    limits = LIMITS[sys.argv[1]]
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    # A reader that is ended by its limits leaves no image of its memory behind.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    content = sys.stdin.buffer.read()
    try:
        if content.startswith(ZIP_START) and not _is_small(content, limits.unpacked_bytes):
            return TOO_LARGE
        return _write_rows(content, limits)
    except MemoryError:
        return TOO_LARGE


def _is_small(content: bytes, left: int) -> bool:
    """Return whether an archive unpacks to little, by what it states and by what comes out."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        if len(members) > MAX_ENTRIES or sum(member.file_size for member in members) > left:
            return False
        for member in members:
            with archive.open(member) as part:
                left -= len(part.read(left + 1))
            if left < 0:
                return False
    return True


def _write_rows(content: bytes, limits: Limits) -> int:
    """Write the cells as texts, empty rows too, so that their numbers are kept; return the exit code."""
    from python_calamine import load_workbook

    sheet = load_workbook(BytesIO(content)).get_sheet_by_index(0)
    if sheet.end is None:
        return 0
    height, width = sheet.end[0] + 1, sheet.end[1] + 1
    if height > limits.rows or width > MAX_COLUMNS or height * width > limits.cells:
        return TOO_LARGE
    left = limits.unpacked_bytes
    # A small file can name a long text a million times.
    for row in sheet.to_python(skip_empty_area=False):
        cells = [_text(value)[:MAX_CELL_LENGTH] for value in row]
        left -= sum(map(len, cells))
        if left < 0:
            return TOO_LARGE
        sys.stdout.write(json.dumps(cells) + "\n")
    return 0


def _text(value: Any) -> str:
    """Return a cell as somebody types it: whole numbers without decimals, days as YYYY-MM-DD."""
    if (isinstance(value, float) and value.is_integer()) or isinstance(value, bool):
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time.min:
        return value.date().isoformat()
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
