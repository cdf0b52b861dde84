"""An act: by whom, when and why something is done, or what a dry run of it would do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import transaction


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


@contextmanager
def carrying_out(*, is_dry_run: bool) -> Iterator[None]:
    """Carry out what stands in the block in one transaction; a dry run is taken back at its end.

    What is shown before an act is what the act does, by the same code.
    """
    with transaction.atomic():
        yield
        if is_dry_run:
            transaction.set_rollback(True)
