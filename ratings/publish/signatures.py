"""The signature of a manifest."""

from __future__ import annotations

import base64

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings


def signature_of(content: bytes) -> str:
    """Return the signature in base64, empty where no key is set."""
    key = _private_key()
    return base64.b64encode(key.sign(content)).decode() if key else ""


def public_key() -> str:
    """Return the public key in base64 (32 bytes), empty where no key is set."""
    key = _private_key()
    if key is None:
        return ""
    raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return base64.b64encode(raw).decode()


def is_signed_by(content: bytes, signature: str, key: str) -> bool:
    """Whether a signature of the content was made by the owner of a public key; both in base64.

    `ValueError` where the key is not one.
    """
    verifier = Ed25519PublicKey.from_public_bytes(base64.b64decode(key, validate=True))
    try:
        verifier.verify(base64.b64decode(signature, validate=True), content)
    # A signature that is no base64 is not by the key either.
    except (InvalidSignature, ValueError):
        return False
    return True


def _private_key() -> Ed25519PrivateKey | None:
    encoded: str = settings.LIST_SIGNING_KEY or ""
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(encoded)) if encoded else None
