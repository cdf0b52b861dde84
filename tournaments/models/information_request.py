"""What the QC asks a rating officer about a tournament, and the answers (0.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.choices import CaseKind, CaseState
from players.models import Case
from players.models.cases import OfKind


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
