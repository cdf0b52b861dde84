"""National registers: who has which number and club in a federation, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.models import CodePointCharField
from players.choices import Area
from players.models.federation import Federation
from players.models.log import Logged
from players.models.player import Player

# Whose memberships are shown: not of those who have left the federation since.
OF_PRESENT_FEDERATION = Q(federation=F("player__federation"), player__merged_into=None)


class MembershipQuerySet(models.QuerySet["Membership"]):
    def present(self) -> MembershipQuerySet:
        """Return what holds today, of players of the federation."""
        return self.filter(OF_PRESENT_FEDERATION, until=None)

    def on(self, day: date) -> MembershipQuerySet:
        """Return what held on a day."""
        return self.filter(Q(until=None) | Q(until__gt=day), since__lte=day)


class Membership(Logged):
    """A player in the register of a federation: the national number, and the club with its district from a day on.

    The row without an end is the present one. Another club ends it and begins another row.
    """

    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, related_name="memberships", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    number = CodePointCharField(_("National number"), max_length=20, blank=True)
    club = CodePointCharField(_("Club"), max_length=80, blank=True)
    district = CodePointCharField(_("District"), max_length=80, blank=True)
    since = models.DateField(_("From"))
    until = models.DateField(_("Until"), null=True, blank=True)

    objects = MembershipQuerySet.as_manager()
    area = Area.PLAYER

    class Meta:
        ordering = ["player", "since"]
        verbose_name = _("membership in a federation")
        verbose_name_plural = _("memberships in federations")
        constraints = [
            models.UniqueConstraint(
                fields=["federation", "player"],
                condition=Q(until=None),
                name="one_present_membership_a_player",
            ),
            models.UniqueConstraint(
                fields=["federation", "number"],
                condition=Q(until=None) & ~Q(number=""),
                name="one_player_a_national_number",
            ),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=F("since")), name="a_membership_ends_after_it_began"
            ),
        ]
        indexes = [
            models.Index(fields=["federation", "club"], condition=Q(until=None), name="members_of_a_club"),
            models.Index(
                fields=["federation", "district"], condition=Q(until=None), name="members_of_a_district"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.federation_id} {self.number} {self.club}".strip()

    def log_subject(self) -> Mapping[str, Any]:
        return {
            "player_id": self.player_id,
            "federation_id": self.federation_id,
            "subject": f"FIDE ID {self.player_id}",
        }


class RegisterColumns(models.Model):
    """What the columns of a federation's last register were, by their heads or by their numbers from 1 on."""

    federation = models.OneToOneField(
        Federation, on_delete=models.CASCADE, primary_key=True, related_name="register_columns"
    )
    columns = models.JSONField(default=dict)

    def __str__(self) -> str:
        return str(self.federation_id)
