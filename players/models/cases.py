"""Cases: somebody asks for something about a player, and somebody else decides."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.choices import CaseState, Sex
from players.models.federation import Federation
from players.models.player import Player


class Case(models.Model):
    """Who asked and when, the state, and who closed it with which answer. Each kind adds what is asked for."""

    state = models.CharField(_("state"), max_length=9, choices=CaseState, default=CaseState.WAITING)
    # Nobody's account is deleted: one that is removed keeps its number (`remove_account`).
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(_("requested at"))
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=400, blank=True)

    class Meta:
        abstract = True
        ordering = ["asked_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=CaseState.WAITING, decided_at=None)
                | (~Q(state=CaseState.WAITING) & Q(decided_at__isnull=False)),
                name="%(class)s_decided_has_its_instant",
            ),
        ]


class Application(Case):
    """A new player who may be one already known: FIDE staff decide whether an ID is given."""

    name = models.CharField(_("name"), max_length=100)
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="applications")
    sex = models.CharField(_("sex"), max_length=1, choices=Sex)
    # Until the decision.
    birth_date = models.DateField(_("date of birth (private)"), null=True, blank=True)
    score = models.PositiveSmallIntegerField(_("match score"))
    likeness = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    player = models.OneToOneField(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta(Case.Meta):
        verbose_name = _("FIDE ID application")
        verbose_name_plural = _("FIDE ID applications")
        constraints = [
            *Case.Meta.constraints,
            models.UniqueConstraint(
                fields=["federation", "name", "birth_date"],
                condition=Q(state=CaseState.WAITING),
                name="one_waiting_application_a_person",
            ),
            models.CheckConstraint(
                condition=Q(state=CaseState.APPROVED, player__isnull=False)
                | (~Q(state=CaseState.APPROVED) & Q(player=None)),
                name="approved_application_has_its_player",
            ),
            models.CheckConstraint(
                condition=Q(state=CaseState.WAITING, birth_date__isnull=False)
                | (~Q(state=CaseState.WAITING) & Q(birth_date=None)),
                name="an_application_has_a_birth_date_until_decided",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.federation_id} {self.state}"


class Transfer(Case):
    """A player's change of federation: asked by one side, agreed to by the other or decided by staff."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="transfers")
    from_federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="transfers_out")
    to_federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="transfers_in")
    asked_for = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="+")

    class Meta(Case.Meta):
        ordering = ["-asked_at", "-pk"]
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        constraints = [
            *Case.Meta.constraints,
            models.UniqueConstraint(
                fields=["player"], condition=Q(state=CaseState.WAITING), name="one_open_transfer_a_player"
            ),
            models.CheckConstraint(
                condition=~Q(from_federation=F("to_federation")), name="transfer_changes_the_federation"
            ),
            models.CheckConstraint(
                condition=Q(asked_for=F("from_federation")) | Q(asked_for=F("to_federation")),
                name="transfer_is_asked_by_one_side",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.from_federation_id}-{self.to_federation_id} {self.state}"


class ChangeRequest(Case):
    """A federation's request to change what is recorded of its player; FIDE staff decide.

    Empty fields stay as they are. A request with the day of a death reports that (FIDE R&B 2024, 9.2).
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="change_requests")
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="change_requests")
    name = models.CharField(_("name"), max_length=100, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Sex, blank=True)
    # Until the decision.
    birth_date = models.DateField(_("date of birth (private)"), null=True, blank=True)
    died_on = models.DateField(_("date of death"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=400)
    evidence = models.CharField(_("evidence"), max_length=400)

    class Meta(Case.Meta):
        verbose_name = _("data change request")
        verbose_name_plural = _("data change requests")
        constraints = [
            *Case.Meta.constraints,
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(state=CaseState.WAITING),
                name="one_waiting_change_request_a_player",
            ),
            models.CheckConstraint(
                condition=~Q(state=CaseState.WAITING, name="", sex="", birth_date=None, died_on=None),
                name="a_change_request_asks_for_something",
            ),
            models.CheckConstraint(
                condition=Q(state=CaseState.WAITING) | Q(birth_date=None),
                name="a_change_request_has_a_birth_date_until_decided",
            ),
            models.CheckConstraint(
                condition=~Q(reason="") & ~Q(evidence=""), name="a_change_request_has_reason_and_evidence"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.get_state_display()}"

    @property
    def has_lost_birth_date(self) -> bool:
        """Whether the request was only for a birth date, which was deleted with the decision."""
        return not (self.name or self.sex or self.birth_date or self.died_on)


class MergeProposal(Case):
    """A merge of two records with different personal data: one member of FIDE staff requests it, another confirms.

    `differences` are field, value of the duplicate, and value of the kept record, as of the request.
    """

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="merge_proposals", verbose_name=_("duplicate")
    )
    into = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", verbose_name=_("kept"))
    reason = models.CharField(_("reason"), max_length=400)
    differences = models.JSONField(_("differences"), default=list)

    class Meta(Case.Meta):
        verbose_name = _("proposed merge")
        verbose_name_plural = _("proposed merges")
        constraints = [
            *Case.Meta.constraints,
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(state=CaseState.WAITING),
                name="one_waiting_merge_a_player",
            ),
            models.CheckConstraint(
                condition=~Q(state=CaseState.APPROVED)
                | (Q(decided_by__isnull=False) & ~Q(decided_by=F("asked_by"))),
                name="a_merge_is_confirmed_by_another_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.into_id} {self.state}"
