"""What each reason key of `flyordie` says; `MESSAGES[step.key] % step.figures` is the sentence."""

from __future__ import annotations

from ratings.systems.words import gettext_noop

MESSAGES = {
    "k-band": gettext_noop("K = %(k)s at a rating of %(rating)s."),
    "expectation": gettext_noop(
        "We = %(expectation)s for a difference of %(difference)s before the series' first game."
    ),
    "series-D-60": gettext_noop(
        "Game %(games)s of the series: K is multiplied by %(factor)s; the score so far is %(score)s."
    ),
    "provisional-weight-D-61": gettext_noop(
        "The opponent is provisional (~) with %(games)s matches: weight %(weight)s."
    ),
    "change-D-60": gettext_noop(
        "The series gives %(exact)s, rounded %(total)s; less %(given)s from its earlier games: %(change)s."
    ),
    "floor-0": gettext_noop("A rating does not fall below 0."),
    "new-rating": gettext_noop("From %(before)s to %(after)s."),
    "daily-reduction": gettext_noop(
        "Daily reduction of %(day)s: %(rating)s squared / 125000, rounded up: %(amount)s."
    ),
    "cancelled-change": gettext_noop("A game was cancelled: from %(before)s by %(change)s to %(after)s."),
}
