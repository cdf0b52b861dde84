"""The pool of a list as it was measured."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import WholeJSONField
from ratings.models.rating_list import RatingList


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
