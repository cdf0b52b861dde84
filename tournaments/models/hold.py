"""What the QC does with a report before it decides: holds, flags of the checks (0.4), questions and notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.append_only import AppendOnly
from core.models import account_field
from players.choices import CaseKind, CaseState
from players.models import Case
from players.models.cases import OfKind
from tournaments.models.tournament import Tournament
from tournaments.portal_reasons import SENTENCES


class Hold(Case):
    """A report on hold, set by a person: no list takes the tournament before the case is granted, its release."""

    KIND = CaseKind.HOLD
    STATES: ClassVar[Mapping[str, Any]] = {
        CaseState.APPROVED: _("released"),
        CaseState.WITHDRAWN: _("ended"),
    }
    sentences = SENTENCES

    objects: ClassVar[OfKind] = OfKind()

    class Meta:
        proxy = True
        ordering = ["asked_at", "pk"]
        verbose_name = _("hold on a report")
        verbose_name_plural = _("holds on reports")


class Flags(Case):
    """What the checks found in a report and the QC looks at: this alone holds nothing back."""

    KIND = CaseKind.FLAGS
    STATES: ClassVar[Mapping[str, Any]] = {
        CaseState.APPROVED: pgettext_lazy("flags", "dismissed"),
        CaseState.WITHDRAWN: pgettext_lazy("flags", "expired"),
    }
    sentences = SENTENCES

    objects: ClassVar[OfKind] = OfKind()

    class Meta:
        proxy = True
        ordering = ["asked_at", "pk"]
        verbose_name = _("flags of the checks")
        verbose_name_plural = _("flags of the checks")


class InformationRequest(Case):
    """What the QC asks the officer, by when, and the answer: the case is granted with it, late or not."""

    KIND = CaseKind.INFORMATION
    STATES: ClassVar[Mapping[str, Any]] = {
        CaseState.WAITING: _("waiting for a reply"),
        CaseState.APPROVED: pgettext_lazy("deed", "answered"),
    }

    objects: ClassVar[OfKind] = OfKind()

    class Meta:
        proxy = True
        ordering = ["asked_at", "pk"]
        verbose_name = _("information request")
        verbose_name_plural = _("information requests")

    @property
    def is_open(self) -> bool:
        return self.state == CaseState.WAITING


class InternalNote(AppendOnly):
    """A note of the QC or of FIDE staff that nobody else reads. Never changed."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField(_("note"))
    by = account_field()
    at = models.DateTimeField(_("Date and time"))

    class Meta:
        ordering = ["tournament", "at", "pk"]
        verbose_name = _("internal note")
        verbose_name_plural = _("internal notes")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.text[:40]}"
