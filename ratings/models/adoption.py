"""Which text of the regulations is in force from which day (D-90)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import Reasoned
from ratings.choices import SENTENCES


class Adoption(Reasoned):
    """A text adopted for tournaments that start on a day or later, until another is.

    Rows are never changed, save that an adoption which no list has used is revoked once.
    """

    sentences = SENTENCES
    text = models.CharField(_("text"), max_length=40)
    first_day = models.DateField(_("first day"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("adopted by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    at = models.DateTimeField(_("adopted at"))
    reason = models.TextField(_("reason"))
    reference = models.CharField(_("reference"), max_length=200, blank=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("revoked by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)
    revoked_reason = models.TextField(_("reason for revoking"), blank=True)

    class Meta:
        ordering = ["first_day", "pk"]
        verbose_name = _("adoption")
        verbose_name_plural = _("adoptions")
        constraints = [
            models.UniqueConstraint(
                fields=["first_day"],
                # A day is free again once its adoption is revoked.
                condition=Q(revoked_at__isnull=True),
                name="one_adoption_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.text} {self.first_day.isoformat()}"
