"""Tokens of programs and invitations: shown once, and stored as a hash."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, Self

import structlog
from django.db import DatabaseError, models, transaction
from django.db.models import Model, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

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


def record_use(token: Model, *, at: datetime) -> None:
    """Record when a token was last used, at most once in `RECORD_INTERVAL`; whoever only reads goes on without it."""
    is_stale = (
        Q(last_used_at=None)
        | Q(last_used_at__lt=at - RECORD_INTERVAL)
        # Written before the clock was set back: it would not be written until that instant has come again.
        | Q(last_used_at__gt=at + RECORD_INTERVAL)
    )
    rows: Any = type(token)._default_manager
    try:
        with transaction.atomic():
            rows.filter(is_stale, pk=token.pk).update(last_used_at=at)
    except DatabaseError:
        log.warning("use_not_recorded", exc_info=True)


class TokenRows(models.QuerySet[Any]):
    """The tokens of one kind."""

    def make(self, *, days: int, at: datetime, **values: Any) -> tuple[str, Any]:
        """Return a new token, which nothing shows again, and its row; it expires after `days`, at most a year."""
        token, kept = new_token(), timedelta(days=min(max(days, 1), LONGEST_DAYS))
        row = self.create(digest=token_digest(token), created_at=at, expires_at=at + kept, **values)
        return token, row

    def in_use(self, *, at: datetime) -> Self:
        """Return those that are neither revoked nor expired."""
        return self.filter(revoked_at=None, expires_at__gt=at)

    def find(self, token: str, *, at: datetime) -> Any:
        """Return the row of a token in use, None for any other text."""
        return self.in_use(at=at).filter(digest=token_digest(token)).first()

    def revoke(self, *, at: datetime) -> int:
        """End the tokens; return how many were not ended before."""
        return self.filter(revoked_at=None).update(revoked_at=at)


class ProgramToken(models.Model):
    """What each token has; whose it is, and what it may do, is said by its kind."""

    name = models.CharField(_("Name"), max_length=60)
    digest = models.CharField(_("SHA-256 of the token"), max_length=64, unique=True)
    created_at = models.DateTimeField(_("Created at"))
    last_used_at = models.DateTimeField(_("Last used at"), null=True, blank=True)
    expires_at = models.DateTimeField(_("Expires at"))
    revoked_at = models.DateTimeField(_("Revoked at"), null=True, blank=True)

    objects: Any = TokenRows.as_manager()

    class Meta:
        abstract = True

    @property
    def is_expired(self) -> bool:
        """Whether its time is over."""
        return self.expires_at <= timezone.now()
