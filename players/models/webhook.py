"""Webhooks of federations' own systems: their messages as rows, so that none is lost or sent twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.choices import WebhookEvent
from players.models.federation import Federation
from players.models.notice import NOT_SENT, Message


class Webhook(models.Model):
    """An https address of a federation. The secret is encrypted; `failures` counts failed attempts in a row."""

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(_("Address"), max_length=500)
    secret = models.CharField(_("Secret"), max_length=300)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(_("Created at"))
    failures = models.PositiveSmallIntegerField(_("Failed attempts in a row"), default=0)
    paused_at = models.DateTimeField(_("Paused at"), null=True, blank=True)
    ended_at = models.DateTimeField(_("Removed at"), null=True, blank=True)

    class Meta:
        ordering = ["federation", "pk"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [
            models.UniqueConstraint(
                fields=["federation", "url"], condition=Q(ended_at=None), name="one_webhook_an_address"
            )
        ]

    def __str__(self) -> str:
        return f"{self.federation_id}: {self.url}"


class Delivery(Message):
    """One message to a webhook. `key` identifies its event: a webhook gets a key once."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(_("Event"), max_length=24, choices=WebhookEvent)
    body = models.TextField(_("Body"))
    answer = models.PositiveSmallIntegerField(_("Answer"), null=True, blank=True)

    class Meta(Message.Meta):
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = [
            *Message.Meta.constraints,
            models.UniqueConstraint(fields=["webhook", "key"], name="a_webhook_gets_a_key_once"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=NOT_SENT, name="deliveries_not_sent"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.key}"
