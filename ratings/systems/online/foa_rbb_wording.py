"""The regulations of the FIDE Online Arena (RBB) as the portal applies them, in words, and their reasons.

`MESSAGES[step.key] % step.figures` is the sentence of a reason.
"""

from __future__ import annotations

from ratings.systems.words import gettext_noop as _

CLAUSES = {
    "1.1": _(
        "Ratings are for games between full members. Rapid, blitz and bullet each have a separate rating."
    ),
    "1.4": _(
        "A list can be requested at any time. It includes everything up to the last result before the "
        "request. A list is also published every month."
    ),
    "2.1": _("Only full members play rated games. Any other game is recorded without a rating change."),
    "2.3": _("Rated games have a time control of the settings. Other games are not rated."),
    "2.4": _(
        "A player who is disconnected and does not return within 60 seconds loses, whatever the position."
    ),
    "3.1": _("Ratings and their changes have two decimals."),
    "3.2": _("The rating floor is 100 points."),
    "3.3": _(
        "A rating that drops below 100 is lost in that category only. The member then needs a new "
        "initial rating (articles 3.6 and 3.7)."
    ),
    "3.4.1": _(
        "An initial rapid rating is taken from the FIDE rapid list in effect on joining, otherwise standard."
    ),
    "3.4.2": _(
        "An initial blitz rating is taken from the FIDE blitz list in effect on joining, otherwise "
        "rapid, otherwise standard."
    ),
    "3.4.3": _(
        "An initial bullet rating is taken from the FIDE blitz list in effect on joining, otherwise "
        "rapid, otherwise standard."
    ),
    "3.5": _("A member without a rating on any FIDE list is unrated."),
    "3.6": _("Games between two unrated members are not rated."),
    "3.6.1": _(
        "First target for an unrated member: a draw or a win against a rated opponent. Losses before "
        "it do not count."
    ),
    "3.6.2": _("Second target: 4 more games against rated opponents."),
    "3.7.1": _("Ra is the average rating of the 5 opponents, each before the game."),
    "3.7.2": _("The initial rating has two decimals, .005 rounded up."),
    "3.7.3": _("With half of the points the initial rating is Ra."),
    "3.7.4": _("For each half point above that, 20 points are added to Ra."),
    "3.7.5": _(
        "Below half of the points, the negative dp from the table for the fractional score is added to Ra."
    ),
    "3.8": _("A game against an unrated member does not change the rating of the rated member."),
    "3.9.1": _("The change of a game is the score minus the expected score (PD) for the rating difference."),
    "3.9.2": _("The new rating is the old rating plus K times that."),
    "3.10.1": _("K is 20 for rapid and blitz."),
    "3.10.2": _("K is 10 for bullet."),
    "3.10.3": _(
        "K is 40 for a player previously unrated in the category, until 30 rated games are completed."
    ),
    "3.11": _("Both ratings change when the game ends."),
    "3.12": _("The rating shown is rounded to a whole number."),
    "3.13": _("A fraction of .5 is rounded up."),
    "3.15": _(
        "When a FIDE list is published, each member's unrounded over-the-board change is added once: "
        "rapid to rapid, blitz to blitz."
    ),
    "D-40": _("A member whose initial rating would be below 100 stays unrated and starts again."),
    "D-41": _(
        "The difference is that of the two exact ratings before the game, rounded to a whole number, "
        "half up. It is not capped at 400."
    ),
    "D-42": _(
        "The 30 games are the 5 games of the initial rating and every game between two rated members "
        "since. After a lost rating the count restarts."
    ),
    "D-43": _(
        "K × the sum of the changes, corrections included, is added, rounded half up to two decimals. "
        "Imported lists, initial ratings and members unrated in the category add nothing. No list is "
        "added twice."
    ),
    "D-88": _(
        "What remains after games are cancelled depends on the remaining games only, never on the "
        "order of cancelling. An initial rating is calculated again from them."
    ),
    "late": _(
        "Games are rated in the order in which they end. A late game is rated when it arrives and "
        "marked as late. Nothing already shown is recalculated."
    ),
    "cancelled": _(
        "A game cancelled for fair play stays visible. A separate entry removes its change from "
        "today's rating."
    ),
}
PLACES = {
    "unrated-time-control": "2.3",
    "cancelled-change": "cancelled",
    "cancelled-undone": "cancelled",
    "cancelled-result": "cancelled",
    "cancelled-nothing": "cancelled",
}


