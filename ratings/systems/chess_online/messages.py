"""What each reason key of `chess-online` says; `MESSAGES[step.key] % step.figures` is the sentence."""

from __future__ import annotations

from ratings.systems.words import gettext_noop

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
