"""The tokens with which the servers of arenas post games: shown once, kept as a hash, revocable."""

from __future__ import annotations

from datetime import datetime

from arenas.models import Arena, ArenaToken
from core.secrets import digest_of, new_token, note_use


def issue_token(arena: Arena, *, name: str, at: datetime) -> tuple[str, ArenaToken]:
    """Return a new token of an arena and its row; it can be told only now, for its hash alone is stored."""
    token = new_token()
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
    note_use(found, at=at)
    return found.arena
