"""Roles that are offered to people by email."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from players.choices import CONFIRMED_ROLES, FEDERATION_ROLES, Role
from players.models.federation import Federation

UNANSWERED = Q(accepted_at=None, revoked_at=None)
NEEDS_CONFIRMATION = Q(role__in=CONFIRMED_ROLES, confirmed_at=None)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def unanswered_at(self, at: datetime) -> InvitationQuerySet:
        """Return the invitations that are neither answered nor expired, those that wait for a second person too."""
        return self.filter(UNANSWERED, expires_at__gt=at)

    def open_at(self, at: datetime) -> InvitationQuerySet:
        """Return the invitations that can be accepted at an instant."""
        return self.unanswered_at(at).exclude(NEEDS_CONFIRMATION)


class Invitation(models.Model):
    """A role offered to an e-mail address. The link's token is sent; only its SHA-256 is stored."""

    email = models.EmailField(_("Email address"))
    role = models.CharField(_("Role"), max_length=10, choices=Role)
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, null=True, blank=True, related_name="invitations"
    )
    token_sha256 = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="invitations_sent"
    )
    invited_at = models.DateTimeField(_("Invited at"))
    expires_at = models.DateTimeField(_("Expires at"))
    accepted_at = models.DateTimeField(_("Accepted at"), null=True, blank=True)
    accepted_by = account_field(on_delete=models.PROTECT)
    revoked_at = models.DateTimeField(_("Withdrawn at"), null=True, blank=True)
    revoked_by = account_field(on_delete=models.PROTECT)

    confirmed_at = models.DateTimeField(_("Confirmed at"), null=True, blank=True)
    confirmed_by = account_field(on_delete=models.PROTECT)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-invited_at", "-pk"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.UniqueConstraint(
                fields=["email", "role", "federation"],
                condition=UNANSWERED,
                name="one_open_invitation_a_federation",
            ),
            models.UniqueConstraint(
                # NULL equals nothing: two invitations for FIDE would pass the constraint above.
                fields=["email", "role"],
                condition=UNANSWERED & Q(federation=None),
                name="one_open_invitation_for_fide",
            ),
            models.CheckConstraint(
                condition=Q(role__in=FEDERATION_ROLES, federation__isnull=False)
                | (~Q(role__in=FEDERATION_ROLES) & Q(federation=None)),
                name="invited_for_a_federation_where_the_role_has_one",
            ),
            models.CheckConstraint(
                condition=Q(accepted_at=None) | Q(revoked_at=None), name="accepted_or_withdrawn_not_both"
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("invited_at")), name="invitation_expires_after_it_is_sent"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} {self.role} {self.federation_id or ''}".strip()

    @property
    def needs_confirmation(self) -> bool:
        """Whether a second person must confirm it before its link is sent."""
        return self.role in CONFIRMED_ROLES and self.confirmed_at is None
