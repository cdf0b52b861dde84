"""Players who look like one person and are not."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from players.models.player import Player


class DistinctPlayers(models.Model):
    """Two records that look like one person and are not, as FIDE staff found; `other` has the higher FIDE ID."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    by = account_field()
    at = models.DateTimeField(_("date and time"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("players told apart")
        verbose_name_plural = _("players told apart")
        constraints = [
            models.UniqueConstraint(fields=["player", "other"], name="a_pair_is_told_apart_once"),
            models.CheckConstraint(condition=Q(player__lt=F("other")), name="the_lower_fide_id_stands_first"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.other_id}"
