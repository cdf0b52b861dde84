"""Roles of the people who act for federations or FIDE."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.choices import FEDERATION_ROLES, Area, Role
from players.models.federation import Federation
from players.models.log import Logged


class Appointment(Logged):
    """A person's role. Officers, deputies and arbiters hold it for one federation, the others for FIDE."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="appointments")
    role = models.CharField(_("Role"), max_length=10, choices=Role)
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, null=True, blank=True, related_name="appointments"
    )
    area = Area.APPOINTMENT

    class Meta:
        ordering = ["user", "role", "federation"]
        verbose_name = _("role")
        verbose_name_plural = _("roles")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "role", "federation"], name="one_appointment_a_federation"
            ),
            models.UniqueConstraint(
                # NULL equals nothing: two roles for FIDE would pass the constraint above.
                fields=["user", "role"],
                condition=Q(federation=None),
                name="one_appointment_for_fide",
            ),
            models.CheckConstraint(
                condition=Q(role__in=FEDERATION_ROLES, federation__isnull=False)
                | (~Q(role__in=FEDERATION_ROLES) & Q(federation=None)),
                name="federation_only_where_the_role_has_one",
            ),
        ]

    def __str__(self) -> str:
        federation = f" ({self.federation_id})" if self.federation_id else ""
        return f"{self.user}, {self.get_role_display()}{federation}"

    def log_subject(self) -> dict[str, Any]:
        return {"account_id": self.user_id, "federation_id": self.federation_id}

    def log_name(self) -> str:
        return str(self.user.email)
