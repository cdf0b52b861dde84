"""Chief arbiters of tournaments, and the reports that they hand over."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from players.models import Invitation
from tournaments.choices import HandedState
from tournaments.models.report import Report
from tournaments.models.tournament import Tournament


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
    named_at = models.DateTimeField(_("added at"))

    class Meta:
        ordering = ["tournament", "named_at", "pk"]
        verbose_name = _("chief arbiter of a tournament")
        verbose_name_plural = _("chief arbiters of tournaments")
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
    """A report as a chief arbiter hands it over: the bytes as they came, with their SHA-256 and findings.

    Of a crosstable `content` is the TRF draft, and `original` the file. It counts for nothing before somebody who
    reports the tournament takes it: then it is a version of the report.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="handed_reports")
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=8, choices=HandedState, default=HandedState.CHECKED)
    file_name = models.CharField(_("file name"), max_length=200)
    content = models.BinaryField(_("content"))
    sha256 = models.CharField("SHA-256", max_length=64)
    original = models.BinaryField(_("original file"), null=True, blank=True)
    original_name = models.CharField(_("file name"), max_length=200, blank=True)
    pgn = models.BinaryField(_("PGN of the games (article 8.4)"), null=True, blank=True)
    pgn_sha256 = models.CharField("SHA-256 of the PGN", max_length=64, blank=True)
    findings = models.JSONField(_("check results"), default=list, blank=True)
    checked_by = account_field()
    checked_at = models.DateTimeField(_("checked at"))
    remark = models.TextField(_("remark of the arbiter"), blank=True)
    handed_by = account_field()
    handed_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    reason = models.TextField(_("reason for the return"), blank=True)
    decided_by = account_field()
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    report = models.ForeignKey(
        Report, on_delete=models.PROTECT, null=True, blank=True, related_name="handed_reports"
    )

    class Meta:
        ordering = ["tournament", "number"]
        verbose_name = _("report of the chief arbiter")
        verbose_name_plural = _("reports of chief arbiters")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_handed_report_a_number"),
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(state=HandedState.WAITING),
                name="one_waiting_handed_report_a_tournament",
            ),
            models.CheckConstraint(
                condition=Q(state=HandedState.TAKEN, report__isnull=False)
                | (~Q(state=HandedState.TAKEN) & Q(report=None)),
                name="a_report_taken_is_a_version",
            ),
            models.CheckConstraint(
                condition=~Q(state=HandedState.RETURNED) | ~Q(reason=""),
                name="a_report_sent_back_has_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state=HandedState.CHECKED, handed_at=None)
                | (~Q(state=HandedState.CHECKED) & Q(handed_at__isnull=False)),
                name="a_report_handed_over_has_its_instant",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · " + _("Report %(number)s of the chief arbiter") % {"number": self.number}
