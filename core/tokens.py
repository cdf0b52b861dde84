"""Tokens of programs and invitations, of which only a hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Model, Q

log = structlog.get_logger(__name__)
TOKEN_BYTES = 32
# The last use is written so often at most: a call a second must not write a row a second.
RECORD_INTERVAL = timedelta(minutes=1)
# A forgotten token expires.
LONGEST_DAYS = 365


def new_token() -> str:
    """Return a new token. Show it once; only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_digest(token: str) -> str:
    """Return the hash under which a token is stored: a token is random, so that one plain hash is enough."""
    # An address may hold half of a surrogate pair, on which UTF-8 alone raises.
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def token_end(days: int, *, at: datetime) -> datetime:
    """Return when a token made now ends: after so many days, a year at most."""
    return at + timedelta(days=min(max(days, 1), LONGEST_DAYS))


def record_use(token: Model, *, at: datetime) -> None:
    """Record when a token was last used, at most once in `RECORD_INTERVAL`; whoever only reads goes on without it."""
    is_stale = (
        Q(last_used_at=None)
        | Q(last_used_at__lt=at - RECORD_INTERVAL)
        | Q(last_used_at__gt=at + RECORD_INTERVAL)
    )
    rows: Any = type(token)._default_manager
    try:
        with transaction.atomic():
            rows.filter(is_stale, pk=token.pk).update(last_used_at=at)
    except DatabaseError:
        log.warning("use_not_recorded", exc_info=True)
