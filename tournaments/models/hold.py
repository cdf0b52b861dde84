"""Holds of reports, set by the QC, and flags, set by the checks (0.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from players.choices import CaseKind, CaseState
from players.models import Case
from players.models.cases import OfKind
from tournaments.portal_reasons import SENTENCES

STATES: Mapping[str, Any] = {CaseState.APPROVED: _("released"), CaseState.WITHDRAWN: _("ended")}


class Hold(Case):
    """A report on hold, set by a person: no list takes the tournament before the case is granted, its release."""

    KIND = CaseKind.HOLD
    STATES = STATES

    objects: ClassVar[OfKind] = OfKind()

    class Meta:
        proxy = True
        ordering = ["asked_at", "pk"]
        verbose_name = _("hold on a report")
        verbose_name_plural = _("holds on reports")


class Flags(Case):
    """What the checks found in a report and the QC looks at: this alone holds nothing back."""

    KIND = CaseKind.FLAGS
    STATES = STATES
    sentences = SENTENCES

    objects: ClassVar[OfKind] = OfKind()

    class Meta:
        proxy = True
        ordering = ["asked_at", "pk"]
        verbose_name = _("flags of the checks")
        verbose_name_plural = _("flags of the checks")
