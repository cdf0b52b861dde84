"""The regulations of the FIDE Online Arena (RBB) as the portal applies them."""

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
    "3.6.2": gettext_noop("Second target: four more games against rated opponents."),
    "3.7.1": gettext_noop("Ra is the average rating of the five opponents, each before the game."),
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
    "D-40": gettext_noop(
        "An initial rating below 100 is not given. The member stays unrated and starts again."
    ),
    "D-41": gettext_noop(
        "The difference is that of the two exact ratings before the game, rounded to a whole number, "
        "half up. It is not capped at 400."
    ),
    "D-42": gettext_noop(
        "The 30 games are the five behind the initial rating and every game between two rated members "
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
