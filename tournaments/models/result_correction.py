"""Corrections of single games of a report."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import ValueField
from players.choices import CaseKind, CaseState
from players.models import Case
from players.models.cases import own_number
from tournaments.amendments import Amendment


class ResultCorrection(Case):
    """A correction of one game: decided at once by whoever may, else requested.

    `amendments` are those of the game; `white` and `black` are its starting ranks in `report`, which it corrects.
    `player` is the right person of a line.
    """

    KIND = CaseKind.RESULT
    STATES = {CaseState.APPROVED: _("corrected")}
    # What its amendments did, from the moment that they are made.
    effect: Any = None

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    report = models.ForeignKey(
        "tournaments.Report", on_delete=models.PROTECT, related_name="result_corrections"
    )
    round = models.PositiveSmallIntegerField(_("round"))
    white = models.PositiveSmallIntegerField(_("white"))
    black = models.PositiveSmallIntegerField(_("black"))
    result_before = models.CharField(_("result before"), max_length=7, blank=True)
    amendments = ValueField(_("correction"), of=list[Amendment], default=list)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("correction of a result")
        verbose_name_plural = _("corrections of results")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.round}-{self.white}"

    @property
    def about(self) -> str:
        """The tournament and the game: of one tournament several may wait."""
        return f"{self.tournament.name} (R{self.round}: {self.white}–{self.black})"

    def key_of(self) -> str:
        return f"{self.tournament_id} {self.round} {self.white}"
