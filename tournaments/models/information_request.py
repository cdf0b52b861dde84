"""What the QC asks a rating officer about a tournament, and the answers (0.4)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from tournaments.models.tournament import Tournament


class InformationRequest(models.Model):
    """What the QC asks the officer, by when, and the answer."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="information_requests")
    text = models.TextField(_("text"))
    due_on = models.DateField(_("reply by"))
    asked_by = account_field()
    asked_at = models.DateTimeField(_("requested at"))
    answer = models.TextField(_("answer"), blank=True)
    answered_by = account_field()
    answered_at = models.DateTimeField(_("replied at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("information request")
        verbose_name_plural = _("information requests")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(answered_at=None), name="one_open_request_a_tournament"
            ),
            models.CheckConstraint(
                condition=Q(answered_at=None, answer="") | (Q(answered_at__isnull=False) & ~Q(answer="")),
                name="an_answer_has_its_instant",
            ),
            models.CheckConstraint(
                condition=Q(answered_at=None) | Q(answered_at__gte=F("asked_at")),
                name="an_answer_follows_its_question",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.text[:40]}"
