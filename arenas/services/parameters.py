"""Changing an arena's parameters: games that are rated stay as they are."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from arenas.models import Arena, Member, Rating
from arenas.services.storing import BATCH
from core.bulk import batched


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
