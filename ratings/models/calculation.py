"""What a list did with a player."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import WholeJSONField
from players.models import Player
from ratings.models.rating_list import RatingList


class CalculationFigures(models.Model):
    """From the previous rating to the new one. Changes are hundredths of a point.

    `steps` names, in order, what was done, with its article or decision.
    """

    previous_rating = models.PositiveSmallIntegerField(_("previous rating"), null=True, blank=True)
    base_rating = models.PositiveSmallIntegerField(_("rating before the change"), null=True, blank=True)
    games = models.PositiveIntegerField(_("rated games"), default=0)
    change_hundredths = models.IntegerField(_("change from the games of the period"), default=0)
    correction_hundredths = models.IntegerField(_("change from corrections"), default=0)
    rounded_change = models.IntegerField(_("rounded change"), default=0)
    new_rating = models.PositiveSmallIntegerField(_("new rating"), null=True, blank=True)
    result = models.CharField(_("result"), max_length=40)
    steps = WholeJSONField(_("steps"), default=list)

    class Meta:
        abstract = True


class Calculation(CalculationFigures):
    """The calculation of a player on a list: one for each player with a result or a correction.

    As with entries (`ListEntry`), the database does not check the foreign keys: only publications write
    calculations, some 100,000 at once, of players that they have just read.
    """

    rating_list = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, related_name="calculations", db_constraint=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="calculations", db_constraint=False, db_index=False
    )

    class Meta:
        ordering = ["rating_list", "player"]
        verbose_name = _("calculation")
        verbose_name_plural = _("calculations")
        constraints = [
            models.UniqueConstraint(fields=["player", "rating_list"], name="one_calculation_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.rating_list}"
