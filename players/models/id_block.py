"""Blocks of FIDE IDs."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models.federation import Federation


class IdBlock(models.Model):
    """The FIDE IDs of one prefix, given out by one federation; an ID is prefix, four digits, check digit."""

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="id_blocks")
    prefix = models.PositiveSmallIntegerField(_("prefix"), unique=True)
    next_serial = models.PositiveSmallIntegerField(_("next number"), default=0)

    class Meta:
        ordering = ["federation", "prefix"]
        constraints = [
            models.CheckConstraint(
                condition=Q(prefix__gte=1, prefix__lte=999), name="id_prefix_has_up_to_three_digits"
            ),
            # 10,000 is a block without a number left.
            models.CheckConstraint(condition=Q(next_serial__lte=10_000), name="id_serial_has_four_digits"),
        ]

    def __str__(self) -> str:
        return f"{self.federation_id} {self.prefix}"
