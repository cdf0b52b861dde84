"""Entries of the audit log, by what a test did itself: those of rows that were made for it are left out."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from players.choices import Area, Deed
from players.models import LogEntry


def steps(**wanted: Any) -> QuerySet[LogEntry]:
    """Return what was done with tournaments, the oldest first."""
    return LogEntry.objects.filter(area=Area.TOURNAMENT, **wanted).order_by("pk")


def acts(**wanted: Any) -> QuerySet[LogEntry]:
    """Return what was done elsewhere, the oldest first, without the changes of fields."""
    entries = LogEntry.objects.exclude(area=Area.TOURNAMENT)
    return entries.exclude(action__in=(Deed.ADDED, Deed.EDITED, Deed.DELETED)).filter(**wanted).order_by("pk")
