"""Holds of reports, set by the checks or by the QC (0.4)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import Reasoned, account_field
from tournaments.models.tournament import Tournament
from tournaments.portal_reasons import SENTENCES


class Hold(Reasoned):
    """A report on hold, set by a person: no list takes the tournament. One from the findings only flags the report."""

    sentences = SENTENCES
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="holds")
    reason = models.TextField(_("reason"))
    is_from_findings = models.BooleanField(_("set by the checks"), default=False)
    raised_by = account_field()
    raised_at = models.DateTimeField(_("raised at"))
    closed_by = account_field()
    closed_at = models.DateTimeField(_("released at"), null=True, blank=True)

    class Meta:
        ordering = ["raised_at", "pk"]
        # The name from when a hold was called a question.
        db_table = "tournaments_question"
        verbose_name = _("hold on a report")
        verbose_name_plural = _("holds on reports")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(closed_at=None), name="one_open_question_a_tournament"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_question_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.reason[:40]}"
