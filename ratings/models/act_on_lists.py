"""What acts on whole lists have in common: prepared by one person, confirmed by another, or cancelled (D-131)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from players.choices import Area


class ActOnLists(models.Model):
    """An act with its reason and the reference of its decision, both public.

    Names are of the operator of the installation, who has no account. `is_alone`: confirmed by who prepared it, as
    nobody else could.
    """

    area: ClassVar[Area]

    reason = models.TextField(_("reason"))
    reference = models.CharField(_("reference"), max_length=200)
    prepared_by = account_field(verbose_name=_("prepared by"))
    prepared_by_name = models.CharField(max_length=254, blank=True)
    prepared_at = models.DateTimeField(_("prepared at"))
    confirmed_by = account_field(verbose_name=_("confirmed by"))
    confirmed_by_name = models.CharField(max_length=254, blank=True)
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True)
    is_alone = models.BooleanField(_("decided by one person alone"), default=False)
    cancelled_by = account_field(verbose_name=_("cancelled by"))
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)
    cancelled_reason = models.TextField(_("reason for cancelling"), blank=True)

    class Meta:
        abstract = True

    @property
    def subject(self) -> str:
        """What the log calls the act."""
        return str(self)
