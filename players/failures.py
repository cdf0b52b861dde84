"""Why emails and webhook messages failed: stored in English, shown in the language of the page."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from core.stored_texts import StoredTexts
from core.web import outbound

WEBHOOK_REMOVED = gettext_noop("The webhook was removed.")
SENDER_STOPPED = gettext_noop("The worker stopped while sending.")
EMAIL_UNCERTAIN = gettext_noop("The worker stopped while sending. The email may or may not have been sent.")
SECRET_UNREADABLE = gettext_noop("The secret cannot be decrypted. Create the webhook again.")
SERVER_ANSWERED = gettext_noop("The server answered %(status)d.")
FAILURES = StoredTexts(
    EMAIL_UNCERTAIN, WEBHOOK_REMOVED, SENDER_STOPPED, SECRET_UNREADABLE, SERVER_ANSWERED, *outbound.FAILURES
)
