"""Objections of confirmed players to results of a tournament; they never block a report."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.models import account_field
from players.models import Player
from tournaments.choices import ObjectionState
from tournaments.models.tournament import Tournament


class Objection(models.Model):
    """A player's objection to a result of their own; whoever reports the tournament or directed it answers."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="objections")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="objections")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="objections")
    round = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    statement = models.TextField(_("objection"))
    raised_at = models.DateTimeField(pgettext_lazy("objection", "submitted at"))
    due_on = models.DateField(_("reply by"))
    state = models.CharField(_("state"), max_length=9, choices=ObjectionState, default=ObjectionState.OPEN)
    answer = models.TextField(_("answer"), blank=True)
    answered_by = account_field()
    answered_at = models.DateTimeField(_("replied at"), null=True, blank=True)
    # When the correction that an accepted objection promises was made or requested; until then it is a task.
    settled_at = models.DateTimeField(_("corrected or requested at"), null=True, blank=True)

    class Meta:
        ordering = ["raised_at", "pk"]
        verbose_name = _("objection of a player")
        verbose_name_plural = _("objections of players")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"],
                condition=Q(state=ObjectionState.OPEN),
                name="one_open_objection_a_player",
            ),
            models.CheckConstraint(condition=~Q(statement=""), name="an_objection_has_a_statement"),
            models.CheckConstraint(
                condition=Q(state__in=(ObjectionState.OPEN, ObjectionState.WITHDRAWN))
                | (Q(answered_at__isnull=False) & ~Q(answer="")),
                name="an_objection_is_answered_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.player_id}"
