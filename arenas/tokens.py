"""The tokens of the servers of arenas."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from arenas.models import Arena, ArenaToken
from core.errors import refused
from core.tokens import LONGEST_DAYS, record_use
from players.choices import Area, Deed
from players.models.log import record_act


def issue_token(
    arena: Arena, *, name: str, at: datetime, days: int = LONGEST_DAYS, by: Any = None
) -> tuple[str, ArenaToken]:
    """Return a new token of an arena and its row. The token is shown only now, as only its hash is stored.

    It expires after `days`, at most a year. `RefusedError` while the arena has a token of the name: a reloaded page
    creates no second one.
    """
    with transaction.atomic():
        Arena.objects.select_for_update().get(pk=arena.pk)
        check_token_name(arena, name, at=at)
        token, made = ArenaToken.objects.make(arena=arena, name=name, days=days, at=at)
        record_act(Area.ACCOUNT, Deed.TOKEN, f"{arena}: {name}", by=by, at=at)
    return token, made


def check_token_name(arena: Arena, name: str, *, at: datetime) -> None:
    """Raise `RefusedError` while a token of an arena that is in use has this name."""
    if ArenaToken.objects.in_use(at=at).filter(arena=arena, name=name).exists():
        message = _("The arena already has a token with this name. Revoke it, or enter another name.")
        raise refused("name-taken", message, "name")


def revoke_token(token: ArenaToken, *, at: datetime, by: Any = None) -> bool:
    """End a token; it stays as evidence of who could post games. False where it was ended before."""
    with transaction.atomic():
        is_ended = bool(ArenaToken.objects.filter(pk=token.pk).revoke(at=at))
        if is_ended:
            record_act(Area.ACCOUNT, Deed.UNTOKEN, f"{token.arena}: {token.name}", by=by, at=at)
    return is_ended


def token_arena(token: str, *, at: datetime) -> Arena | None:
    """Return the arena whose token this is, None where it is nobody's, revoked or expired; notes the use."""
    found: ArenaToken | None = ArenaToken.objects.select_related("arena").find(token, at=at)
    if found is None:
        return None
    record_use(found, at=at)
    return found.arena
