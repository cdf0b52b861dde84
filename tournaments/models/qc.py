"""Decisions on tournaments: holds of reports, requests, notes, appeals with their files (0.4), objections.

A confirmed player objects to something in the results of a tournament; it never blocks a report.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.models import AppendOnly, Reasoned
from players.models import Player
from tournaments.choices import (
    PORTAL_REASONS,
    AppealGround,
    AppealState,
    CorrectionState,
    FilePurpose,
    ObjectionState,
    RequestedChangeState,
    RequestSort,
)
from tournaments.models.tournament import AuditEntry, Tournament


def person() -> models.ForeignKey[Any, Any]:
    """Return a field for who did it; what was done stays when the account goes."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )


class Hold(Reasoned, models.Model):
    """A report on hold, set by a person: no list takes the tournament. One from the findings only flags the report."""

    reasons = PORTAL_REASONS
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="holds")
    reason = models.TextField(_("reason"))
    is_from_findings = models.BooleanField(_("set by the checks"), default=False)
    raised_by = person()
    raised_at = models.DateTimeField(_("raised at"))
    closed_by = person()
    closed_at = models.DateTimeField(_("released at"), null=True, blank=True)

    class Meta:
        ordering = ["raised_at", "pk"]
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
    asked_by = person()
    asked_at = models.DateTimeField(_("requested at"))
    answer = models.TextField(_("answer"), blank=True)
    answered_by = person()
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
    asked_by = person()
    asked_at = models.DateTimeField(_("requested at"))
    state = models.CharField(
        _("state"), max_length=9, choices=RequestedChangeState, default=RequestedChangeState.WAITING
    )
    decision_reason = models.TextField(_("reason for the decision"), blank=True)
    decided_by = person()
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


class ResultCorrection(models.Model):
    """A correction of one game: made at once by whoever may, else requested and decided.

    `verdict` is the new result, a mark, or another of `ratings.services.corrections.tournaments.Decision`; `white`,
    `black` and `other` (who played in the place of one of them) are starting ranks in `report`, which it corrects.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="result_corrections")
    report = models.ForeignKey(
        "tournaments.Report", on_delete=models.PROTECT, related_name="result_corrections"
    )
    round = models.PositiveSmallIntegerField(_("round"))
    white = models.PositiveSmallIntegerField(_("white"))
    black = models.PositiveSmallIntegerField(_("black"))
    result_before = models.CharField(_("result before"), max_length=7, blank=True)
    verdict = models.CharField(_("correction"), max_length=13)
    mark_reference = models.CharField(_("reference"), max_length=100, blank=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    other = models.PositiveSmallIntegerField(_("right opponent"), null=True, blank=True)
    reason = models.TextField(_("reason"))
    asked_by = person()
    asked_at = models.DateTimeField(_("requested at"))
    state = models.CharField(
        _("state"), max_length=9, choices=CorrectionState, default=CorrectionState.WAITING
    )
    decision_reason = models.TextField(_("reason for the decision"), blank=True)
    decided_by = person()
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("correction of a result")
        verbose_name_plural = _("corrections of results")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "white"],
                condition=Q(state=CorrectionState.WAITING),
                name="one_open_correction_a_game",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_correction_of_a_result_has_a_reason"),
            models.CheckConstraint(
                condition=Q(state=CorrectionState.WAITING, decided_at=None, decision_reason="")
                | (~Q(state=CorrectionState.WAITING) & Q(decided_at__isnull=False)),
                name="a_correction_of_a_result_is_decided",
            ),
            models.CheckConstraint(
                condition=~Q(state=CorrectionState.REFUSED) | ~Q(decision_reason=""),
                name="a_correction_is_refused_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.round}-{self.white}"


class InternalNote(AppendOnly):
    """A note of the QC or of FIDE staff that nobody else reads. Never changed."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField(_("note"))
    by = person()
    at = models.DateTimeField(_("date and time"))

    class Meta:
        ordering = ["tournament", "at", "pk"]
        verbose_name = _("internal note")
        verbose_name_plural = _("internal notes")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.text[:40]}"


