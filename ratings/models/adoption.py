"""Texts of the regulations: which is in force from which day (D-90), and what is tried or measured beside lists."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import Reasoned, WholeJSONField
from ratings.choices import PORTAL_REASONS
from ratings.models.rating_list import RatingList
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import rules_named
from ratings.systems.variants import Parameters


class Adoption(Reasoned, models.Model):
    """A text adopted for tournaments that start on a day or later, until another is.

    Rows are never changed, save that an adoption which no list has used is revoked once.
    """

    reasons = PORTAL_REASONS
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
                condition=Q(revoked_at__isnull=True),
                name="one_adoption_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.text} {self.first_day.isoformat()}"


class TextTrial(models.Model):
    """A text of the regulations tried on published lists; `results` has a row for each list that is done.

    `lists` are their names, as `rapid 2026-02-01`; a row is that of `ratings.services.text_trials.kept_part`. A trial
    with a name is a proposal: the text with the `parameters` of `ratings.systems.variants.Parameters`.
    """

    name = models.CharField(_("name"), max_length=80, blank=True)
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    shared_at = models.DateTimeField(_("shared at"), null=True, blank=True)
    text = models.CharField(_("text"), max_length=40)
    lists = models.JSONField(_("lists"), default=list)
    results = models.JSONField(_("results"), default=list, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("tried by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    at = models.DateTimeField(_("tried at"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("trial of a text")
        verbose_name_plural = _("trials of texts")

    def __str__(self) -> str:
        return f"{self.name or self.text} {self.at:%Y-%m-%d}"

    @property
    def rules(self) -> PeriodRules:
        """The text that is tried, with the parameters of a proposal."""
        return Parameters.from_row(self.parameters).rules if self.name else rules_named(self.text)

    @property
    def is_done(self) -> bool:
        return len(self.results) == len(self.lists)


class Comparison(models.Model):
    """A published list compared with FIDE's own of the same date.

    `result` has `equal`, `different`, `only_here` and `only_there`; a row of the latter three has the list
    since which it is open. `settled` are the rows of the previous comparison that are no longer open.
    """

    rating_list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="comparisons")
    file_name = models.CharField(_("file"), max_length=120)
    sha256 = models.CharField("SHA-256", max_length=64)
    result = models.JSONField(_("result"), default=dict)
    settled = models.JSONField(_("settled"), default=list, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("compared by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    at = models.DateTimeField(_("compared at"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("comparison with FIDE's list")
        verbose_name_plural = _("comparisons with FIDE's lists")

    def __str__(self) -> str:
        return f"{self.rating_list} {self.file_name}"

    @property
    def open_rows(self) -> list[dict[str, Any]]:
        """The rows that are not settled, of all three sorts."""
        return [*self.result["different"], *self.result["only_here"], *self.result["only_there"]]


class PoolHealth(models.Model):
    """Measures of the pool of players of a published list, stored after the publication.

    `summary` has the figures of the trends, `figures` all of them, as
    `ratings.queries.health.Summary` and `Figures`. `pairs` are the games of the list by two federations, for the
    lists that look back on it: `[["FRA", "SUI", 12], ...]`.
    """

    rating_list = models.OneToOneField(RatingList, on_delete=models.PROTECT, related_name="health")
    summary = WholeJSONField(_("summary"), default=dict)
    figures = WholeJSONField(_("figures"), default=dict)
    pairs = WholeJSONField(_("games by two federations"), default=list)
    measured_at = models.DateTimeField(_("measured at"))

    class Meta:
        ordering = ["-rating_list__date", "rating_list__kind"]
        verbose_name = _("rating health")
        verbose_name_plural = _("rating health")

    def __str__(self) -> str:
        return str(self.rating_list)
