"""Secrets of programs: random, shown once, stored as a hash."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Model, Q

TOKEN_BYTES = 32
# The last use is written so often at most: a call a second must not write a row a second.
RECORD_INTERVAL = timedelta(minutes=1)


def new_token() -> str:
    """Return a new token. Show it once; only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_digest(token: str) -> str:
    """Return the hash under which a token is stored: a token is random, so that one plain hash is enough."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def record_use(token: Model, *, at: datetime) -> None:
    """Record when a token was last used, at most once in `RECORD_INTERVAL`."""
    is_stale = (
        Q(last_used_at=None)
        | Q(last_used_at__lt=at - RECORD_INTERVAL)
        | Q(last_used_at__gt=at + RECORD_INTERVAL)
    )
    rows: Any = type(token)._default_manager
    rows.filter(is_stale, pk=token.pk).update(last_used_at=at)
