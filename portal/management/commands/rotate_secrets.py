"""`rotate_secrets`: encrypt the secrets of second factors, webhooks and emails with the newest key."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.db import transaction

from core.commands import PortalCommand
from core.secrets import ENCRYPTED, decrypt, encrypt
from players.models import Notice, Webhook

FIELDS = ("secret", "seed")


class Command(PortalCommand):
    help = (
        "Encrypt stored secrets with the first key of SECRETS_KEY. After that, the other keys are no "
        "longer needed."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        done = webhooks = 0
        try:
            with transaction.atomic():
                for row in Authenticator.objects.select_for_update().order_by("pk"):
                    secrets = {name: row.data[name] for name in FIELDS if name in row.data}
                    row.data |= {name: encrypt(decrypt(stored)) for name, stored in secrets.items()}
                    row.save(update_fields=["data"])
                    done += bool(secrets)
                for webhook in Webhook.objects.select_for_update().exclude(secret="").order_by("pk"):
                    webhook.secret = encrypt(decrypt(webhook.secret))
                    webhook.save(update_fields=["secret"])
                    webhooks += 1
                for notice in Notice.objects.select_for_update().filter(text__startswith=ENCRYPTED):
                    notice.text = encrypt(notice.content)
                    notice.save(update_fields=["text"])
        except InvalidToken:
            reasons = [
                ("No key of SECRETS_KEY can decrypt a stored secret. Add the previous key after the new one.")
            ]
            self.refuse({"encrypted": 0, "reasons": reasons}, reasons, options)
        lines = [f"{done} two-factor secrets and {webhooks} secrets of webhooks encrypted"]
        self.emit({"encrypted": done + webhooks, "reasons": []}, lines, options)
