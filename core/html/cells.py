"""Cells of a CSV that people open in a spreadsheet."""

from __future__ import annotations

from typing import Any

# What a spreadsheet takes for the beginning of a formula, or skips before one.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def guarded(value: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: one that looks like it begins with an apostrophe."""
    return f"'{value}" if value.startswith(FORMULA) else value


def cell(value: Any) -> Any:
    """Return a value as a cell: texts guarded, truth as true and false, anything else as it is."""
    if isinstance(value, bool):
        return str(value).lower()
    return guarded(value) if isinstance(value, str) else value
