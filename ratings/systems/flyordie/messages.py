"""What each reason key of `flyordie` says; `MESSAGES[step.key] % step.figures` is the sentence."""

from __future__ import annotations

from ratings.systems.words import gettext_noop

MESSAGES = {
    "k-band": gettext_noop("K = %(k)s at a rating of %(rating)s."),
    "expectation": gettext_noop(
        "We = %(expectation)s for a difference of %(difference)s before the first game of the series."
    ),
    "series-D-60": gettext_noop(
        "Game %(games)s of the series: K is multiplied by %(factor)s. Score so far: %(score)s."
    ),
    "provisional-weight-D-61": gettext_noop(
        "The opponent is provisional (~) with %(games)s matches: weight %(weight)s."
    ),
    "change-D-60": gettext_noop(
        "The series gives %(exact)s, rounded %(total)s, minus %(given)s from its earlier games: %(change)s."
    ),
    "floor-0": gettext_noop("A rating cannot fall below 0."),
    "new-rating": gettext_noop("%(before)s becomes %(after)s."),
    "daily-reduction": gettext_noop(
        "Daily decay for %(day)s: %(rating)s squared / 125000, rounded up: %(amount)s."
    ),
    "cancelled-change": gettext_noop("Game cancelled: %(before)s %(change)s = %(after)s."),
}
