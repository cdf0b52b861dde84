"""Notes that the QC and FIDE staff alone read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from tournaments.models import InternalNote, Tournament


def add_note(tournament: Tournament, text: str, *, by: Any, at: datetime) -> InternalNote:
    """Keep a note that the QC and FIDE staff alone read; `RefusedError` for an empty one.

    The same person's same note as the last one is the second click of one, and returns that.
    """
    if not text.strip():
        raise refused("note-missing", _("Enter a note."), "text")
    with transaction.atomic():
        # Under the lock the second of two requests at once finds the note of the first.
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        newest: InternalNote | None = locked.notes.order_by("-pk").first()
        if newest is not None and newest.by == by and newest.text == text.strip():
            return newest
        return InternalNote.objects.create(tournament=locked, text=text.strip(), by=by, at=at)
