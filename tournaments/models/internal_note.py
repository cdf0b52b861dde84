"""Notes on a tournament that only the QC and FIDE staff read (0.4)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnly
from core.models import account_field
from tournaments.models.tournament import Tournament


class InternalNote(AppendOnly):
    """A note of the QC or of FIDE staff that nobody else reads. Never changed."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField(_("note"))
    by = account_field()
    at = models.DateTimeField(_("date and time"))

    class Meta:
        ordering = ["tournament", "at", "pk"]
        verbose_name = _("internal note")
        verbose_name_plural = _("internal notes")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.text[:40]}"
