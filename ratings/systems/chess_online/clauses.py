"""The rules of `chess-online` as the portal applies them; the text has no numbers, so that clauses have names."""

from __future__ import annotations

from ratings.systems.foa_rbb.clauses import CLAUSES as FOA
from ratings.systems.words import gettext_noop

CLAUSES = {
    "time-controls": gettext_noop(
        "Games with the time controls listed above are rated. Without such a list, all games are rated."
    ),
    "beginning": gettext_noop(
        "A new player is shown as 1200, and counts as 1200 for opponents, until the 6th rated game is "
        "completed."
    ),
    "first-20-games": gettext_noop(
        "After each of games 6 to 20 the rating is the average over all games so far of the opponent's "
        "rating, plus 400 for a win, minus 400 for a loss (200 if the opponent is provisional, with "
        "fewer than 20 rated games before this one)."
    ),
    "elo": gettext_noop("From game 21 the Elo formula applies, with K = 20 for everyone."),
    "higher-rating": gettext_noop(
        "The rating used is the higher of the ratings at the start and at the end of the game."
    ),
    "D-50": gettext_noop(
        "E = 1 / (1 + 10^((opponent - own) / 400)), each with the higher of their two ratings. K × "
        "(score - E) is added to the rating at the end of the game, and the sum is rounded."
    ),
    "D-51": gettext_noop("A game of two or fewer single moves in all is recorded but not rated."),
    "D-52": gettext_noop(
        "The floor is the highest rating ever shown minus 200, rounded down to a multiple of 100. It "
        "has no effect during the first 20 games."
    ),
    "floor": gettext_noop("A rating that falls below its floor is reset to the floor."),
    "floor-90-days": gettext_noop(
        "If a rating stays within 30 points of its floor for 90 days, the floor falls by 100 and the "
        "count restarts. A new highest rating sets a new floor."
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
