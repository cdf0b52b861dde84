"""How players come to their FIDE ID and to their federation: number blocks, applications, transfers."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.choices import ApplicationState, Sex, TransferState
from players.models.federation import Federation
from players.models.player import Player


class IdBlock(models.Model):
    """The FIDE IDs of one prefix, given out by one federation; an ID is prefix, four digits, check digit."""

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="id_blocks")
    prefix = models.PositiveSmallIntegerField(_("prefix"), unique=True)
    next_serial = models.PositiveSmallIntegerField(_("next number"), default=0)

    class Meta:
        ordering = ["federation", "prefix"]
        constraints = [
            models.CheckConstraint(
                condition=Q(prefix__gte=1, prefix__lte=999), name="id_prefix_has_up_to_three_digits"
            ),
            models.CheckConstraint(condition=Q(next_serial__lte=10_000), name="id_serial_has_four_digits"),
        ]

    def __str__(self) -> str:
        return f"{self.federation_id} {self.prefix}"


class Application(models.Model):
    """A new player who may be one already known: FIDE staff decide whether an ID is given."""

    name = models.CharField(_("name"), max_length=100)
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="applications")
    sex = models.CharField(_("sex"), max_length=1, choices=Sex)
    birth_date = models.DateField(_("birth date (private)"))
    score = models.PositiveSmallIntegerField(_("likeness"))
    likeness = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(
        _("state"), max_length=10, choices=ApplicationState, default=ApplicationState.WAITING
    )
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    applied_at = models.DateTimeField(_("applied at"))
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=400, blank=True)
    player = models.OneToOneField(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["applied_at", "pk"]
        verbose_name = _("application for a FIDE ID")
        verbose_name_plural = _("applications for a FIDE ID")
        constraints = [
            models.UniqueConstraint(
                fields=["federation", "name", "birth_date"],
                condition=Q(state=ApplicationState.WAITING),
                name="one_waiting_application_a_person",
            ),
            models.CheckConstraint(
                condition=Q(state=ApplicationState.APPROVED, player__isnull=False)
                | (~Q(state=ApplicationState.APPROVED) & Q(player=None)),
                name="approved_application_has_its_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.federation_id} {self.state}"


class Transfer(models.Model):
    """A player's change of federation: asked by one side, agreed to by the other or decided by staff."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="transfers")
    from_federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="transfers_out")
    to_federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="transfers_in")
    asked_for = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(_("state"), max_length=10, choices=TransferState, default=TransferState.ASKED)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(_("asked at"))
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=400, blank=True)

    class Meta:
        ordering = ["-asked_at", "-pk"]
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(state=TransferState.ASKED), name="one_open_transfer_a_player"
            ),
            models.CheckConstraint(
                condition=~Q(from_federation=F("to_federation")), name="transfer_changes_the_federation"
            ),
            models.CheckConstraint(
                condition=Q(asked_for=F("from_federation")) | Q(asked_for=F("to_federation")),
                name="transfer_is_asked_by_one_side",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.from_federation_id}-{self.to_federation_id} {self.state}"
