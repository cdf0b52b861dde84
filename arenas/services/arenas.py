"""The arenas that every portal has, and the tokens with which they post games."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from arenas.choices import RatingSystem
from arenas.models import Arena, ArenaToken

NAMES = {
    RatingSystem.FOA_RBB: "FIDE Online Arena",
    RatingSystem.CHESS_ONLINE: "Chess Online",
    RatingSystem.FLYORDIE: "FlyOrDie",
}
TOKEN_BYTES = 32


def load_arenas(*, using: str) -> None:
    """Make the arena of each system that is not there; those that are there stay as staff left them."""
    Arena.objects.using(using).bulk_create(
        (Arena(slug=system.value, name=name, system=system.value) for system, name in NAMES.items()),
        ignore_conflicts=True,
    )


def issue_token(arena: Arena, *, name: str, at: datetime) -> str:
    """Return a new token of an arena; it can be told only now, for its hash alone is stored."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    ArenaToken.objects.create(arena=arena, name=name, digest=digest_of(token), created_at=at)
    return token


def revoke_token(token: ArenaToken, *, at: datetime) -> None:
    """End a token; it stays as evidence of who could post games."""
    ArenaToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at)


def has_token(arena: Arena, token: str) -> bool:
    """Return whether a token is one of the arena's that still hold."""
    return ArenaToken.objects.filter(arena=arena, digest=digest_of(token), revoked_at=None).exists()


def digest_of(token: str) -> str:
    """Return the hash under which a token is stored: a token is random, so that one plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
