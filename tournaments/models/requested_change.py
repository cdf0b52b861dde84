"""Changes and withdrawals that officers ask the QC for once a tournament has begun (D-80, D-81)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.choices import CaseKind, CaseState
from players.models.cases import Case, own_number
from tournaments.choices import RequestSort
from tournaments.portal_reasons import SENTENCES


class RequestedChange(Case):
    """A change or withdrawal that the officer asks for once the tournament has begun; the QC decides (D-80, D-81).

    `changes` are those of the audit log: `{"field": ..., "before": ..., "after": ...}`; none of a withdrawal.
    """

    sentences = SENTENCES
    KIND = CaseKind.REQUEST
    STATES = {CaseState.WAITING: _("waiting for QC decision")}

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    sort = models.CharField(_("request"), max_length=10, choices=RequestSort)
    changes = models.JSONField(_("changed fields with old and new values"), default=list, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("requested change")
        verbose_name_plural = _("requested changes")

    def __str__(self) -> str:
        return f"{self.tournament} · {self.get_sort_display()}"
