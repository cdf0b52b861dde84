"""Names of uploaded files as they are stored."""

from __future__ import annotations

LONGEST_FILE_NAME = 120


def safe_file_name(name: str) -> str:
    """Return the last part of a file name without control characters, cut to a sensible length."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    clean = "".join(letter for letter in last if letter.isprintable())
    # The end has the ending.
    return clean[-LONGEST_FILE_NAME:] or "report.trf"
