"""What each reason key of `chess-online` says; `MESSAGES[step.key] % step.figures` is the sentence."""

from __future__ import annotations

from ratings.systems.words import gettext_noop

MESSAGES = {
    "short-game-D-51": gettext_noop(
        "Not rated: a game of %(moves)s moves; 2 or fewer, of either side, have no effect."
    ),
    "opponent-rating": gettext_noop(
        "The opponent counts as %(counted)s, the higher of the ratings at the start and at the end."
    ),
    "opponent-established": gettext_noop(
        "%(contribution)s for this game: %(opponent)s %(swing)+d, an established opponent."
    ),
    "opponent-provisional": gettext_noop(
        "%(contribution)s for this game: %(opponent)s %(swing)+d; the opponent is provisional, with %(games)s games."
    ),
    "average-first-20-games": gettext_noop(
        "Average of the games so far: %(total)s / %(games)s = %(average)s."
    ),
    "shown-1200-first-5-games": gettext_noop("Shown as %(rating)s until the 6th rated game is completed."),
    "provisional-rating": gettext_noop(
        "Provisional rating after %(games)s of the first 20 games: from %(before)s to %(after)s."
    ),
    "expectation-D-50": gettext_noop(
        "Expected score %(expectation)s: own rating %(own)s, the higher of those at the start and at the end, "
        "against %(opponent)s."
    ),
    "change-D-50": gettext_noop(
        "K = %(k)s, score %(score)s: %(change)s added to %(before)s, the rating at the end of the game, and rounded: "
        "%(after)s."
    ),
    "floor-reset": gettext_noop(
        "This is under the floor of %(floor)s (highest rating %(highest)s): reset to the floor."
    ),
    "floor-without-effect-D-52": gettext_noop(
        "The floor of %(floor)s has no effect during the first 20 games."
    ),
    "floor-reduced-90-days": gettext_noop(
        "Since %(since)s the rating has stayed within 30 points of the floor, for 90 days: on %(day)s the floor fell "
        "to %(floor)s."
    ),
    "new-highest": gettext_noop("A new highest rating, %(highest)s: the floor is %(floor)s."),
    "cancelled-change": gettext_noop("A game was cancelled: from %(before)s by %(change)s to %(after)s."),
    "cancelled-nothing": gettext_noop("A game was cancelled: nothing of it is left to take off the rating."),
}
