"""Secrets that must be read again, stored encrypted."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

# It tells encrypted secrets from those that an earlier release stored as they are.
ENCRYPTED = "f1:"


def encrypt(text: str) -> str:
    """Return a secret as it is stored: encrypted with the first of `SECRETS_KEYS`."""
    return ENCRYPTED + _box().encrypt(text.encode()).decode()


def decrypt(stored: str) -> str:
    """Return a stored secret, by whichever of `SECRETS_KEYS`; one from before encryption as it is.

    `InvalidToken` where no key opens it.
    """
    if not stored.startswith(ENCRYPTED):
        return stored
    return _box().decrypt(stored.removeprefix(ENCRYPTED).encode()).decode()


def _box() -> MultiFernet:
    """Return the keys as the library wants them: each of 32 bytes, however long the text of the variable is."""
    digests = (hashlib.sha256(f"secrets at rest {key}".encode()).digest() for key in settings.SECRETS_KEYS)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
