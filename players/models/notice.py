"""Emails as rows, so that none is lost or sent twice; each kind is one that a user may not want."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from core.models import Reasoned
from core.outbox import DueWork
from core.secrets import decrypt
from players.choices import OPTIONAL_NOTICES, NoticeKind, NoticeState
from players.failures import FAILURES


class Message(DueWork, Reasoned):
    """What emails and webhook messages share. `key` identifies what it is about: a reader gets a key once."""

    sentences, text_field = FAILURES, "failure"
    key = models.CharField(_("Key"), max_length=200)
    state = models.CharField(_("State"), max_length=8, choices=NoticeState, default=NoticeState.DUE)
    # The columns keep their former names, so that processes of the release before go on working.
    due_at = models.DateTimeField(_("Not before"), db_default=Now(), db_column="send_after")
    claimed_at = models.DateTimeField(_("Started at"), null=True, blank=True, db_column="owned_at")
    sent_at = models.DateTimeField(_("Sent at"), null=True, blank=True)
    failure = models.CharField(_("Reason for the failure"), max_length=500, blank=True)

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


class Notice(Message):
    """An email to one recipient. `key` identifies its subject: a recipient gets a key once."""

    recipient = models.EmailField(_("Recipient"), max_length=254)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="notices"
    )
    kind = models.CharField(_("Kind"), max_length=12, choices=NoticeKind)
    subject = models.CharField(_("Subject"), max_length=200)
    text = models.TextField(_("Text"))
    # Of an email to a follower: the path of the page that ends such emails.
    unsubscribe_path = models.CharField(_("Unsubscribe link"), max_length=200, blank=True, db_column="off")
    language = models.CharField(_("Language"), max_length=10, blank=True)
    # Sent with others of the day as one email.
    in_digest = models.BooleanField(_("In the daily digest"), default=False)

    class Meta(Message.Meta):
        verbose_name = _("email")
        verbose_name_plural = _("emails")
        constraints = [
            *Message.Meta.constraints,
            models.UniqueConstraint(fields=["recipient", "key"], name="a_recipient_gets_a_key_once"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=NOT_SENT, name="notices_not_sent"),
        ]

    def __str__(self) -> str:
        return f"{self.recipient}: {self.subject}"

    @property
    def content(self) -> str:
        """The text as it is sent: one with a private link is stored encrypted."""
        return decrypt(self.text)


class NoticePreference(models.Model):
    """A kind of mail that a person has turned off; without a row it is on."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="unwanted_notices"
    )
    kind = models.CharField(_("Kind"), max_length=12, choices=NoticeKind)

    class Meta:
        ordering = ["user", "kind"]
        verbose_name = _("email turned off")
        verbose_name_plural = _("emails turned off")
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="a_kind_is_turned_off_once"),
            models.CheckConstraint(
                condition=Q(kind__in=OPTIONAL_NOTICES), name="only_optional_kinds_are_turned_off"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"