MESSAGES = {
    "unrated-not-full-member-2.1": _(
        "Not rated: %(member)s is not a full member. Only full members play rated games."
    ),
    "unrated-time-control-2.3": _("Not rated: %(time_control)s is not a rated time control."),
    "disconnected-2.4": _("%(member)s was disconnected for more than %(seconds)s seconds and lost the game."),
    "first-rating-listed-3.4.1": _(
        "Initial rapid rating: %(rating)s from the FIDE %(list)s list in effect on joining."
    ),
    "first-rating-listed-3.4.2": _(
        "Initial blitz rating: %(rating)s from the FIDE %(list)s list in effect on joining."
    ),
    "first-rating-listed-3.4.3": _(
        "Initial bullet rating: %(rating)s from the FIDE %(list)s list in effect on joining."
    ),
    "no-first-rating-3.5": _("Unrated: no FIDE list in effect on joining gives an initial rating."),
    "both-unrated-3.6": _("Not rated: neither player has a rating in this category."),
    "loss-disregarded-3.6.1": _(
        "Lost to a rated opponent (%(opponent)s) before the first draw or win: not counted."
    ),
    "first-target-3.6.1": _(
        "Scored %(score)s against a rated opponent (%(opponent)s): first target reached, %(remaining)s "
        "more games against rated opponents give an initial rating."
    ),
    "second-target-3.6.2": _(
        "Scored %(score)s against a rated opponent (%(opponent)s): game %(games)s towards the initial "
        "rating, %(remaining)s more needed."
    ),
    "average-3.7.1": _("Ra, average rating of the %(games)s opponents: %(average)s."),
    "first-rating-3.7.2": _("Initial rating, Ra + %(gain)s, to two decimals: %(rating)s."),
    "even-score-3.7.3": _("Half of the points (%(score)s): the initial rating is Ra."),
    "plus-score-3.7.4": _("%(half_points)s half points above half of the points, 20 points each: %(gain)s."),
    "minus-score-3.7.5": _("Less than half of the points: for p = %(p)s the table gives dp = %(dp)s."),
    "first-rating-under-floor-D-40": _(
        "Below the floor of %(floor)s: the member stays unrated and starts again."
    ),
    "unrated-opponent-3.8": _("The opponent is unrated: the game does not affect this rating."),
    "difference-D-41": _("D = %(difference)s (%(rating)s against %(opponent)s), rounded to a whole number."),
    "change-3.9.1": _("Score %(score)s − expected score %(pd)s = %(dr)s"),
    "new-rating-3.9.2": _("%(before)s %(term)s = %(after)s."),
    "k20-3.10.1": _("K = %(k)s for rapid and blitz."),
    "k10-3.10.2": _("K = %(k)s for bullet."),
    "k40-3.10.3": _("K = %(k)s: previously unrated in this category, %(games)s of 30 rated games completed."),
    "rating-lost-3.3": _(
        "Below the floor of %(floor)s: the rating is lost. The member needs a new initial rating."
    ),
    "adjustment-3.15": _(
        "Over-the-board change on the FIDE list of %(list)s: %(before)s %(term)s = %(after)s."
    ),
    "adjustment-unrated-D-43": _(
        "The FIDE list of %(list)s adds nothing because the member is unrated in this category."
    ),
    "adjusted-already-D-43": _("The FIDE list of %(list)s is already included. Nothing is added twice."),
    "cancelled-change": _("Game cancelled: %(before)s %(term)s = %(after)s."),
    "cancelled-undone": _("Game cancelled: the rating is the same as before it."),
    "cancelled-anew-D-88": _("Game cancelled: the initial rating is calculated from the remaining games."),
    "cancelled-result": _("Game cancelled: its result no longer counts towards the initial rating."),
    "cancelled-nothing": _("Game cancelled: later games were rated with its result, and they do not change."),
}
