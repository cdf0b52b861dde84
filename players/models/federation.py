"""Federations, their membership and their exclusions (FIDE R&B 2024, 9.1)."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.models import History


class FederationExclusionQuerySet(models.QuerySet["FederationExclusion"]):
    def in_force_on(self, day: date) -> FederationExclusionQuerySet:
        return self.filter(Q(until=None) | Q(until__gt=day), excluded_from__lte=day)


class Federation(models.Model):
    """A national federation, or one of FIDE's own codes (FID, NON)."""

    code = models.CharField(_("code"), max_length=3, primary_key=True)
    name = models.CharField(_("name"), max_length=80)
    continent = models.CharField(_("continent"), max_length=20, blank=True)
    is_member = models.BooleanField(_("member of FIDE"), default=True)
    listing_reference = models.CharField(
        _("Council's approval"),
        max_length=200,
        blank=True,
        help_text=_("Decision by which players of a federation that is no member are listed (9.1)."),
    )
    note = models.CharField(_("note"), max_length=200, blank=True)
    officer_name = models.CharField(_("designated rating officer (8.3)"), max_length=120, blank=True)
    officer_details = models.CharField(_("officer's public details"), max_length=200, blank=True)
    hides_birth_years_of_minors = models.BooleanField(
        _("shows an age band for minors"),
        default=False,
        help_text=_(
            "Instead of the year of birth, for players who turn 18 or less this year. "
            "Published list files stay as they are."
        ),
    )
    history = History()

    class Meta:
        ordering = ["code"]
        verbose_name = _("federation")
        verbose_name_plural = _("federations")

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"


class FederationExclusion(models.Model):
    """A temporary or permanent exclusion; `until` is the day of re-admission (9.1, D-15)."""

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="exclusions")
    excluded_from = models.DateField(_("excluded from"))
    until = models.DateField(_("re-admitted on"), null=True, blank=True)
    reference = models.CharField(_("decision"), max_length=200, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    recorded_at = models.DateTimeField(_("recorded at"))

    objects = FederationExclusionQuerySet.as_manager()
    history = History()

    class Meta:
        ordering = ["federation", "excluded_from"]
        verbose_name = _("exclusion of a federation")
        verbose_name_plural = _("exclusions of federations")
        constraints = [
            models.UniqueConstraint(fields=["federation", "excluded_from"], name="one_exclusion_a_first_day"),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=F("excluded_from")),
                name="exclusion_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.federation_id} {self.excluded_from}"
