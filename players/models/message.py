"""A message as a row, so that it is neither lost nor sent twice."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from core.models import Reasoned
from core.outbox import DueWork
from players.choices import NoticeState
from players.failures import FAILURES


class Message(DueWork, Reasoned):
    """What emails and webhook messages share. `key` identifies what it is about: a reader gets a key once."""

    sentences, text_field = FAILURES, "failure"
    key = models.CharField(_("key"), max_length=200)
    state = models.CharField(_("state"), max_length=8, choices=NoticeState, default=NoticeState.DUE)
    # The columns keep their former names, so that processes of the release before go on working.
    due_at = models.DateTimeField(_("not before"), db_default=Now(), db_column="send_after")
    claimed_at = models.DateTimeField(_("started at"), null=True, blank=True, db_column="owned_at")
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    failure = models.CharField(_("reason for the failure"), max_length=500, blank=True)

    class Meta:
        abstract = True
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=NoticeState.SENT, sent_at__isnull=False)
                | (~Q(state=NoticeState.SENT) & Q(sent_at=None)),
                name="%(class)s_sent_has_its_instant",
            ),
        ]


# The index of those that are not sent yet has this condition.
NOT_SENT = Q(state__in=[NoticeState.DUE, NoticeState.SENDING])
