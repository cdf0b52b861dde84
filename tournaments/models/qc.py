"""What comes before the QC in a tournament: holds of reports, requests, notes (0.4)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnly
from core.models import Reasoned, account_field
from tournaments.choices import RequestedChangeState, RequestSort
from tournaments.models.tournament import Tournament
from tournaments.portal_reasons import PORTAL_REASONS


class Hold(Reasoned, models.Model):
    """A report on hold, set by a person: no list takes the tournament. One from the findings only flags the report."""

    reasons = PORTAL_REASONS
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="holds")
    reason = models.TextField(_("reason"))
    is_from_findings = models.BooleanField(_("set by the checks"), default=False)
    raised_by = account_field()
    raised_at = models.DateTimeField(_("raised at"))
    closed_by = account_field()
    closed_at = models.DateTimeField(_("released at"), null=True, blank=True)

    class Meta:
        ordering = ["raised_at", "pk"]
        # The name from when a hold was called a question.
        db_table = "tournaments_question"
        verbose_name = _("hold on a report")
        verbose_name_plural = _("holds on reports")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(closed_at=None), name="one_open_question_a_tournament"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_question_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.reason[:40]}"


class InformationRequest(models.Model):
    """What the QC asks the officer, by when, and the answer."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="information_requests")
    text = models.TextField(_("text"))
    due_on = models.DateField(_("reply by"))
    asked_by = account_field()
    asked_at = models.DateTimeField(_("requested at"))
    answer = models.TextField(_("answer"), blank=True)
    answered_by = account_field()
    answered_at = models.DateTimeField(_("replied at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("information request")
        verbose_name_plural = _("information requests")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(answered_at=None), name="one_open_request_a_tournament"
            ),
            models.CheckConstraint(
                condition=Q(answered_at=None, answer="") | (Q(answered_at__isnull=False) & ~Q(answer="")),
                name="an_answer_has_its_instant",
            ),
            models.CheckConstraint(
                condition=Q(answered_at=None) | Q(answered_at__gte=F("asked_at")),
                name="an_answer_follows_its_question",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.text[:40]}"


class RequestedChange(Reasoned, models.Model):
    """A change or withdrawal that the officer asks for once the tournament has begun; the QC decides (D-80, D-81).

    `changes` are those of the audit log: `{"field": ..., "before": ..., "after": ...}`; none of a withdrawal.
    """

    reasons = PORTAL_REASONS
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="requested_changes")
    sort = models.CharField(_("request"), max_length=10, choices=RequestSort)
    changes = models.JSONField(_("changed fields with old and new values"), default=list, blank=True)
    reason = models.TextField(_("reason"))
    asked_by = account_field()
    asked_at = models.DateTimeField(_("requested at"))
    state = models.CharField(
        _("state"), max_length=9, choices=RequestedChangeState, default=RequestedChangeState.WAITING
    )
    decision_reason = models.TextField(_("reason for the decision"), blank=True)
    decided_by = account_field()
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("requested change")
        verbose_name_plural = _("requested changes")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(state="waiting"), name="one_open_change_a_tournament"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at=None, decision_reason="")
                | (~Q(state="waiting") & Q(decided_at__isnull=False) & ~Q(decision_reason="")),
                name="a_requested_change_is_decided_with_a_reason",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_requested_change_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.get_sort_display()}"


class InternalNote(AppendOnly):
    """A note of the QC or of FIDE staff that nobody else reads. Never changed."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField(_("note"))
    by = account_field()
    at = models.DateTimeField(_("date and time"))

    class Meta:
        ordering = ["tournament", "at", "pk"]
        verbose_name = _("internal note")
        verbose_name_plural = _("internal notes")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.text[:40]}"
