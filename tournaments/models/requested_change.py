"""Changes and withdrawals that officers ask the QC for once a tournament has begun (D-80, D-81)."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import ValueField
from players.choices import CaseKind, CaseState
from players.models.cases import Case, own_number
from tournaments.amendments import Condition
from tournaments.choices import RequestSort
from tournaments.portal_reasons import SENTENCES


class RequestedChange(Case):
    """A change or withdrawal that the officer asks for once the tournament has begun; the QC decides (D-80, D-81).

    `amendments` are its conditions; none of a withdrawal.
    """

    sentences = SENTENCES
    KIND = CaseKind.REQUEST
    STATES = {CaseState.WAITING: _("waiting for QC decision")}

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    sort = models.CharField(_("request"), max_length=10, choices=RequestSort)
    amendments = ValueField(
        _("changed fields with old and new values"), of=list[Condition], default=list, blank=True
    )

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("requested change")
        verbose_name_plural = _("requested changes")

    @property
    def changes(self) -> list[dict[str, Any]]:
        """The changed fields, as a step of the log keeps them."""
        return [one.as_change() for one in self.amendments]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.get_sort_display()}"
