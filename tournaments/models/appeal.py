"""Appeals to FIDE Council against decisions not to rate (0.4)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.dates import day_text
from players.choices import CaseKind, CaseState
from players.models import Case, LogEntry
from players.models.cases import own_number
from tournaments.choices import AppealGround


class Appeal(Case):
    """An appeal to FIDE Council against one decision not to rate, and what Council decided."""

    KIND = CaseKind.APPEAL
    STATES = {
        CaseState.WAITING: _l("waiting for FIDE Council"),
        CaseState.APPROVED: _l("upheld"),
        CaseState.REFUSED: _l("dismissed"),
    }

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    # One to one: a decision is appealed once (0.4), also by two officers at the same moment.
    decision = models.OneToOneField(LogEntry, on_delete=models.PROTECT, related_name="appeal")
    communicated_on = models.DateField(_l("decision communicated on"))
    ground = models.CharField(_l("grounds"), max_length=10, choices=AppealGround)
    organiser = models.CharField(_l("organiser who appeals"), max_length=120)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _l("appeal")
        verbose_name_plural = _l("appeals")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.state}"

    def key_of(self) -> str:
        return str(self.decision_id)

    def facts(self) -> list[tuple[str, str]]:
        return [
            (_("Federation"), self.tournament.federation_id),
            (_("Organiser"), self.organiser),
            (_("Decision not to rate"), day_text(self.communicated_on)),
            (_("Grounds"), self.get_ground_display()),
        ]
