"""Whole numbers in the texts of forms and addresses."""

from __future__ import annotations

# What the keys of rows hold: a database refuses a query for a larger one.
LARGEST_KEY = 2**63 - 1


def read_number(text: str, *, most: int = LARGEST_KEY) -> int | None:
    """Return the number that a text of ASCII digits writes, None for any other text and above `most`."""
    # `int` reads the digits of every script, and refuses texts of thousands of them.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST_KEY))
    return int(text) if is_number and int(text) <= most else None
