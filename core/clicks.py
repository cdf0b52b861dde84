"""What keeps a second click, or a form sent again by the back button, from doing a thing twice."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model

# The same thing by the same person so soon is the second click of one.
SAME_CLICK = timedelta(seconds=30)


def just_now(at: datetime) -> tuple[datetime, datetime]:
    """Return the instants between which the same thing by the same person is the same click, for `at__range`."""
    return at - SAME_CLICK, at + SAME_CLICK


def lock_person(person: Any) -> None:
    """Let what a person does wait, until the transaction ends, for what the same person does at the same time."""
    get_user_model()._default_manager.select_for_update().get(pk=person.pk)
