"""Work that is due, running or done: the database, not the broker, knows what is left to do."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.work import DueWork
from ratings.choices import RunState, Work


class Run(DueWork):
    """One piece of work; the sweep enqueues again what is due and not done."""

    work = models.CharField(_("work"), max_length=8, choices=Work)
    subject = models.CharField(_("subject"), max_length=40)
    state = models.CharField(_("state"), max_length=8, choices=RunState, default=RunState.DUE)
    # Who asked for it; the schedule where empty.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    error = models.TextField(_("error"), blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("background job")
        verbose_name_plural = _("background jobs")
        indexes = [models.Index(fields=["state", "created_at"], name="runs_by_state")]
        constraints = [models.UniqueConstraint(fields=["work", "subject"], name="one_run_a_subject")]

    def __str__(self) -> str:
        return f"{self.work} {self.subject}"
