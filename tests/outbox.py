"""Time that passes for due work: its instants are the database's, whose clock no test sets."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet


def let_pass(rows: QuerySet[Any], time: timedelta) -> None:
    """Let a time pass for rows of due work."""
    rows.update(due_at=F("due_at") - time)
    rows.exclude(claimed_at=None).update(claimed_at=F("claimed_at") - time)
