"""An act: by whom, when and why something is done."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple


class Act(NamedTuple):
    """By whom (None for the portal and its commands), at which instant, and why in the person's own words.

    `day` is the day for which it counts where that is not the day of the instant, as with a past that is moved in.
    """

    by: Any
    at: datetime
    reason: str = ""
    day: date | None = None

    @property
    def on(self) -> date:
        """The day on which the act counts."""
        return self.day or self.at.date()
