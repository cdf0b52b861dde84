"""The title and licence of an arbiter, as FIDE staff enter them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from players.choices import ArbiterCategory, ArbiterTitle
from players.models.player import Player


class ArbiterLicence(models.Model):
    """What FIDE staff enter of an arbiter beside the title of FIDE's lists, which are imported with the player."""

    player = models.OneToOneField(
        Player, on_delete=models.PROTECT, primary_key=True, related_name="arbiter_licence"
    )
    title = models.CharField(_("arbiter title"), max_length=2, choices=ArbiterTitle, blank=True)
    category = models.CharField(_("category"), max_length=1, choices=ArbiterCategory, blank=True)
    licensed_until = models.DateField(_("licence valid until"), null=True, blank=True)
    entered_by = account_field()
    entered_at = models.DateTimeField(_("entered at"))

    class Meta:
        ordering = ["player"]
        verbose_name = _("arbiter licence")
        verbose_name_plural = _("arbiter licences")

    def __str__(self) -> str:
        return f"{self.player_id} {self.title}{self.category}"
