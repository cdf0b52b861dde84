"""The tokens of officers' programs, and the secret addresses of their calendars."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.tokens import ProgramToken
from players.models import Federation
from tournaments.choices import Verb


class OfficerToken(ProgramToken):
    """A token of one officer for one federation and some verbs; only its hash is kept, and it is never deleted.

    It can never do more than its owner may at the time.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="officer_tokens"
    )
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="+")
    verbs = models.JSONField(_("Permissions"), default=list)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("API token of an officer")
        verbose_name_plural = _("API tokens of officers")

    def __str__(self) -> str:
        return f"{self.name} ({self.federation_id})"

    @property
    def verb_labels(self) -> list[str]:
        """What it may do, in words."""
        return [str(Verb(verb).label) for verb in self.verbs]


class DeadlineFeed(models.Model):
    """A person's address for calendars; only the hash of its secret is kept. A new one ends the one before."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deadline_feed"
    )
    digest = models.CharField(_("SHA-256 of the secret"), max_length=64, unique=True)
    created_at = models.DateTimeField(_("Created at"))
    last_used_at = models.DateTimeField(_("Last used at"), null=True, blank=True)

    class Meta:
        ordering = ["user"]
        verbose_name = _("calendar of deadlines")
        verbose_name_plural = _("calendars of deadlines")

    def __str__(self) -> str:
        return str(self.user_id)
