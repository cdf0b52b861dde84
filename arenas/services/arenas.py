"""The arenas that every portal has."""

from __future__ import annotations

from arenas.choices import RatingSystem
from arenas.models import Arena

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
