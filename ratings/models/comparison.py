"""A published list beside FIDE's own."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from ratings.models.rating_list import RatingList


class Comparison(models.Model):
    """A published list compared with FIDE's own of the same date.

    `result` has `equal`, `different`, `only_here` and `only_there`; a row of the latter three has the list since which
    it is open, and the items of its likely reason. `settled` are the rows of the previous comparison that are no longer
    open.
    """

    rating_list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="comparisons")
    file_name = models.CharField(_("File"), max_length=120)
    sha256 = models.CharField("SHA-256", max_length=64)
    result = models.JSONField(_("Result"), default=dict)
    settled = models.JSONField(_("Settled"), default=list, blank=True)
    by = account_field(verbose_name=_("Compared by"), on_delete=models.PROTECT)
    at = models.DateTimeField(_("Compared at"))

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
