"""Spreadsheets (XLSX, XLS, ODS) read as they are sent, within limits (ADR 30)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from tempfile import TemporaryFile
from typing import IO

from django.utils.translation import gettext as _

from core.web import sheet_cells
from core.web.sheet_cells import MAX_COLUMNS, ZIP_START

# While others keep all processors busy, the seconds of the process take longer.
WAIT_FACTOR = 7
OLE_START = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# The directory of an archive is not compressed: the names of its files are there to be read.
MARKS = (b"xl/workbook.", b"application/vnd.oasis.opendocument.spreadsheet", "Workbook".encode("utf-16-le"))


class SheetError(ValueError):
    """The file is not a readable spreadsheet; the message is for users."""


def is_packed(content: bytes) -> bool:
    """Return whether the content begins as an archive or a document of Office does, so that it is no text."""
    return content.startswith((ZIP_START, OLE_START))


def is_spreadsheet(content: bytes) -> bool:
    """Return whether the content is an archive or a document with a workbook."""
    return is_packed(content) and any(mark in content for mark in MARKS)


def read_sheet(content: bytes) -> list[list[str]]:
    """Return the cells of the first sheet as texts, row by row; empty rows too, so that their numbers are kept.

    `SheetError` for what is no spreadsheet, or exceeds the limits.
    """
    with TemporaryFile() as source, TemporaryFile() as target:
        source.write(content)
        source.flush()
        convert_sheet(source, target, limits="table")
        return [json.loads(line) for line in target]


def convert_sheet(source: IO[bytes], target: IO[bytes], *, limits: str) -> None:
    """Write the rows of the first sheet to a file as lines of JSON, within limits; `SheetError` as above."""
    allowed = sheet_cells.LIMITS[limits]
    # Whatever was read of the source: its process begins at the beginning.
    os.lseek(source.fileno(), 0, os.SEEK_SET)
    command = [sys.executable, "-I", sheet_cells.__file__, limits]
    try:
        done = subprocess.run(  # noqa: S603 our own program
            command,
            stdin=source,
            stdout=target,
            stderr=subprocess.DEVNULL,
            timeout=WAIT_FACTOR * allowed.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise too_large(allowed) from error
    # Below 0 a limit of the process ended it.
    if done.returncode < 0 or done.returncode == sheet_cells.TOO_LARGE:
        raise too_large(allowed)
    if done.returncode:
        raise SheetError(
            _("This spreadsheet cannot be read. Save the table again as XLSX or CSV and upload that file.")
        )
    target.seek(0)


def too_large(allowed: sheet_cells.Limits) -> SheetError:
    """Return what is raised for a table beyond the limits."""
    message = _("The spreadsheet is too large: at most %(rows)d rows and %(columns)d columns.")
    return SheetError(message % {"rows": allowed.rows, "columns": MAX_COLUMNS})
