"""The titles that a list shows for the first time."""

from __future__ import annotations

from datetime import date

from players.services.titles import apply_due_titles
from ratings.models import RatingList


def bring_titles(kind: str, list_date: date) -> None:
    """Give players the titles granted since the list before, in a short transaction of its own.

    Both kinds are published at once by two processes: neither waits for the players that the other holds.
    """
    previous = RatingList.objects.before(kind, list_date)
    if previous is not None:
        apply_due_titles(on=list_date, after=previous.date, recorded_after=previous.published_at)
