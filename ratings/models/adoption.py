"""Texts adopted from a day (D-90), from a past one by a decision of FIDE Council or its President (D-132)."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.digests import sha256_of
from core.models import Reasoned, WholeJSONField, account_field
from players.choices import Area
from ratings.choices import SENTENCES
from ratings.models.adjustment import ActOnLists
from ratings.models.rating_list import RatingList
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import rules_named


class Adoption(Reasoned):
    """A text adopted for tournaments that start on a day or later, until another is.

    Rows are never changed, save that an adoption which no list has used is revoked once.
    """

    sentences = SENTENCES
    text = models.CharField(_("Text"), max_length=40)
    first_day = models.DateField(_("First day"))
    by = account_field(verbose_name=_("Adopted by"), on_delete=models.PROTECT)
    at = models.DateTimeField(_("Adopted at"))
    reason = models.TextField(_("Reason"))
    reference = models.CharField(_("Reference"), max_length=200, blank=True)
    revoked_by = account_field(verbose_name=_("Revoked by"), on_delete=models.PROTECT)
    revoked_at = models.DateTimeField(_("Revoked at"), null=True, blank=True)
    revoked_reason = models.TextField(_("Reason for revoking"), blank=True)

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


class LateAdoption(ActOnLists):
    """A text for a past day: prepared by one person, with its effect, and confirmed by another (D-131).

    `effect` has a row for each published list that it touches, None until it is calculated, and `concerned` the players
    by whom it was. `newest` are the dates of the newest lists by rating type when it was confirmed: only later ones are
    published by it.
    """

    area = Area.RULES
    text = models.CharField(_("Text"), max_length=40)
    first_day = models.DateField(_("First day"))
    effect = WholeJSONField(_("Effect"), null=True, blank=True)
    concerned = WholeJSONField(_("Players concerned"), null=True, blank=True)
    adoption = models.OneToOneField(
        Adoption, on_delete=models.PROTECT, null=True, blank=True, related_name="late"
    )
    newest = models.JSONField(_("Newest lists"), default=dict, blank=True)

    class Meta:
        ordering = ["-prepared_at", "-pk"]
        verbose_name = _("text adopted late")
        verbose_name_plural = _("texts adopted late")
        constraints = [
            models.UniqueConstraint(
                fields=["first_day"],
                # A day is free again once the adoption from it is cancelled.
                condition=Q(cancelled_at__isnull=True),
                name="one_late_adoption_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.text} {self.first_day.isoformat()}"

    @property
    def subject(self) -> str:
        return f"{self.text} from {self.first_day.isoformat()}"

    @property
    def rules(self) -> PeriodRules:
        return rules_named(self.text)

    @property
    def lists(self) -> list[dict[str, Any]]:
        """The rows of the effect, each with the date and the title of its list, which need not be read for that."""
        days = [date.fromisoformat(row["date"]) for row in self.effect or ()]
        return [
            row | {"day": day, "title": str(RatingList(kind=row["kind"], date=day))}
            for row, day in zip(self.effect or (), days, strict=True)
        ]

    @property
    def seen(self) -> str:
        """What a form carries as the effect that its author saw."""
        return sha256_of(json.dumps(self.effect, sort_keys=True).encode())

    def is_known_to(self, kind: str, list_date: date) -> bool:
        """Return whether a list was published by it: it came after the newest one of its type at the time."""
        newest = self.newest.get(kind)
        return newest is None or list_date > date.fromisoformat(newest)
