"""Emails as rows, so that none is lost or sent twice; each kind is one that a user may not want."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.secrets import decrypt
from players.choices import OPTIONAL_NOTICES, NoticeKind
from players.models.message import NOT_SENT, Message


class Notice(Message):
    """An email to one recipient. `key` identifies its subject: a recipient gets a key once."""

    recipient = models.EmailField(_("recipient"), max_length=254)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="notices"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=NoticeKind)
    subject = models.CharField(_("subject"), max_length=200)
    text = models.TextField(_("text"))
    # Of an email to a follower: the path of the page that ends such emails.
    unsubscribe_path = models.CharField(_("unsubscribe link"), max_length=200, blank=True, db_column="off")
    language = models.CharField(_("language"), max_length=10, blank=True)
    # Sent with others of the day as one email.
    in_digest = models.BooleanField(_("in the daily digest"), default=False)

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
    kind = models.CharField(_("kind"), max_length=12, choices=NoticeKind)

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
