"""What arenas do when ratings tell them something."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from arenas.choices import RatingSystem
from arenas.models import Arena
from arenas.services.days import adjust_arenas, publish_due_lists
from ratings.models import RatingList
from ratings.signals import list_published


@receiver(list_published)
def add_changes_over_the_board(sender: Any, *, rating_list: RatingList, at: datetime, **kwargs: Any) -> None:
    """A published list adds its changes to the ratings of members, in the publishing transaction (FOA 3.15).

    Monthly lists of arenas that waited for it follow.
    """
    adjust_arenas(rating_list, at=at)
    for arena in Arena.objects.filter(system=RatingSystem.FOA_RBB).order_by("pk"):
        publish_due_lists(arena, at=at)
