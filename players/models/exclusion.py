"""Exclusions of federations from FIDE (FIDE R&B 2024, 9.1)."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.html.dates import short_date
from core.models import account_field
from players.choices import Area
from players.models.federation import Federation
from players.models.log import Logged


class FederationExclusion(Logged):
    """A temporary or permanent exclusion; `until` is the day of re-admission (9.1, D-15)."""

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="exclusions")
    excluded_from = models.DateField(_("excluded from"))
    until = models.DateField(_("readmitted on"), null=True, blank=True)
    reference = models.CharField(_("decision"), max_length=200, blank=True)
    recorded_by = account_field()
    recorded_at = models.DateTimeField(_("recorded at"))

    area = Area.EXCLUSION

    class Meta:
        ordering = ["federation", "excluded_from"]
        verbose_name = _("exclusion of a federation")
        verbose_name_plural = _("exclusions of federations")
        constraints = [
            models.UniqueConstraint(fields=["federation", "excluded_from"], name="one_exclusion_a_first_day"),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=F("excluded_from")),
                name="exclusion_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.federation}, {short_date(self.excluded_from)}"

    def log_subject(self) -> dict[str, Any]:
        return {
            "federation_id": self.federation_id,
            "subject": f"{self.federation_id} {self.excluded_from.isoformat()}",
        }
