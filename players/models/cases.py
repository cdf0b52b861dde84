"""Cases: somebody asks for something, and somebody else decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.dates import day_text
from core.models import CodePointCharField, Reasoned, account_field
from core.stated import Sentences
from players.choices import CaseKind, CaseState, Sex
from players.models.federation import Federation
from players.models.player import Player

# The portal and its commands ask for the others, too.
ASKED_BY_SOMEBODY = (
    CaseKind.APPLICATION,
    CaseKind.TRANSFER,
    CaseKind.CHANGE,
    CaseKind.MERGE,
    CaseKind.CLAIM,
    CaseKind.OBJECTION,
)


class OfKind(models.Manager[Any]):
    """The cases of a kind without columns of its own."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(kind=self.model.KIND)


class Case(Reasoned):
    """What is asked, about whom or what, who asked and when, the state, and who decided with which answer.

    A kind with columns of its own is a table beside this one, another a proxy with the manager `OfKind`. Of a kind, one
    case waits for each `key`, which is empty once it is decided. The portal itself asks for what its checks find: then
    nobody is `asked_by`.
    """

    sentences = Sentences({})

    # Tables of kinds have an `id` of their own, which addresses name.
    number = models.BigAutoField(primary_key=True)
    kind = models.CharField(_l("Kind"), max_length=12, choices=CaseKind)
    key = models.CharField(max_length=200, blank=True, editable=False)
    state = models.CharField(_l("State"), max_length=9, choices=CaseState, default=CaseState.WAITING)
    # Which of the three are filled in follows from the kind.
    tournament: models.ForeignKey[Any, Any] = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.PROTECT, null=True, blank=True, related_name="cases"
    )
    player: models.ForeignKey[Any, Any] = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="cases"
    )
    federation: models.ForeignKey[Any, Any] = models.ForeignKey(
        Federation, on_delete=models.PROTECT, null=True, blank=True, related_name="cases"
    )
    reason = models.TextField(_l("Reason"), blank=True)
    due_on = models.DateField(_l("Reply by"), null=True, blank=True)
    # Nobody's account is deleted: one that is removed keeps its number (`remove_account`).
    asked_by: models.ForeignKey[Any, Any] = account_field(on_delete=models.PROTECT)
    asked_at = models.DateTimeField(_l("Requested at"))
    decided_by = account_field(on_delete=models.PROTECT)
    decided_at = models.DateTimeField(_l("Decided at"), null=True, blank=True)
    answer = models.TextField(_l("Answer"), blank=True)

    # Of a kind: its value, the columns that are emptied with the decision, as they are private, and its own words for
    # states.
    KIND: ClassVar[CaseKind]
    PRIVATE: ClassVar[tuple[str, ...]] = ()
    STATES: ClassVar[Mapping[str, Any]] = {}

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _l("case")
        verbose_name_plural = _l("cases")
        indexes = [
            models.Index(fields=["kind", "asked_at"], condition=Q(state="waiting"), name="cases_waiting"),
            # The page of all begins with the newest.
            models.Index(fields=["-asked_at", "-number"], name="cases_newest"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=CaseState.WAITING, decided_at=None)
                | (~Q(state=CaseState.WAITING) & Q(decided_at__isnull=False)),
                name="a_decided_case_has_its_instant",
            ),
            models.UniqueConstraint(
                fields=["kind", "key"], condition=Q(state=CaseState.WAITING), name="one_waiting_case_a_key"
            ),
            models.CheckConstraint(
                condition=Q(state=CaseState.WAITING) & ~Q(key="") | ~Q(state=CaseState.WAITING) & Q(key=""),
                name="a_case_has_its_key_while_it_waits",
            ),
            models.CheckConstraint(
                condition=~Q(kind=CaseKind.APPLICATION)
                | Q(state=CaseState.APPROVED, player__isnull=False)
                | (~Q(state=CaseState.APPROVED) & Q(player=None)),
                name="an_approved_application_has_its_player",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=ASKED_BY_SOMEBODY) | Q(asked_by__isnull=False),
                name="a_case_is_asked_by_somebody",
            ),
            models.UniqueConstraint(
                fields=["asked_by"],
                condition=Q(kind=CaseKind.CLAIM, state=CaseState.APPROVED),
                name="one_confirmed_claim_an_account_has",
            ),
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(kind=CaseKind.CLAIM, state=CaseState.APPROVED),
                name="one_confirmed_claim_a_player_has",
            ),
            models.CheckConstraint(
                condition=~Q(kind=CaseKind.MERGE, state=CaseState.APPROVED)
                | (Q(decided_by__isnull=False) & ~Q(decided_by=F("asked_by"))),
                name="a_merge_is_confirmed_by_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        """Save the case; a new one gets its kind and its key."""
        if self._state.adding:
            self.kind = self.KIND
            self.key = self.key_of() if self.state == CaseState.WAITING else ""
        super().save(*args, **options)

    def key_of(self) -> str:
        """Return for what only one case of the kind waits; of most kinds for a player or a tournament."""
        return str(self.player_id or self.tournament_id)

    @property
    def about(self) -> str:
        """The name of whom or what the case is about."""
        return str((self.player or self.tournament or self.federation).name)

    @property
    def asked_as(self) -> Any:
        """Who asked, as lists name them."""
        return self.asked_by

    @property
    def decided_as(self) -> Any:
        """Who decided, as lists name them."""
        return self.decided_by

    def facts(self) -> list[tuple[str, str]]:
        """Return the two or three facts on which the case is decided: their labels, and what they are."""
        return []

    def get_state_display(self) -> str:  # type: ignore[no-redef]
        """Return the state in the words of the kind."""
        return str(self.STATES.get(self.state) or CaseState(self.state).label)


def waits(kind: CaseKind, tournament: str = "pk", **more: Any) -> Exists:
    """Return the condition that a case of a kind waits for the tournament of a row."""
    found = Case.objects.filter(kind=kind, state=CaseState.WAITING, tournament=OuterRef(tournament), **more)
    return Exists(found)


def own_number() -> models.OneToOneField[Any, Any]:
    """Return the link of a kind's table to the row of the case."""
    return models.OneToOneField(Case, on_delete=models.PROTECT, parent_link=True, related_name="%(class)s")


class Application(Case):
    """A new player who may be one already known: FIDE staff decide whether an ID is given.

    `player` is the one that an approval made.
    """

    KIND, PRIVATE = CaseKind.APPLICATION, ("birth_date",)

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    name = models.CharField(_l("Name"), max_length=100)
    sex = models.CharField(_l("Sex"), max_length=1, choices=Sex)
    birth_date = models.DateField(_l("Date of birth (private)"), null=True, blank=True)
    # What the row of a register has for the player.
    member_number = CodePointCharField(_l("National number"), max_length=20, blank=True)
    club = CodePointCharField(_l("Club"), max_length=80, blank=True)
    district = CodePointCharField(_l("District"), max_length=80, blank=True)
    score = models.PositiveSmallIntegerField(_l("Match score"))
    likeness = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _l("FIDE ID application")
        verbose_name_plural = _l("FIDE ID applications")

    def __str__(self) -> str:
        return f"{self.name} {self.federation_id} {self.state}"

    def key_of(self) -> str:
        return f"{self.federation_id} {self.birth_date} {self.name}"

    @property
    def about(self) -> str:
        return self.name

    def facts(self) -> list[tuple[str, str]]:
        likeness = _("%(player)s (%(score)d of 100)") % {"player": self.likeness, "score": self.score}
        born = [(_("Date of birth"), day_text(self.birth_date))] if self.birth_date else []
        member = " · ".join(filter(None, (self.member_number, self.club)))
        entered = [(_("National number and club"), member)] if member else []
        return [(_("Federation"), str(self.federation_id)), *born, *entered, (_("Similar to"), likeness)]


class Transfer(Case):
    """A player's change of federation: asked by one side, agreed to by the other or decided by staff.

    `federation` is the side that asked.
    """

    KIND = CaseKind.TRANSFER

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    from_federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="transfers_out")
    to_federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="transfers_in")

    class Meta:
        ordering = ["-asked_at", "-pk"]
        verbose_name = _l("transfer")
        verbose_name_plural = _l("transfers")
        constraints = [
            models.CheckConstraint(
                condition=~Q(from_federation=F("to_federation")), name="transfer_changes_the_federation"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.from_federation_id}-{self.to_federation_id} {self.state}"

    def facts(self) -> list[tuple[str, str]]:
        return [(_("Federation"), f"{self.from_federation_id} → {self.to_federation_id}")]


class ChangeRequest(Case):
    """A federation's request to change what is recorded of its player; FIDE staff decide.

    Empty fields stay as they are. A request with the day of a death reports that (FIDE R&B 2024, 9.2).
    """

    KIND, PRIVATE = CaseKind.CHANGE, ("birth_date",)

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    name = models.CharField(_l("Name"), max_length=100, blank=True)
    sex = models.CharField(_l("Sex"), max_length=1, choices=Sex, blank=True)
    birth_date = models.DateField(_l("Date of birth (private)"), null=True, blank=True)
    died_on = models.DateField(_l("Date of death"), null=True, blank=True)
    evidence = models.CharField(_l("Evidence"), max_length=400)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _l("data change request")
        verbose_name_plural = _l("data change requests")
        constraints = [
            models.CheckConstraint(condition=~Q(evidence=""), name="a_change_request_has_evidence"),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.get_state_display()}"

    def facts(self) -> list[tuple[str, str]]:
        # Not what is recorded: of a player who has left the federation it is no longer the federation's to read.
        wanted = [
            (_("New name"), self.name),
            (_("New sex"), self.get_sex_display()),
            (_("New date of birth"), day_text(self.birth_date) if self.birth_date else ""),
            (_("Date of death"), day_text(self.died_on) if self.died_on else ""),
        ]
        if self.has_lost_birth_date:
            wanted.append((_("New date of birth"), _("Removed after the decision")))
        return [*((label, text) for label, text in wanted if text), (_("Evidence"), self.evidence)]

    @property
    def has_lost_birth_date(self) -> bool:
        """Whether the request was only for a birth date, which was deleted with the decision."""
        return not (self.name or self.sex or self.birth_date or self.died_on)


class MergeProposal(Case):
    """A merge of two records with different personal data: one member of FIDE staff requests it, another confirms.

    `player` is the duplicate. `differences` are field, value of the duplicate, and value of the kept record, as of the
    request.
    """

    KIND = CaseKind.MERGE

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    into = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", verbose_name=_l("Kept"))
    differences = models.JSONField(_l("Differences"), default=list)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _l("proposed merge")
        verbose_name_plural = _l("proposed merges")

    def __str__(self) -> str:
        return f"{self.player_id} {self.into_id} {self.state}"

    def facts(self) -> list[tuple[str, str]]:
        return [(_("Duplicate"), str(self.player)), (_("Kept"), str(self.into))]


class Claim(Case):
    """Somebody with an account says that a record is theirs; an officer of the player's federation decides.

    An account has one open claim. Of several people who claim a record one is confirmed at most.
    """

    KIND = CaseKind.CLAIM
    STATES: ClassVar[Mapping[str, Any]] = {
        CaseState.WAITING: _l("waiting for the federation"),
        CaseState.APPROVED: _l("confirmed"),
    }

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    evidence = models.CharField(_l("Evidence"), max_length=400, blank=True)
    # When one that was confirmed ended.
    ended_at = models.DateTimeField(_l("Ended at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _l("claim of a player record")
        verbose_name_plural = _l("claims of player records")

    def __str__(self) -> str:
        return f"{self.player_id} {self.state}"

    def key_of(self) -> str:
        return str(self.asked_by_id)

    def facts(self) -> list[tuple[str, str]]:
        return [(_("Federation"), str(self.player.federation_id)), (_("Evidence"), self.evidence or "–")]
