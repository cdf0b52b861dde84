"""Files that show something of a case."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnly
from core.models import account_field
from tournaments.choices import FilePurpose
from tournaments.models.appeal import Appeal
from tournaments.models.tournament import Tournament


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
    added_by = account_field()
    # None for files of appeals from before files had an instant of their own.
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
