"""Sessions end when a person's rights change."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import F


def end_sessions(user: Any) -> None:
    """End every session of a person, on whatever machine."""
    users: Any = get_user_model()._default_manager
    users.filter(pk=user.pk).update(session_epoch=F("session_epoch") + 1)
    user.session_epoch = users.values_list("session_epoch", flat=True).filter(pk=user.pk).first() or 0
