"""Readers without an account who follow a player, a tournament or a federation by email.

An address is kept as long as it follows something, and 48 hours for its confirmation.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Federation, Player
from tournaments.models import Tournament


class Follower(models.Model):
    """An email address, in small letters."""

    address = models.EmailField(_("Address"), max_length=254, unique=True)

    class Meta:
        verbose_name = _("follower")
        verbose_name_plural = _("followers")

    def __str__(self) -> str:
        return self.address


class Follow(models.Model):
    """A subscription of one address, in the language of the page where it was requested.

    Nothing is sent before `confirmed_at`: the owner of the address has opened the link of an email.
    """

    follower = models.ForeignKey(Follower, on_delete=models.CASCADE, related_name="follows")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    federation = models.ForeignKey(
        Federation, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    language = models.CharField(_("Language"), max_length=10)
    asked_at = models.DateTimeField(_("Requested at"))
    confirmed_at = models.DateTimeField(_("Confirmed at"), null=True, blank=True)

    class Meta:
        ordering = ["follower", "pk"]
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=False, tournament=None, federation=None)
                | Q(player=None, tournament__isnull=False, federation=None)
                | Q(player=None, tournament=None, federation__isnull=False),
                name="follow_of_one_thing",
            ),
            models.UniqueConstraint(fields=["follower", "player"], name="one_follow_a_player"),
            models.UniqueConstraint(fields=["follower", "tournament"], name="one_follow_a_tournament"),
            models.UniqueConstraint(fields=["follower", "federation"], name="one_follow_a_federation"),
        ]

    def __str__(self) -> str:
        return f"{self.follower_id}: {self.player_id or self.tournament_id or self.federation_id}"
