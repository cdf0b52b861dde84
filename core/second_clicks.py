"""What counts as the second click of one person."""

from __future__ import annotations

from datetime import datetime, timedelta

# The same thing by the same person so soon is the second click of one, or a form sent again by the back button.
SAME_CLICK = timedelta(seconds=30)


def just_now(at: datetime) -> tuple[datetime, datetime]:
    """Return the instants between which a person's second click falls, for `at__range`."""
    return at - SAME_CLICK, at + SAME_CLICK
