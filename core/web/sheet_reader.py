"""Spreadsheets (XLSX, XLS, ODS) read as they are sent, within limits (ADR 30)."""

from __future__ import annotations

import json
import subprocess
import sys

from django.utils.translation import gettext as _

from core.web import sheet_cells
from core.web.sheet_cells import MAX_COLUMNS, MAX_ROWS, ZIP_START

# While others keep all processors busy, the seconds of the process take longer.
WAIT_SECONDS = 20
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
    command = [sys.executable, "-I", sheet_cells.__file__]
    try:
        done = subprocess.run(  # noqa: S603 our own program
            command, input=content, capture_output=True, timeout=WAIT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise SheetError(_too_large()) from error
    # Below 0 a limit of the process ended it.
    if done.returncode < 0 or done.returncode == sheet_cells.TOO_LARGE:
        raise SheetError(_too_large())
    if done.returncode:
        raise SheetError(
            _("This spreadsheet cannot be read. Save the table again as XLSX or CSV and upload that file.")
        )
    rows: list[list[str]] = json.loads(done.stdout)
    return rows


def _too_large() -> str:
    return _("The spreadsheet is too large: at most %(rows)d rows and %(columns)d columns.") % {
        "rows": MAX_ROWS,
        "columns": MAX_COLUMNS,
    }
