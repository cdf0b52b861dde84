"""A case: somebody asks for something about a player, and somebody else decides."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.choices import CaseState


class Case(models.Model):
    """Who asked and when, the state, and who closed it with which answer. Each kind adds what is asked for."""

    state = models.CharField(_("state"), max_length=9, choices=CaseState, default=CaseState.WAITING)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(_("requested at"))
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=400, blank=True)

    class Meta:
        abstract = True
        ordering = ["asked_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=CaseState.WAITING, decided_at=None)
                | (~Q(state=CaseState.WAITING) & Q(decided_at__isnull=False)),
                name="%(class)s_decided_has_its_instant",
            ),
        ]
