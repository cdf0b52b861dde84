"""Titles as FIDE granted them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnly
from core.models import account_field
from players.choices import Title
from players.models.player import Player


class TitleGrant(AppendOnly):
    """A title that FIDE granted, with the day from which lists show it. Never changed."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="title_grants")
    title = models.CharField(_("title"), max_length=3, choices=Title)
    granted_on = models.DateField(_("from"))
    reference = models.CharField(_("decision"), max_length=200)
    by = account_field()
    at = models.DateTimeField(_("date and time"))

    class Meta:
        ordering = ["player", "granted_on", "pk"]
        verbose_name = _("granted title")
        verbose_name_plural = _("granted titles")
        constraints = [
            models.UniqueConstraint(fields=["player", "title"], name="a_title_is_granted_once"),
            models.CheckConstraint(condition=~Q(reference=""), name="a_title_has_a_decision"),
        ]
        indexes = [models.Index(fields=["granted_on"], name="title_by_day")]

    def __str__(self) -> str:
        return f"{self.player}, {self.get_title_display()}"
