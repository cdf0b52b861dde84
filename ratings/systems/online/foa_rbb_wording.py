"""The regulations of the FIDE Online Arena (RBB) as the portal applies them, in words, and their reasons.

`MESSAGES[step.key] % step.figures` is the sentence of a reason.
"""

from __future__ import annotations

from ratings.systems.words import gettext_noop

CLAUSES = {
    "1.1": gettext_noop(
        "Ratings are for games between full members. Rapid, blitz and bullet each have a separate rating."
    ),
    "1.4": gettext_noop(
        "A list can be requested at any time. It includes everything up to the last result before the "
        "request. A list is also published every month."
    ),
    "2.1": gettext_noop(
        "Only full members play rated games. Any other game is recorded without a rating change."
    ),
    "2.3": gettext_noop("Rated games have one of the time controls listed above. Other games are not rated."),
    "2.4": gettext_noop(
        "A player who is disconnected and does not return within 60 seconds loses, whatever the position."
    ),
    "3.1": gettext_noop("Ratings and their changes have two decimals."),
    "3.2": gettext_noop("The rating floor is 100 points."),
    "3.3": gettext_noop(
        "A rating that drops below 100 is lost in that category only. The member then needs a new "
        "initial rating (articles 3.6 and 3.7)."
    ),
    "3.4.1": gettext_noop(
        "An initial rapid rating is taken from the FIDE rapid list in effect on joining, otherwise standard."
    ),
    "3.4.2": gettext_noop(
        "An initial blitz rating is taken from the FIDE blitz list in effect on joining, otherwise "
        "rapid, otherwise standard."
    ),
    "3.4.3": gettext_noop(
        "An initial bullet rating is taken from the FIDE blitz list in effect on joining, otherwise "
        "rapid, otherwise standard."
    ),
    "3.5": gettext_noop("A member without a rating on any FIDE list is unrated."),
    "3.6": gettext_noop("Games between two unrated members are not rated."),
    "3.6.1": gettext_noop(
        "First target for an unrated member: a draw or a win against a rated opponent. Losses before "
        "it do not count."
    ),
    "3.6.2": gettext_noop("Second target: 4 more games against rated opponents."),
    "3.7.1": gettext_noop("Ra is the average rating of the 5 opponents, each before the game."),
    "3.7.2": gettext_noop("The initial rating has two decimals, .005 rounded up."),
    "3.7.3": gettext_noop("With half of the points the initial rating is Ra."),
    "3.7.4": gettext_noop("For each half point above that, 20 points are added to Ra."),
    "3.7.5": gettext_noop(
        "Below half of the points, the negative dp from the table for the fractional score is added to Ra."
    ),
    "3.8": gettext_noop("A game against an unrated member does not change the rating of the rated member."),
    "3.9.1": gettext_noop(
        "The change of a game is the score minus the expected score (PD) for the rating difference."
    ),
    "3.9.2": gettext_noop("The new rating is the old rating plus K times that."),
    "3.10.1": gettext_noop("K is 20 for rapid and blitz."),
    "3.10.2": gettext_noop("K is 10 for bullet."),
    "3.10.3": gettext_noop(
        "K is 40 for a player previously unrated in the category, until 30 rated games are completed."
    ),
    "3.11": gettext_noop("Both ratings change when the game ends."),
    "3.12": gettext_noop("The rating shown is rounded to a whole number."),
    "3.13": gettext_noop("A fraction of .5 is rounded up."),
    "3.15": gettext_noop(
        "When a FIDE list is published, each member's unrounded over-the-board change is added once: "
        "rapid to rapid, blitz to blitz."
    ),
    "D-40": gettext_noop("A member whose initial rating would be below 100 stays unrated and starts again."),
    "D-41": gettext_noop(
        "The difference is that of the two exact ratings before the game, rounded to a whole number, "
        "half up. It is not capped at 400."
    ),
    "D-42": gettext_noop(
        "The 30 games are the 5 games of the initial rating and every game between two rated members "
        "since. After a lost rating the count restarts."
    ),
    "D-43": gettext_noop(
        "K × the sum of the changes, corrections included, is added, rounded half up to two decimals. "
        "Imported lists, initial ratings and members unrated in the category add nothing. No list is "
        "added twice."
    ),
    "D-88": gettext_noop(
        "What remains after games are cancelled depends on the remaining games only, never on the "
        "order of cancelling. An initial rating is calculated again from them."
    ),
    "late": gettext_noop(
        "Games are rated in the order in which they end. A late game is rated when it arrives and "
        "marked as late. Nothing already shown is recalculated."
    ),
    "cancelled": gettext_noop(
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
    "unrated-not-full-member-2.1": gettext_noop(
        "Not rated: %(member)s is not a full member. Only full members play rated games."
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
        "rating, %(remaining)s more needed."
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
    "new-rating-3.9.2": gettext_noop("%(before)s %(term)s = %(after)s."),
    "k20-3.10.1": gettext_noop("K = %(k)s for rapid and blitz."),
    "k10-3.10.2": gettext_noop("K = %(k)s for bullet."),
    "k40-3.10.3": gettext_noop(
        "K = %(k)s: previously unrated in this category, %(games)s of 30 rated games completed."
    ),
    "rating-lost-3.3": gettext_noop(
        "Below the floor of %(floor)s: the rating is lost. The member needs a new initial rating."
    ),
    "adjustment-3.15": gettext_noop(
        "Over-the-board change on the FIDE list of %(list)s: %(before)s %(term)s = %(after)s."
    ),
    "adjustment-unrated-D-43": gettext_noop(
        "The FIDE list of %(list)s adds nothing because the member is unrated in this category."
    ),
    "adjusted-already-D-43": gettext_noop(
        "The FIDE list of %(list)s is already included. Nothing is added twice."
    ),
    "cancelled-change": gettext_noop("Game cancelled: %(before)s %(term)s = %(after)s."),
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
