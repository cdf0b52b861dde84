"""The secret address of a person's calendar of deadlines."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class DeadlineFeed(models.Model):
    """A person's address for calendars; only the hash of its secret is kept. A new one ends the one before."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deadline_feed"
    )
    digest = models.CharField(_("SHA-256 of the secret"), max_length=64, unique=True)
    created_at = models.DateTimeField(_("created at"))
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True)

    class Meta:
        ordering = ["user"]
        verbose_name = _("calendar of deadlines")
        verbose_name_plural = _("calendars of deadlines")

    def __str__(self) -> str:
        return str(self.user_id)
