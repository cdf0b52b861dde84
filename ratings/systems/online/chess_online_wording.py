"""The rules of `chess-online` in words (the text has no numbers, so clauses have names), and its reasons.

`MESSAGES[step.key] % step.figures` is the sentence of a reason.
"""

from __future__ import annotations

from ratings.systems.online.foa_rbb_wording import CLAUSES as FOA
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


MESSAGES = {
    "short-game-D-51": gettext_noop(
        "Not rated: the game has %(moves)s single moves. Games with 2 or fewer are not rated."
    ),
    "opponent-rating": gettext_noop(
        "The opponent counts as %(counted)s, the higher of the ratings at the start and at the end."
    ),
    "opponent-established": gettext_noop(
        "%(contribution)s for this game: %(opponent)s %(swing)+d, established opponent."
    ),
    "opponent-provisional": gettext_noop(
        "%(contribution)s for this game: %(opponent)s %(swing)+d, provisional opponent with %(games)s games."
    ),
    "average-first-20-games": gettext_noop(
        "Average of the games so far: %(total)s / %(games)s = %(average)s."
    ),
    "shown-1200-first-5-games": gettext_noop("Shown as %(rating)s until the 6th rated game is completed."),
    "provisional-rating": gettext_noop(
        "Provisional rating after %(games)s of the first 20 games: %(before)s becomes %(after)s."
    ),
    "expectation-D-50": gettext_noop(
        "Expected score %(expectation)s: own rating %(own)s, the higher of the ratings at the start "
        "and at the end, against %(opponent)s."
    ),
    "change-D-50": gettext_noop(
        "K = %(k)s, score %(score)s: %(change)s added to %(before)s, the rating at the end of the "
        "game, rounded: %(after)s."
    ),
    "floor-reset": gettext_noop(
        "Below the floor of %(floor)s (highest rating %(highest)s): reset to the floor."
    ),
    "floor-without-effect-D-52": gettext_noop(
        "The floor of %(floor)s has no effect during the first 20 games."
    ),
    "floor-reduced-90-days": gettext_noop(
        "The rating has stayed within 30 points of the floor for 90 days since %(since)s, so on "
        "%(day)s the floor fell to %(floor)s."
    ),
    "new-highest": gettext_noop("New highest rating %(highest)s: the floor is %(floor)s."),
    "cancelled-change": gettext_noop("Game cancelled: %(before)s %(change)s = %(after)s."),
    "cancelled-nothing": gettext_noop(
        "Game cancelled: none of its change is left to remove from the rating."
    ),
}
