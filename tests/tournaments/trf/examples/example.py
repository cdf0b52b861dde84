"""What an example of a finding is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """Why a code matters, a file that has it, and where it stands: line and column, None for the whole."""

    meaning: str
    file: str | bytes
    place: tuple[int | None, int | None]
    # What the documentation shows of a file that is too long to be shown.
    shown: str = ""


WHOLE = (None, None)
