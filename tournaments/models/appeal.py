"""Appeals to FIDE Council against decisions not to rate (0.4)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.choices import CaseKind, CaseState
from players.models import Case, LogEntry
from players.models.cases import own_number
from tournaments.choices import AppealGround


class Appeal(Case):
    """An appeal to FIDE Council against one decision not to rate, and what Council decided."""

    KIND = CaseKind.APPEAL
    STATES = {
        CaseState.WAITING: _("waiting for FIDE Council"),
        CaseState.APPROVED: _("upheld"),
        CaseState.REFUSED: _("dismissed"),
    }

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    # One to one: a decision is appealed once (0.4), also by two officers at the same moment.
    decision = models.OneToOneField(LogEntry, on_delete=models.PROTECT, related_name="appeal")
    communicated_on = models.DateField(_("decision communicated on"))
    ground = models.CharField(_("grounds"), max_length=10, choices=AppealGround)
    organiser = models.CharField(_("organiser who appeals"), max_length=120)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.state}"

    def key_of(self) -> str:
        return str(self.decision_id)
