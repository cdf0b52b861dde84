"""How the readers say what they skipped."""

from __future__ import annotations

from typing import Final

from players.fide_list.values import LineProblem

MAX_TEXT: Final = 200


def problem(line: int, message: str, text: str, *, column: int | None = None) -> LineProblem:
    """Return the problem of a record with the beginning of its text, fit to be shown."""
    shown = text.strip("\r\n")[:MAX_TEXT]
    return LineProblem(line, column, message, "".join(c if c.isprintable() else "\ufffd" for c in shown))


def known(fide_id: int) -> str:
    """Return the message for a record whose ID number stood in the file before."""
    return f"The ID number {fide_id} stands in the file before; the first record is kept."
