"""What each reason key of the FIDE Online Arena's ratings says; `MESSAGES[step.key] % step.figures` is the sentence."""

from __future__ import annotations

from ratings.systems.words import gettext_noop

MESSAGES = {
    "unrated-not-full-member-2.1": gettext_noop(
        "Not rated: only full members play rated games, and %(member)s is not one."
    ),
    "unrated-time-control-2.3": gettext_noop("Not rated: %(time_control)s is not a rated time control."),
    "disconnected-2.4": gettext_noop(
        "%(member)s was disconnected for more than %(seconds)s seconds and lost the game."
    ),
    "first-rating-listed-3.4.1": gettext_noop(
        "Initial rapid rating: %(rating)s from the FIDE %(list)s list in effect on joining."
    ),
    "first-rating-listed-3.4.2": gettext_noop(
        "Initial blitz rating: %(rating)s from the FIDE %(list)s list in effect on joining."
    ),
    "first-rating-listed-3.4.3": gettext_noop(
        "Initial bullet rating: %(rating)s from the FIDE %(list)s list in effect on joining."
    ),
    "no-first-rating-3.5": gettext_noop(
        "Unrated: no FIDE list in effect on joining gives an initial rating."
    ),
    "both-unrated-3.6": gettext_noop("Not rated: neither player has a rating in this category."),
    "loss-disregarded-3.6.1": gettext_noop(
        "Lost to a rated opponent (%(opponent)s) before the first draw or win: not counted."
    ),
    "first-target-3.6.1": gettext_noop(
        "Scored %(score)s against a rated opponent (%(opponent)s): first target reached, %(remaining)s "
        "more games against rated opponents give an initial rating."
    ),
    "second-target-3.6.2": gettext_noop(
        "Scored %(score)s against a rated opponent (%(opponent)s): game %(games)s towards the initial "
        "rating, %(remaining)s to go."
    ),
    "average-3.7.1": gettext_noop("Ra, average rating of the %(games)s opponents: %(average)s."),
    "first-rating-3.7.2": gettext_noop("Initial rating, Ra + %(gain)s, to two decimals: %(rating)s."),
    "even-score-3.7.3": gettext_noop("Half of the points (%(score)s): the initial rating is Ra."),
    "plus-score-3.7.4": gettext_noop(
        "%(half_points)s half points above half of the points, 20 points each: %(gain)s."
    ),
    "minus-score-3.7.5": gettext_noop(
        "Less than half of the points: for p = %(p)s the table gives dp = %(dp)s."
    ),
    "first-rating-under-floor-D-40": gettext_noop(
        "Below the floor of %(floor)s: the member stays unrated and starts again."
    ),
    "unrated-opponent-3.8": gettext_noop("The opponent is unrated: the game does not affect this rating."),
    "difference-D-41": gettext_noop(
        "D = %(difference)s (%(rating)s against %(opponent)s), rounded to a whole number."
    ),
    "change-3.9.1": gettext_noop("Score %(score)s − expected score %(pd)s = %(dr)s"),
    "new-rating-3.9.2": gettext_noop("%(before)s %(change)s = %(after)s."),
    "k20-3.10.1": gettext_noop("K = %(k)s for rapid and blitz."),
    "k10-3.10.2": gettext_noop("K = %(k)s for bullet."),
    "k40-3.10.3": gettext_noop(
        "K = %(k)s: previously unrated in this category, %(games)s of 30 rated games completed."
    ),
    "rating-lost-3.3": gettext_noop(
        "Below the floor of %(floor)s: the rating is lost. The member needs a new initial rating."
    ),
    "adjustment-3.15": gettext_noop(
        "Over-the-board change on the FIDE list of %(list)s: %(before)s %(change)s = %(after)s."
    ),
    "adjustment-unrated-D-43": gettext_noop(
        "The FIDE list of %(list)s adds nothing because the member is unrated in this category."
    ),
    "adjusted-already-D-43": gettext_noop(
        "The FIDE list of %(list)s is already included. Nothing is added twice."
    ),
    "cancelled-change": gettext_noop("Game cancelled: %(before)s %(change)s = %(after)s."),
    "cancelled-undone": gettext_noop("Game cancelled: the rating is the same as before it."),
    "cancelled-anew-D-88": gettext_noop(
        "Game cancelled: the initial rating is calculated from the remaining games."
    ),
    "cancelled-result": gettext_noop(
        "Game cancelled: its result no longer counts towards the initial rating."
    ),
    "cancelled-nothing": gettext_noop(
        "Game cancelled: later games were rated with its result, and they do not change."
    ),
}
