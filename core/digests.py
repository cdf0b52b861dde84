"""The SHA-256 by which a stored file is known again: whoever has it can compute the same with `sha256sum`."""

from __future__ import annotations

import hashlib


def sha256_of(content: bytes) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
