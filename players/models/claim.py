"""Claims of player records by people with an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from players.choices import OPEN_CLAIMS, ClaimState
from players.models.player import Player


class Claim(models.Model):
    """Somebody with an account says that a record is theirs; an officer of the player's federation decides.

    An account has one open claim. Of several people who claim a record one is confirmed at most.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="claims")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claims")
    reason = models.CharField(_("reason"), max_length=400)
    evidence = models.CharField(_("evidence"), max_length=400, blank=True)
    state = models.CharField(_("state"), max_length=9, choices=ClaimState, default=ClaimState.WAITING)
    asked_at = models.DateTimeField(_("requested at"))
    decided_by = account_field()
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=400, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("claim of a player record")
        verbose_name_plural = _("claims of player records")
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(state__in=OPEN_CLAIMS), name="one_open_claim_an_account"
            ),
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(state=ClaimState.CONFIRMED),
                name="one_confirmed_claim_a_player",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_claim_has_a_reason"),
            models.CheckConstraint(
                condition=Q(state__in=(ClaimState.WAITING, ClaimState.WITHDRAWN))
                | Q(decided_at__isnull=False),
                name="a_claim_decided_has_its_instant",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.state}"
