"""The result of an arena's game in words, for one of its players."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from arenas.games import GameShown, SideShown
from ratings.systems.online.values import WHITE_HALF_POINTS, Result

DISCONNECTED = "disconnected-2.4"
PROVISIONAL = "provisional-rating"
# What a game of an unrated member counts for, though there is no rating yet.
TARGETS = ("first-target-3.6.1", "second-target-3.6.2")


def half_points_of(game: GameShown, side: SideShown) -> int:
    """Return the half points with which a game counts for a side: one disconnected too long has lost."""
    if any(step.key == DISCONNECTED for step in side.steps):
        return 0 if game.game.disconnected == side.colour else 2
    half_points = WHITE_HALF_POINTS[Result(game.game.result)]
    return half_points if side is game.white else 2 - half_points


def result_in_words(game: GameShown, side: SideShown) -> str:
    """Return whether a side won, drew or lost."""
    return (_("lost"), _("draw"), _("won"))[half_points_of(game, side)]


def outcome_of(game: GameShown, side: SideShown) -> dict[str, Any]:
    """Return how a game ended for a side, and whether the average of the first games moved the other way."""
    is_average = any(step.key == PROVISIONAL for step in side.steps)
    change = Decimal(side.change or 0) if is_average else 0
    half_points = half_points_of(game, side)
    return {
        "side": side,
        "result": result_in_words(game, side),
        "is_raised_by_loss": half_points == 0 and change > 0,
        "is_lowered_by_win": half_points == 2 and change < 0,
    }
