"""The next list so far, as it is stored each night."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import WholeJSONField
from players.models import Player
from ratings.choices import ListKind
from ratings.models.calculation import CalculationFigures


class NextList(models.Model):
    """What the provisional figures of a kind follow from: the list they are of and the ratings that it takes so far.

    `taken` leads from each rating of a tournament to the tournament, `corrected` are the players with corrections
    or mergers on their way. `fingerprint` differs as soon as anything of it does, its first half where that concerns
    everybody.
    """

    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind, primary_key=True)
    date = models.DateField(_("Date"), null=True)
    updated_at = models.DateTimeField(_("Updated at"), null=True)
    fingerprint = models.CharField(_("Fingerprint"), max_length=64, blank=True)
    taken = WholeJSONField(_("Ratings taken"), default=dict)
    corrected = WholeJSONField(_("Players corrected"), default=list)

    class Meta:
        verbose_name = _("next list so far")
        verbose_name_plural = _("next lists so far")

    def __str__(self) -> str:
        return f"{self.kind} {self.date}"


class ProvisionalCalculation(CalculationFigures):
    """What the next list would do with a player if it were published now.

    Rows of a list that is published by now count for nothing; the next update removes them. Written by the thousand
    of players that were just read, as calculations are.
    """

    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind)
    list_date = models.DateField(_("Date of the list"))
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )

    class Meta:
        ordering = ["kind", "player"]
        verbose_name = _("provisional calculation")
        verbose_name_plural = _("provisional calculations")
        indexes = [
            # The page of the next list reads the first hundred by rating.
            models.Index(fields=["kind", "-new_rating", "player"], name="provisional_by_rating"),
            models.Index(fields=["kind", "rounded_change", "player"], name="provisional_by_change"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["player", "kind"], name="one_provisional_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.result}"
