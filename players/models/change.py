"""What federations ask to have changed in a player's data, and the titles that FIDE grants."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import AppendOnly
from players.choices import RequestState, Sex, Title
from players.models.federation import Federation
from players.models.player import Player


class ChangeRequest(models.Model):
    """A federation's request to change what is recorded of its player; FIDE staff decide.

    Empty fields stay as they are. A request with the day of a death reports that (FIDE R&B 2024, 9.2).
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="change_requests")
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="change_requests")
    name = models.CharField(_("name"), max_length=100, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Sex, blank=True)
    birth_date = models.DateField(_("birth date (private)"), null=True, blank=True)
    died_on = models.DateField(_("died on"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=400)
    evidence = models.CharField(_("evidence"), max_length=400)
    state = models.CharField(_("state"), max_length=9, choices=RequestState, default=RequestState.WAITING)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(_("asked at"))
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=400, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("request to change a player's data")
        verbose_name_plural = _("requests to change players' data")
        constraints = [
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(state=RequestState.WAITING),
                name="one_waiting_change_request_a_player",
            ),
            models.CheckConstraint(
                condition=~Q(name="", sex="", birth_date=None, died_on=None),
                name="a_change_request_asks_for_something",
            ),
            models.CheckConstraint(
                condition=~Q(reason="") & ~Q(evidence=""), name="a_change_request_has_reason_and_evidence"
            ),
            models.CheckConstraint(
                condition=Q(state=RequestState.WAITING, decided_at=None)
                | (~Q(state=RequestState.WAITING) & Q(decided_at__isnull=False)),
                name="a_change_request_decided_has_its_instant",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.state}"


class TitleGrant(AppendOnly):
    """A title that FIDE granted, with the day from which lists show it. Never changed."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="title_grants")
    title = models.CharField(_("title"), max_length=3, choices=Title)
    granted_on = models.DateField(_("from"))
    reference = models.CharField(_("decision"), max_length=200)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        ordering = ["player", "granted_on", "pk"]
        verbose_name = _("title granted")
        verbose_name_plural = _("titles granted")
        constraints = [
            models.UniqueConstraint(fields=["player", "title"], name="a_title_is_granted_once"),
            models.CheckConstraint(condition=~Q(reference=""), name="a_title_has_a_decision"),
        ]
        indexes = [models.Index(fields=["granted_on"], name="title_by_day")]

    def __str__(self) -> str:
        return f"{self.title} {self.player_id}"
