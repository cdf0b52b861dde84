"""Years of birth that minors hide."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.models.player import Player


class HiddenBirthYear(models.Model):
    """A player who asks for the age band in place of the year of birth; it acts while they are a minor."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="hidden_birth_year"
    )
    asked_at = models.DateTimeField(_("requested at"))

    class Meta:
        verbose_name = _("hidden year of birth")
        verbose_name_plural = _("hidden years of birth")

    def __str__(self) -> str:
        return str(self.player_id)
