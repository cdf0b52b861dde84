"""Work that is due, running or done: the database, not the broker, knows what is left to do."""

from __future__ import annotations

import re
from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.html.dates import day_in_words, list_month
from core.html.figures import colon
from core.models import Reasoned, account_field
from core.outbox import DueWork
from core.stated import Sentences
from players.models import Federation
from players.register_file import SENTENCES as REGISTER_SENTENCES
from ratings.choices import SENTENCES, ListKind, RunState, Work

ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Run(DueWork, Reasoned):
    """One piece of work; the sweep enqueues again what is due and not done."""

    sentences, text_field = SENTENCES, "error"
    work = models.CharField(_("Work"), max_length=8, choices=Work)
    subject = models.CharField(pgettext_lazy("job", "Subject"), max_length=40)
    state = models.CharField(_("State"), max_length=8, choices=RunState, default=RunState.DUE)
    # The user who requested it; empty for the schedule.
    by = account_field()
    # The column keeps the name that it had before jobs had claims.
    claimed_at = models.DateTimeField(_("Started at"), null=True, blank=True, db_column="started_at")
    finished_at = models.DateTimeField(_("Finished at"), null=True, blank=True)
    error = models.TextField(_("Error"), blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("background job")
        verbose_name_plural = _("background jobs")
        indexes = [models.Index(fields=["state", "created_at"], name="runs_by_state")]
        # Whoever asks for work that is there makes the row due again, and does not add one.
        constraints = [models.UniqueConstraint(fields=["work", "subject"], name="one_run_a_subject")]

    def __str__(self) -> str:
        work, subject = capfirst(self.get_work_display()), self.subject_in_words
        return f"{work}{colon()} {subject}" if subject else work

    @property
    def subject_in_words(self) -> str:
        """The subject as people name it: `rapid 2026-02-01` as a list, the month of a publication, a day.

        A check of everything has none.
        """
        if self.subject == self.work:
            return ""
        kind, _space, day = self.subject.rpartition(" ")
        if kind in ListKind.values and ISO_DAY.fullmatch(day):
            return f"{ListKind(kind).label}, {list_month(date.fromisoformat(day))}"
        return day_in_words(self.subject)


class FileImport(models.Model):
    """A file that somebody imports in the browser: it is read, its effect is shown, and then it is imported.

    `preview` and `result` are what reading and importing found (`ratings.imports.browser`), None before.
    `refusals` are the reasons for which the file was not imported. What the portal states in them are items of
    `sentences`. The file is deleted at the end.
    """

    sentences: ClassVar[Sentences]
    file_name = models.CharField(_("File"), max_length=120)
    path = models.CharField(_("Path"), max_length=200)
    size = models.PositiveBigIntegerField(_("Size"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("Uploaded by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    at = models.DateTimeField(_("Uploaded at"))
    preview = models.JSONField(_("Preview"), null=True, blank=True)
    confirmed_by = account_field(verbose_name=_("Confirmed by"))
    confirmed_at = models.DateTimeField(_("Confirmed at"), null=True, blank=True)
    result = models.JSONField(_("Result"), null=True, blank=True)
    refusals = models.JSONField(_("Refusals"), default=list, blank=True)
    cancelled_by = account_field(verbose_name=_("Cancelled by"))
    cancelled_at = models.DateTimeField(_("Cancelled at"), null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def whys(self) -> list[str]:
        """The reasons why the file was refused, in the language of the page."""
        return list(map(self.sentences.show, self.refusals))

    @property
    def stage(self) -> str:
        """The state of the import: reading, ready, importing, done, refused or cancelled."""
        # Results first: what was imported stays so, whatever was clicked meanwhile.
        if self.result is not None:
            return "done"
        if self.cancelled_at is not None:
            return "cancelled"
        if self.refusals:
            return "refused"
        if self.confirmed_at is not None:
            return "importing"
        return "reading" if self.preview is None else "ready"

    @property
    def work(self) -> Work:
        """The job that the import is at."""
        raise NotImplementedError


class FideImport(FileImport):
    """A FIDE list that staff import."""

    sentences = SENTENCES
    date = models.DateField(_("Date of the list"))
    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind, blank=True)
    force = models.CharField(
        _("Reason to ignore date and rating type of the file"), max_length=400, blank=True
    )
    adopt = models.CharField(_("Reason to use the FIDE list"), max_length=400, blank=True)
    contained = models.JSONField(_("Reports that the list contains"), null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("import of a FIDE list")
        verbose_name_plural = _("imports of FIDE lists")

    def __str__(self) -> str:
        return f"{self.file_name}, {list_month(self.date)}"

    @property
    def work(self) -> Work:
        return Work.READ if self.confirmed_at is None else Work.IMPORT


class RegisterImport(FileImport):
    """The register of a federation, which its officers import once they have looked at its columns.

    `columns` are its first rows with what each column is taken for, `read_at` the instant from which its effect is
    worked out.
    """

    sentences = REGISTER_SENTENCES
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="+")
    columns = models.JSONField(_("Columns"), default=dict, blank=True)
    is_name_right = models.BooleanField(_("Names that look wrong are right"), default=False)
    read_at = models.DateTimeField(_("Read at"), null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("import of a register")
        verbose_name_plural = _("imports of registers")

    def __str__(self) -> str:
        return f"{self.file_name}, {self.federation_id}"

    @property
    def stage(self) -> str:
        """The state of the import: columns before those of every file, and again where they gave no effect."""
        stage = super().stage
        is_first = stage == "reading" and self.read_at is None
        return "columns" if is_first or (stage == "refused" and self.confirmed_at is None) else stage

    @property
    def replacement(self) -> RegisterImport | None:
        """The import whose upload cancelled this one: it was uploaded at that instant."""
        if self.cancelled_at is None:
            return None
        later = RegisterImport.objects.filter(federation=self.federation_id, pk__gt=self.pk)
        return later.filter(at=self.cancelled_at).first()

    @property
    def work(self) -> Work:
        return Work.REGISTER
