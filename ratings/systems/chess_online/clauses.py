"""The rules of `chess-online` as the portal applies them; the text has no numbers, so that clauses have names."""

from __future__ import annotations

from ratings.systems.foa_rbb.clauses import CLAUSES as FOA
from ratings.systems.words import gettext_noop

CLAUSES = {
    "time-controls": gettext_noop(
        "Rated are games with the time controls listed above; without such a list, all."
    ),
    "beginning": gettext_noop(
        "A newcomer is shown as 1200, and counts as 1200 for opponents, until the 6th rated game is completed."
    ),
    "first-20-games": gettext_noop(
        "After each of games 6 to 20 the rating is the average over all games so far of: the opponent's rating, "
        "400 more "
        "for a win, 400 less for a loss; 200 where the opponent is provisional (fewer than 20 rated games "
        "before this one)."
    ),
    "elo": gettext_noop("From game 21 on the Elo formula holds, with K 20 for everybody."),
    "higher-rating": gettext_noop(
        "A rating counts with the higher of its values at the start and at the end of the game."
    ),
    "D-50": gettext_noop(
        "E = 1 / (1 + 10^((opponent - own) / 400)), both with the higher of their two ratings; K times (score - "
        "E) is "
        "added to the rating at the end of the game, and the sum is rounded."
    ),
    "D-51": gettext_noop("A game of two or fewer single moves, of either side, is recorded and not rated."),
    "D-52": gettext_noop(
        "The floor is the highest rating ever shown less 200, rounded down to a hundred; it has no effect during the "
        "first 20 games."
    ),
    "floor": gettext_noop("A rating that falls under its floor is reset to the floor."),
    "floor-90-days": gettext_noop(
        "When a rating has stayed within 30 points of its floor for 90 days, the floor falls by 100 and the "
        "count starts "
        "over. A new highest rating sets the floor anew."
    ),
    "late": FOA["late"],
    "cancelled": FOA["cancelled"],
}
PLACES = {
    "unrated-time-control": "time-controls",
    "opponent-rating": "higher-rating",
    "opponent-established": "first-20-games",
    "opponent-provisional": "first-20-games",
    "average-first-20-games": "first-20-games",
    "shown-1200-first-5-games": "beginning",
    "provisional-rating": "first-20-games",
    "floor-reset": "floor",
    "floor-reduced-90-days": "floor-90-days",
    "new-highest": "D-52",
    "cancelled-change": "cancelled",
    "cancelled-nothing": "cancelled",
}
