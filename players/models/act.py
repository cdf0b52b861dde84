"""What people do outside tournaments, for the audit log."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnly
from core.models import account_field
from players.choices import ActKind, Deed


class Act(AppendOnly):
    """One thing that somebody did with accounts, invitations, lists or rules. Never changed."""

    kind = models.CharField(_("area"), max_length=10, choices=ActKind)
    deed = models.CharField(_("action"), max_length=10, choices=Deed)
    subject = models.CharField(_("subject"), max_length=254)
    by = account_field()
    # Text: it outlives the account, and names the operator of a command, who has none.
    by_name = models.CharField(_("user"), max_length=254, blank=True)
    at = models.DateTimeField(_("date and time"))
    before = models.TextField(_("before"), blank=True)
    after = models.TextField(_("after"), blank=True)
    reason = models.TextField(_("reason"), blank=True)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        indexes = [models.Index(fields=["kind", "-at", "-id"], name="acts_by_time")]

    def __str__(self) -> str:
        return f"{self.deed} {self.subject}"
