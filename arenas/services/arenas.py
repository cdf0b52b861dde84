"""Arenas, their parameters and the tokens of their servers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from arenas.choices import RatingSystem
from arenas.models import Arena, ArenaToken, Member, Rating
from arenas.services.ledger import BATCH
from core.bulk import batched
from core.secrets import LONGEST_DAYS, new_token, record_use, token_digest, token_end

NAMES = {
    RatingSystem.FOA_RBB: "FIDE Online Arena",
    RatingSystem.CHESS_ONLINE: "Chess Online",
    RatingSystem.FLYORDIE: "FlyOrDie",
}


def load_arenas(*, using: str) -> None:
    """Make the arena of each system that is not there; those that are there stay as staff left them."""
    Arena.objects.using(using).bulk_create(
        (Arena(slug=system.value, name=name, system=system.value) for system, name in NAMES.items()),
        ignore_conflicts=True,
    )


@transaction.atomic
def begin_categories(arena: Arena) -> None:
    """Give every member a newcomer's rating in each category of the arena that has none yet."""
    Arena.objects.select_for_update(no_key=True).get(pk=arena.pk)
    for category in arena.categories:
        without = Member.objects.filter(arena=arena).exclude(ratings__category=category)
        _begin(arena, category, without.order_by("pk").values_list("pk", flat=True))


def _begin(arena: Arena, category: str, member_ids: Iterable[int]) -> None:
    newcomer = arena.rules.newcomer
    for batch in batched(list(member_ids), BATCH):
        Rating.objects.bulk_create(
            Rating(
                member_id=member_id,
                category=category,
                state=newcomer.to_dict(),
                hundredths=arena.rules.hundredths(newcomer),
            )
            for member_id in batch
        )


def issue_token(arena: Arena, *, name: str, at: datetime, days: int = LONGEST_DAYS) -> tuple[str, ArenaToken]:
    """Return a new token of an arena and its row; it can be told only now, for its hash alone is stored.

    It ends after `days`, a year at most.
    """
    token = new_token()
    made = ArenaToken.objects.create(
        arena=arena,
        name=name,
        digest=token_digest(token),
        created_at=at,
        expires_at=token_end(days, at=at),
    )
    return token, made


def revoke_token(token: ArenaToken, *, at: datetime) -> bool:
    """End a token; it stays as evidence of who could post games. False where it was ended before."""
    return bool(ArenaToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at))


def token_arena(token: str, *, at: datetime) -> Arena | None:
    """Return the arena whose token this is, None where it is nobody's, revoked or expired; notes the use."""
    rows = ArenaToken.objects.filter(digest=token_digest(token), revoked_at=None, expires_at__gt=at)
    found = rows.select_related("arena").first()
    if found is None:
        return None
    record_use(found, at=at)
    return found.arena
