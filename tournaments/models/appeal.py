"""Appeals to FIDE Council against decisions not to rate (0.4), and the files that show something of a case."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.append_only import AppendOnly
from core.html.dates import day_text
from core.models import account_field
from players.choices import CaseKind, CaseState
from players.models import Case, LogEntry
from players.models.cases import own_number
from tournaments.choices import AppealGround, FilePurpose
from tournaments.models.tournament import Tournament


class Appeal(Case):
    """An appeal to FIDE Council against one decision not to rate, and what Council decided."""

    KIND = CaseKind.APPEAL
    STATES = {
        CaseState.WAITING: _l("waiting for FIDE Council"),
        CaseState.APPROVED: _l("upheld"),
        CaseState.REFUSED: _l("dismissed"),
    }

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    # One to one: a decision is appealed once (0.4), also by two officers at the same moment.
    decision = models.OneToOneField(LogEntry, on_delete=models.PROTECT, related_name="appeal")
    communicated_on = models.DateField(_l("Decision communicated on"))
    ground = models.CharField(_l("Grounds"), max_length=10, choices=AppealGround)
    organiser = models.CharField(_l("Organiser who appeals"), max_length=120)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _l("appeal")
        verbose_name_plural = _l("appeals")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.state}"

    def key_of(self) -> str:
        return str(self.decision_id)

    def facts(self) -> list[tuple[str, str]]:
        return [
            (_("Federation"), self.tournament.federation_id),
            (_("Decision not to rate"), day_text(self.communicated_on)),
            (_("Organiser"), self.organiser),
            (_("Grounds"), self.get_ground_display()),
        ]


class CaseFile(AppendOnly):
    """A file that shows something of a case: the bytes as they came, with their SHA-256. Never changed.

    One with an appeal belongs to that; any other belongs to the tournament, and its number counts there.
    """

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, null=True, blank=True, related_name="files")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, null=True, blank=True, related_name="files"
    )
    purpose = models.CharField(_l("Purpose"), max_length=8, choices=FilePurpose, default=FilePurpose.APPEAL)
    number = models.PositiveSmallIntegerField(_l("Number"))
    file_name = models.CharField(_l("File name"), max_length=200)
    content = models.BinaryField(_l("Content"))
    size = models.PositiveIntegerField(_l("Size in bytes"))
    sha256 = models.CharField("SHA-256", max_length=64)
    added_by = account_field()
    # None for files of appeals from before files had an instant of their own.
    added_at = models.DateTimeField(_l("Added at"), null=True, blank=True)

    class Meta:
        ordering = ["appeal", "tournament", "number"]
        verbose_name = _l("file of a case")
        verbose_name_plural = _l("files of cases")
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
