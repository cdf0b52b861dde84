"""Changes and withdrawals that officers ask the QC for once a tournament has begun (D-80, D-81)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import Reasoned, account_field
from tournaments.choices import RequestedChangeState, RequestSort
from tournaments.models.tournament import Tournament
from tournaments.portal_reasons import SENTENCES


class RequestedChange(Reasoned):
    """A change or withdrawal that the officer asks for once the tournament has begun; the QC decides (D-80, D-81).

    `changes` are those of the audit log: `{"field": ..., "before": ..., "after": ...}`; none of a withdrawal.
    """

    sentences = SENTENCES
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="requested_changes")
    sort = models.CharField(_("request"), max_length=10, choices=RequestSort)
    changes = models.JSONField(_("changed fields with old and new values"), default=list, blank=True)
    reason = models.TextField(_("reason"))
    asked_by = account_field()
    asked_at = models.DateTimeField(_("requested at"))
    state = models.CharField(
        _("state"), max_length=9, choices=RequestedChangeState, default=RequestedChangeState.WAITING
    )
    decision_reason = models.TextField(_("reason for the decision"), blank=True)
    decided_by = account_field()
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("requested change")
        verbose_name_plural = _("requested changes")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(state="waiting"), name="one_open_change_a_tournament"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at=None, decision_reason="")
                | (~Q(state="waiting") & Q(decided_at__isnull=False) & ~Q(decision_reason="")),
                name="a_requested_change_is_decided_with_a_reason",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_requested_change_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.get_sort_display()}"
