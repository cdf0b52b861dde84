"""Corrections of single games of a report."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from players.models import Player
from tournaments.choices import CorrectionState
from tournaments.models.tournament import Tournament


class ResultCorrection(models.Model):
    """A correction of one game: made at once by whoever may, else requested and decided.

    `verdict` is the new result, a mark, or another of `ratings.services.corrections.tournaments.Decision`; `white`,
    `black` and `other` (who played in the place of one of them) are starting ranks in `report`, which it corrects.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="result_corrections")
    report = models.ForeignKey(
        "tournaments.Report", on_delete=models.PROTECT, related_name="result_corrections"
    )
    round = models.PositiveSmallIntegerField(_("round"))
    white = models.PositiveSmallIntegerField(_("white"))
    black = models.PositiveSmallIntegerField(_("black"))
    result_before = models.CharField(_("result before"), max_length=7, blank=True)
    verdict = models.CharField(_("correction"), max_length=13)
    mark_reference = models.CharField(_("reference"), max_length=100, blank=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    other = models.PositiveSmallIntegerField(_("right opponent"), null=True, blank=True)
    reason = models.TextField(_("reason"))
    asked_by = account_field()
    asked_at = models.DateTimeField(_("requested at"))
    state = models.CharField(
        _("state"), max_length=9, choices=CorrectionState, default=CorrectionState.WAITING
    )
    decision_reason = models.TextField(_("reason for the decision"), blank=True)
    decided_by = account_field()
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("correction of a result")
        verbose_name_plural = _("corrections of results")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "white"],
                condition=Q(state=CorrectionState.WAITING),
                name="one_open_correction_a_game",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_correction_of_a_result_has_a_reason"),
            models.CheckConstraint(
                condition=Q(state=CorrectionState.WAITING, decided_at=None, decision_reason="")
                | (~Q(state=CorrectionState.WAITING) & Q(decided_at__isnull=False)),
                name="a_correction_of_a_result_is_decided",
            ),
            models.CheckConstraint(
                condition=~Q(state=CorrectionState.REFUSED) | ~Q(decision_reason=""),
                name="a_correction_is_refused_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.round}-{self.white}"
