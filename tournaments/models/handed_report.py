"""Chief arbiters of tournaments, and the reports that they hand over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.models import ValueField, account_field
from players.choices import CaseKind, CaseState
from players.models import Case, Invitation
from players.models.cases import own_number
from tournaments.amendments import Amendment
from tournaments.models.report import Report
from tournaments.models.tournament import Tournament

# The state of a file that was not sent.
CHECKED = "checked"


class NamedArbiter(models.Model):
    """Who may hand a tournament's report over: somebody with an account, or whoever accepts an invitation."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="named_arbiters")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="arbitrations",
    )
    invitation = models.ForeignKey(
        Invitation, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    named_by = account_field()
    named_at = models.DateTimeField(_l("Added at"))

    class Meta:
        ordering = ["tournament", "named_at", "pk"]
        verbose_name = _l("chief arbiter of a tournament")
        verbose_name_plural = _l("chief arbiters of tournaments")
        constraints = [
            # Two constraints, as rows without a user, or without an invitation, are never equal in SQL.
            models.UniqueConstraint(fields=["tournament", "user"], name="an_arbiter_is_named_once"),
            models.UniqueConstraint(fields=["tournament", "invitation"], name="an_invitation_is_named_once"),
            models.CheckConstraint(
                condition=Q(user=None, invitation__isnull=False) | Q(user__isnull=False, invitation=None),
                name="named_is_somebody_known_or_invited",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.user_id or self.invitation_id}"


class HandedReport(models.Model):
    """A report as a chief arbiter checked it: the bytes as they came, with their SHA-256 and findings.

    Of a crosstable `content` is the TRF draft, and `original` the file. It counts for nothing before it is sent, and
    somebody who reports the tournament adds it: then it is a version of the report.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="handed_reports")
    number = models.PositiveSmallIntegerField(_l("Number"))
    file_name = models.CharField(_l("File name"), max_length=200)
    content = models.BinaryField(_l("Content"))
    sha256 = models.CharField("SHA-256", max_length=64)
    original = models.BinaryField(_l("Original file"), null=True, blank=True)
    original_name = models.CharField(_l("File name"), max_length=200, blank=True)
    pgn = models.BinaryField(_l("PGN of the games (article 8.4)"), null=True, blank=True)
    pgn_sha256 = models.CharField("SHA-256 of the PGN", max_length=64, blank=True)
    findings = models.JSONField(_l("Check results"), default=list, blank=True)
    # A draft: see `tournaments.drafts`.
    amendments = ValueField(
        _l("Fixes chosen and not saved yet"), of=list[Amendment], default=list, blank=True
    )
    checked_by = account_field()
    checked_at = models.DateTimeField(_l("Checked at"))

    class Meta:
        ordering = ["tournament", "number"]
        verbose_name = _l("report of the chief arbiter")
        verbose_name_plural = _l("reports of chief arbiters")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_handed_report_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · " + _("Report %(number)s of the chief arbiter") % {"number": self.number}

    @property
    def sent(self) -> Handover | None:
        """The case in which it was sent, None of one that was only checked."""
        # The other side of a one-to-one raises where there is none.
        return self.handover if hasattr(self, "handover") else None

    @property
    def state(self) -> str:
        return self.sent.state if self.sent else CHECKED

    def get_state_display(self) -> str:
        """Return the state in words."""
        return self.sent.get_state_display() if self.sent else _("checked, not sent")


class Handover(Case):
    """A report that a chief arbiter sent, with a remark: added to the report as a version, or returned.

    `report` is the version.
    """

    KIND = CaseKind.HANDED
    STATES: ClassVar[Mapping[str, Any]] = {
        CaseState.WAITING: _l("sent by the chief arbiter"),
        CaseState.APPROVED: _l("added to the report"),
        CaseState.REFUSED: _l("returned"),
        CaseState.WITHDRAWN: _l("replaced"),
    }

    case = own_number()
    # With the file its case goes, once it has had its time (`remove_unaccepted`).
    file = models.OneToOneField(HandedReport, on_delete=models.CASCADE)
    report = models.ForeignKey(
        Report, on_delete=models.PROTECT, null=True, blank=True, related_name="handovers"
    )

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _l("report sent by the chief arbiter")
        verbose_name_plural = _l("reports sent by chief arbiters")
