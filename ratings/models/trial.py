"""Texts that are tried on published lists."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import rules_named


class TextTrial(models.Model):
    """A text of the regulations tried on published lists; `results` has a row for each list that is done.

    `lists` are their names, as `rapid 2026-02-01`; a row is that of `ratings.text_trials.kept_part`.
    """

    text = models.CharField(_("Text"), max_length=40)
    lists = models.JSONField(_("Lists"), default=list)
    results = models.JSONField(_("Results"), default=list, blank=True)
    by = account_field(verbose_name=_("Tried by"), on_delete=models.PROTECT)
    at = models.DateTimeField(_("Tried at"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("trial of a text")
        verbose_name_plural = _("trials of texts")

    def __str__(self) -> str:
        return f"{self.text} {self.at:%Y-%m-%d}"

    @property
    def rules(self) -> PeriodRules:
        """The text that is tried."""
        return rules_named(self.text)

    @property
    def is_done(self) -> bool:
        return len(self.results) == len(self.lists)
