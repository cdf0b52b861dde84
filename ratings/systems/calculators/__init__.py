"""What somebody's games would do to a rating, by every system that the portal knows: nothing is stored."""

from __future__ import annotations

from ratings.systems.calculators.online import by_online_systems
from ratings.systems.calculators.over_the_board import Performance, first_rating, performance, rating_change
from ratings.systems.calculators.side_by_side import by_every_system
from ratings.systems.calculators.values import Met, Own, SystemResult
from ratings.systems.words import Line

__all__ = [
    "Line",
    "Met",
    "Own",
    "Performance",
    "SystemResult",
    "by_every_system",
    "by_online_systems",
    "first_rating",
    "performance",
    "rating_change",
]