class Appeal(models.Model):
    """An appeal to FIDE Council against one decision not to rate, and what Council decided."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="appeals")
    decision = models.OneToOneField(AuditEntry, on_delete=models.PROTECT, related_name="appeal")
    communicated_on = models.DateField(_("decision communicated on"))
    ground = models.CharField(_("grounds"), max_length=10, choices=AppealGround)
    statement = models.TextField(_("statement"))
    organiser = models.CharField(_("organiser who appeals"), max_length=120)
    state = models.CharField(_("state"), max_length=9, choices=AppealState, default=AppealState.OPEN)
    lodged_by = person()
    lodged_at = models.DateTimeField(pgettext_lazy("appeal", "submitted at"))
    outcome_reason = models.TextField(_("Reasons of FIDE Council"), blank=True)
    decided_by = person()
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        ordering = ["lodged_at", "pk"]
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        constraints = [
            models.CheckConstraint(
                condition=Q(state=AppealState.OPEN, decided_at=None, outcome_reason="")
                | (~Q(state=AppealState.OPEN) & Q(decided_at__isnull=False) & ~Q(outcome_reason="")),
                name="an_appeal_is_decided_with_reasons",
            ),
            models.CheckConstraint(condition=~Q(statement=""), name="an_appeal_has_a_statement"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.state}"


class CaseFile(AppendOnly):
    """A file that shows something of a case: the bytes as they came, with their SHA-256. Never changed.

    One with an appeal belongs to that; any other belongs to the tournament, and its number counts there.
    """

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, null=True, blank=True, related_name="files")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, null=True, blank=True, related_name="files"
    )
    purpose = models.CharField(_("purpose"), max_length=8, choices=FilePurpose, default=FilePurpose.APPEAL)
    number = models.PositiveSmallIntegerField(_("number"))
    file_name = models.CharField(_("file name"), max_length=200)
    content = models.BinaryField(_("content"))
    size = models.PositiveIntegerField(_("size in bytes"))
    sha256 = models.CharField("SHA-256", max_length=64)
    added_by = person()
    added_at = models.DateTimeField(_("added at"), null=True, blank=True)

    class Meta:
        ordering = ["appeal", "tournament", "number"]
        verbose_name = _("file of a case")
        verbose_name_plural = _("files of cases")
        constraints = [
            models.UniqueConstraint(fields=["appeal", "number"], name="one_file_a_number"),
            models.UniqueConstraint(
                fields=["tournament", "number"], name="one_file_a_number_of_a_tournament"
            ),
            models.CheckConstraint(
                condition=Q(purpose=FilePurpose.APPEAL, appeal__isnull=False, tournament=None)
                | (~Q(purpose=FilePurpose.APPEAL) & Q(appeal=None, tournament__isnull=False)),
                name="a_file_belongs_to_one_case",
            ),
        ]

    def __str__(self) -> str:
        return self.file_name


class Objection(models.Model):
    """A player's objection to a result of their own; whoever reports the tournament or directed it answers."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="objections")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="objections")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="objections")
    round = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    statement = models.TextField(_("objection"))
    raised_at = models.DateTimeField(pgettext_lazy("objection", "submitted at"))
    due_on = models.DateField(_("reply by"))
    state = models.CharField(_("state"), max_length=9, choices=ObjectionState, default=ObjectionState.OPEN)
    answer = models.TextField(_("answer"), blank=True)
    answered_by = person()
    answered_at = models.DateTimeField(_("replied at"), null=True, blank=True)
    # When the correction that an accepted objection promises was made or requested; until then it is a task.
    settled_at = models.DateTimeField(_("corrected or requested at"), null=True, blank=True)

    class Meta:
        ordering = ["raised_at", "pk"]
        verbose_name = _("objection of a player")
        verbose_name_plural = _("objections of players")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"],
                condition=Q(state=ObjectionState.OPEN),
                name="one_open_objection_a_player",
            ),
            models.CheckConstraint(condition=~Q(statement=""), name="an_objection_has_a_statement"),
            models.CheckConstraint(
                condition=Q(state__in=(ObjectionState.OPEN, ObjectionState.WITHDRAWN))
                | (Q(answered_at__isnull=False) & ~Q(answer="")),
                name="an_objection_is_answered_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.player_id}"
