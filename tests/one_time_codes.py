"""The six figures that an authenticator app shows (RFC 6238), computed here and not by the library under test."""

from __future__ import annotations

import base64
import hashlib
import hmac

SECRET = "JBSWY3DPEHPK3PXP"
PERIOD = 30


def code_at(secret: str, instant: float) -> str:
    """Return the code of a secret, in base 32, at an instant in seconds since 1970."""
    counter = int(instant // PERIOD).to_bytes(8, "big")
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    offset = digest[-1] & 0x0F
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"
