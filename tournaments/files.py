"""How uploaded files are named where they are stored, and how large they may be."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _l

from tournaments.trf.limits import MAX_BYTES

LONGEST_FILE_NAME = 120


def safe_file_name(name: str) -> str:
    """Return the last part of a file name without control characters, cut to a sensible length."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    clean = "".join(letter for letter in last if letter.isprintable())
    # The end has the ending.
    return clean[-LONGEST_FILE_NAME:] or "report.trf"


MEBIBYTE = 1024 * 1024
# The largest file that is taken, by field: of a report what its reader reads, of a PGN some 20,000 games.
MAX_UPLOADS = {"report": MAX_BYTES, "pgn": 32 * MEBIBYTE}
EMPTY_FILE = _l("The file is empty. Export the report again and upload that file.")
ONE_REPORT = _l("Upload only the report of this tournament.")
