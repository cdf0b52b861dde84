"""What was done with tournaments: their part of the audit log, and the chain of all of it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnly
from core.models import Reasoned, account_field
from tournaments.choices import Action, Registration
from tournaments.models.tournament import Tournament
from tournaments.portal_reasons import SENTENCES


class AuditEntry(Reasoned, AppendOnly):
    """What somebody did with a tournament, when and why: an entry of the audit log. Never changed."""

    sentences = SENTENCES
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="audit_entries")
    action = models.CharField(_("action"), max_length=10, choices=Action)
    registration = models.CharField(_("registration after the action"), max_length=10, choices=Registration)
    registration_before = models.CharField(
        _("registration before the action"), max_length=10, choices=Registration, blank=True
    )
    reason = models.TextField(_("reason"), blank=True)
    is_public = models.BooleanField(_("reason is public"), default=False)
    # Of a change, what was and what is: `{"field": ..., "before": ..., "after": ...}` for each field that changed.
    changes = models.JSONField(_("changed fields with old and new values"), default=list, blank=True)
    by = account_field()
    at = models.DateTimeField(_("date and time"))

    class Meta:
        ordering = ["tournament", "at", "pk"]
        verbose_name = _("audit log entry")
        verbose_name_plural = _("audit log entries")
        indexes = [models.Index(fields=["-at", "-id"], name="trail_by_time")]
        # The name from when the audit log was called a trail.
        db_table = "tournaments_trailentry"

    def __str__(self) -> str:
        return f"{self.tournament} · {self.get_action_display()}"


class LogLink(AppendOnly):
    """An entry of the audit log in its chain: its place, the hash of its row, and that of the chain up to it."""

    number = models.PositiveBigIntegerField(primary_key=True)
    source = models.CharField(max_length=12)
    row = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["source", "row"], name="one_link_an_entry")]

    def __str__(self) -> str:
        return f"{self.number} {self.sha256}"
