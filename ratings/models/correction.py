"""Corrections of what is published, with the lines in which the next list takes them (D-11)."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from core.html.dates import short_date
from core.models import Reasoned, ValueField, account_field
from players.models import Player
from ratings.choices import SENTENCES, LineKind
from ratings.models.adoption import LateAdoption
from ratings.models.rating_list import RatingList
from tournaments.amendments import Amendment, OfField
from tournaments.models import Report, Tournament

DATA_LABELS = {
    "name": _("Name"),
    "federation_id": _("Federation"),
    "sex": _("Sex"),
    "birth_year": _("Year of birth"),
    "died_on": _("Date of death"),
    "merged_into": _("Merged into"),
    "excluded": _("Federation excluded"),
    "list": _("Rating list"),
    "listed_rating": _("Rating"),
    "listed_k": _("K-factor"),
    "text": _("Text of the regulations"),
}


class CorrectionQuerySet(models.QuerySet["Correction"]):
    """Corrections, found by what they amend."""

    def of_datum(self, field: str) -> Self:
        """Return those that amend a datum of a player."""
        return self.annotate(said=Cast("amendments", models.TextField())).filter(
            said__contains=f'"field":"{field}"'
        )


class Correction(Reasoned):
    """A published report or its conditions (D-82), or a player's published data, with what was amended. Never changed.

    Of a player, `amendments` have each datum as text.
    """

    sentences = SENTENCES
    objects = CorrectionQuerySet.as_manager()
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, null=True, blank=True, related_name="corrections"
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="corrections"
    )
    amendments = ValueField(_("Amendments"), of=list[Amendment], default=list, blank=True)
    old_report = models.ForeignKey(Report, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    new_report = models.ForeignKey(Report, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    # Of what an act on many players corrected of each (D-132).
    late_adoption = models.ForeignKey(
        LateAdoption, on_delete=models.PROTECT, null=True, blank=True, related_name="corrections"
    )
    reason = models.TextField(_("Reason"))
    by = account_field()
    at = models.DateTimeField(_("Date and time"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        constraints = [
            models.CheckConstraint(
                condition=Q(tournament__isnull=False, old_report__isnull=False, player=None)
                | Q(tournament=None, old_report=None, new_report=None, player__isnull=False),
                name="correction_of_a_report_or_a_player",
            )
        ]

    def __str__(self) -> str:
        about = self.tournament.name if self.tournament else self.player
        return f"{about} · {short_date(self.at.date())}"

    @property
    def fields(self) -> dict[str, OfField]:
        """What was amended of fields, by their names."""
        return {one.field: one for one in self.amendments if isinstance(one, OfField)}


class CorrectionLine(models.Model):
    """A player's difference on one corrected list, in hundredths; `taken_by` is the list that adds it.

    It says what the correction does, as it was shown when it was made. What a list takes is calculated again from the
    facts of that day (`ratings.ledger`). `change_hundredths` is the part without an initial rating, which online arenas
    add (D-103).
    """

    correction = models.ForeignKey(Correction, on_delete=models.PROTECT, related_name="lines")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="correction_lines")
    corrected_list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="correction_lines")
    kind = models.CharField(_("Type of correction"), max_length=7, choices=LineKind)
    before_hundredths = models.IntegerField(_("Before"), null=True, blank=True)
    after_hundredths = models.IntegerField(_("After"), null=True, blank=True)
    difference_hundredths = models.IntegerField(_("Difference"), default=0)
    change_hundredths = models.IntegerField(_("Difference in the rating change"), default=0)
    games_difference = models.IntegerField(_("Difference in rated games"), default=0)
    taken_by = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, null=True, blank=True, related_name="correction_lines_taken"
    )

    class Meta:
        ordering = ["correction", "corrected_list", "player"]
        verbose_name = _("correction line")
        verbose_name_plural = _("correction lines")
        constraints = [
            models.UniqueConstraint(
                fields=["correction", "player", "corrected_list"], name="one_line_a_corrected_list"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.difference_hundredths}"
