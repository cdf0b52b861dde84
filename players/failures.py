"""Why emails and webhook messages failed."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from core.stated import Sentences
from core.web import outbound

FAILURES = Sentences(
    {
        "webhook-removed": gettext_noop("The webhook was removed."),
        "sender-stopped": gettext_noop("The worker stopped while sending."),
        "email-uncertain": gettext_noop(
            "The worker stopped while sending. The email may or may not have been sent."
        ),
        "secret-unreadable": gettext_noop("The secret cannot be decrypted. Create the webhook again."),
        "server-answered": gettext_noop("The server answered %(status)d."),
        **outbound.FAILURES.templates,
    }
)
