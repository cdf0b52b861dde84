"""Players, each with a FIDE ID from a block of the federation."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import CodePointCharField
from players.choices import Area, Sex, Title
from players.models.federation import Federation
from players.models.log import Logged


class Player(Logged):
    """A person with a FIDE ID number.

    The full birth date is private; everybody may see the year, or of a minor the age band where the federation asks.
    """

    fide_id = models.PositiveIntegerField(_("FIDE ID"), primary_key=True)
    name = CodePointCharField(_("name"), max_length=100, blank=True)
    # The index on federation and year of birth finds by federation too.
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, related_name="players", db_index=False
    )
    sex = models.CharField(_("sex"), max_length=1, choices=Sex, blank=True)
    title = models.CharField(_("title"), max_length=3, choices=Title, blank=True)
    women_title = models.CharField(_("women's title"), max_length=3, choices=Title, blank=True)
    other_titles = models.CharField(_("arbiter's and trainer's titles"), max_length=40, blank=True)
    foa_title = models.CharField(_("arena title"), max_length=3, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    birth_date = models.DateField(_("date of birth (private)"), null=True, blank=True)
    died_on = models.DateField(_("date of death"), null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged_players"
    )

    area = Area.PLAYER

    class Meta:
        ordering = ["fide_id"]
        # A new player is compared with those of the federation who were born in the same year.
        indexes = [models.Index(fields=["federation", "birth_year"], name="player_federation_birth_year")]
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(condition=Q(fide_id__gt=0), name="fide_id_is_positive"),
            models.CheckConstraint(
                condition=Q(birth_year=None) | Q(birth_year__gte=1850), name="birth_year_is_plausible"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name or '?'} ({self.fide_id})"

    def log_subject(self) -> dict[str, Any]:
        return {"player": self, "federation_id": self.federation_id, "subject": str(self)}
