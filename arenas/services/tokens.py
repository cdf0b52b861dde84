"""The tokens with which the servers of arenas post games: shown once, kept as a hash, revocable."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db.models import Q

from arenas.models import Arena, ArenaToken

TOKEN_BYTES = 32
# The last use is written so often at most: a batch a second must not write a row a second.
NOTED_EVERY = timedelta(minutes=1)


def issue_token(arena: Arena, *, name: str, at: datetime) -> tuple[str, ArenaToken]:
    """Return a new token of an arena and its row; it can be told only now, for its hash alone is stored."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    made = ArenaToken.objects.create(arena=arena, name=name, digest=digest_of(token), created_at=at)
    return token, made


def revoke_token(token: ArenaToken, *, at: datetime) -> bool:
    """End a token; it stays as evidence of who could post games. False where it was ended before."""
    return bool(ArenaToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at))


def token_arena(token: str, *, at: datetime) -> Arena | None:
    """Return the arena whose token this is, None where it is nobody's or revoked; notes the use."""
    found = (
        ArenaToken.objects.filter(digest=digest_of(token), revoked_at=None).select_related("arena").first()
    )
    if found is None:
        return None
    is_stale = Q(last_used_at=None) | Q(last_used_at__lt=at - NOTED_EVERY)
    ArenaToken.objects.filter(is_stale, pk=found.pk).update(last_used_at=at)
    return found.arena


def digest_of(token: str) -> str:
    """Return the hash under which a token is stored: a token is random, so that one plain hash is enough."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
