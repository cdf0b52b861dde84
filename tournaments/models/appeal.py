"""Appeals to FIDE Council against decisions not to rate (0.4)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.models import account_field
from players.models import LogEntry
from tournaments.choices import AppealGround, AppealState
from tournaments.models.tournament import Tournament


class Appeal(models.Model):
    """An appeal to FIDE Council against one decision not to rate, and what Council decided."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="appeals")
    # One to one: a decision is appealed once (0.4), also by two officers at the same moment.
    decision = models.OneToOneField(LogEntry, on_delete=models.PROTECT, related_name="appeal")
    communicated_on = models.DateField(_("decision communicated on"))
    ground = models.CharField(_("grounds"), max_length=10, choices=AppealGround)
    statement = models.TextField(_("statement"))
    organiser = models.CharField(_("organiser who appeals"), max_length=120)
    state = models.CharField(_("state"), max_length=9, choices=AppealState, default=AppealState.OPEN)
    lodged_by = account_field()
    lodged_at = models.DateTimeField(pgettext_lazy("appeal", "submitted at"))
    outcome_reason = models.TextField(_("Reasons of FIDE Council"), blank=True)
    decided_by = account_field()
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        ordering = ["lodged_at", "pk"]
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        constraints = [
            models.CheckConstraint(
                condition=Q(state=AppealState.OPEN, decided_at=None, outcome_reason="")
                | (~Q(state=AppealState.OPEN) & Q(decided_at__isnull=False) & ~Q(outcome_reason="")),
                name="an_appeal_is_decided_with_reasons",
            ),
            models.CheckConstraint(condition=~Q(statement=""), name="an_appeal_has_a_statement"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.state}"
