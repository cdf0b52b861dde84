"""The rules of `flyordie` in words (the text has no numbers, so clauses have names), and its reasons.

`MESSAGES[step.key] % step.figures` is the sentence of a reason.
"""

from __future__ import annotations

from ratings.systems.online.foa_rbb_wording import CLAUSES as FOA
from ratings.systems.words import gettext_noop

CLAUSES = {
    "time-controls": gettext_noop(
        "Games with the time controls listed above are rated. Without such a list, all games are rated."
    ),
    "rating": gettext_noop("A rating is a whole number, 0 or higher. A new player has 0."),
    "k": gettext_noop(
        "K is 32 for ratings up to 2099, 24 for 2100 to 2399 and 16 from 2400. Each player has their own K."
    ),
    "expectation": gettext_noop(
        "The expected score is We = 1 / (10^(-dr / 400) + 1). dr is the own rating minus the "
        "opponent's rating before the first game of the series."
    ),
    "D-60": gettext_noop(
        "Games against one opponent within %(hours)s hours of their first one are a series. After its "
        "n-th game the series gives K x (2 - 1/2^(n-1)) x (W/n - We) in total, rounded, minus the "
        "points from its earlier games."
    ),
    "D-61": gettext_noop(
        "A player with fewer than 20 matches is provisional (~). Against an opponent with m matches "
        "before this one, the change has the weight (m + 1) / 20."
    ),
    "floor": gettext_noop("A rating cannot fall below 0."),
    "reduction": gettext_noop(
        "At the end of each day a rating R loses R x R / 125000, rounded up. Missed days are processed "
        "later in order, and never twice."
    ),
    "late": FOA["late"],
    "cancelled": FOA["cancelled"],
}
PLACES = {
    "unrated-time-control": "time-controls",
    "k-band": "k",
    "expectation": "expectation",
    "floor-0": "floor",
    "new-rating": "rating",
    "daily-reduction": "reduction",
    "cancelled-change": "cancelled",
}


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
