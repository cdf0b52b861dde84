"""Tokens of programs: shown once, stored as a hash, ended by time or by hand, and kept as evidence."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.secrets import LONGEST_DAYS, new_token, token_digest


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

    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(_("SHA-256 of the token"), max_length=64, unique=True)
    created_at = models.DateTimeField(_("created at"))
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires at"))
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    objects: Any = TokenRows.as_manager()

    class Meta:
        abstract = True

    @property
    def is_expired(self) -> bool:
        """Whether its time is over."""
        return self.expires_at <= timezone.now()
