"""The regulations of the FIDE Online Arena (RBB) as the portal applies them."""

from __future__ import annotations

from ratings.systems.words import gettext_noop

CLAUSES = {
    "1.1": gettext_noop(
        "Ratings are for games between full members; rapid, blitz and bullet each have their own."
    ),
    "1.4": gettext_noop(
        "A list can be asked for at any time; it takes in everything up to the last result before the request. A "
        "list is published every month, too."
    ),
    "2.1": gettext_noop(
        "Only full members play rated games. Any other game is recorded without a rating change."
    ),
    "2.3": gettext_noop(
        "Rated games have one of the time controls listed above; any other game is not rated."
    ),
    "2.4": gettext_noop(
        "A player who is disconnected and does not return within 60 seconds has lost, whatever the position."
    ),
    "3.1": gettext_noop("Ratings and their changes have two decimals."),
    "3.2": gettext_noop("The floor is 100 points."),
    "3.3": gettext_noop(
        "A rating that drops under 100 is lost, in that category only; it has to be found anew as by 3.6 and 3.7."
    ),
    "3.4.1": gettext_noop(
        "A first rapid rating is that of the FIDE rapid list in force on joining, else the standard one."
    ),
    "3.4.2": gettext_noop(
        "A first blitz rating is that of the FIDE blitz list in force on joining, else rapid, else standard."
    ),
    "3.4.3": gettext_noop(
        "A first bullet rating is that of the FIDE blitz list in force on joining, else rapid, else standard."
    ),
    "3.5": gettext_noop("A member whom no FIDE list gives a rating is unrated."),
    "3.6": gettext_noop("Games between two unrated members count for nothing."),
    "3.6.1": gettext_noop(
        "The first target of an unrated member: a draw or a win against a rated opponent. Losses before it do "
        "not count."
    ),
    "3.6.2": gettext_noop("The second target: four more games against rated opponents."),
    "3.7.1": gettext_noop("Ra is the average rating of the five opponents, each as it was before the game."),
    "3.7.2": gettext_noop("The first rating has two decimals, .005 rounded up."),
    "3.7.3": gettext_noop("With half of the points the first rating is Ra."),
    "3.7.4": gettext_noop("For each half point over that, 20 points are added to Ra."),
    "3.7.5": gettext_noop(
        "Below half of the points, dp of the table for the fractional score is added to Ra; it is negative."
    ),
    "3.8": gettext_noop("A game against an unrated member leaves the rating of the rated one alone."),
    "3.9.1": gettext_noop(
        "The change of a game is the score less the scoring probability (PD) for the difference in rating."
    ),
    "3.9.2": gettext_noop("The new rating is the old one plus K times that."),
    "3.10.1": gettext_noop("K is 20 for rapid and blitz."),
    "3.10.2": gettext_noop("K is 10 for bullet."),
    "3.10.3": gettext_noop(
        "K is 40 for one previously unrated in the category, until 30 rated games are completed."
    ),
    "3.11": gettext_noop("The ratings of both players change when their game is over."),
    "3.12": gettext_noop("Shown is the rating rounded to a whole number."),
    "3.13": gettext_noop("A fraction of .5 is rounded upwards."),
    "3.15": gettext_noop(
        "When a FIDE list is published, each member's unrounded change over the board is added once: rapid to rapid, "
        "blitz to blitz."
    ),
    "D-40": gettext_noop("A first rating under 100 is none: the member stays unrated and starts over."),
    "D-41": gettext_noop(
        "The difference is that of the two exact ratings before the game, rounded to a whole number, half up; "
        "it is not capped at 400."
    ),
    "D-42": gettext_noop(
        "The 30 games are the five behind the first rating and every game between two rated members since. After a "
        "lost rating the count starts anew."
    ),
    "D-43": gettext_noop(
        "Added is K times the sum of the changes, corrections included, rounded half up to two decimals. Imported "
        "lists, initial ratings and members unrated in the category add nothing; no list is added twice."
    ),
    "D-88": gettext_noop(
        "What remains after games are cancelled depends on the games that stand, never on the order of cancelling; a "
        "first rating is calculated anew from them."
    ),
    "late": gettext_noop(
        "Games are rated in the order in which they end. One that arrives after later ones were rated is rated "
        "when it "
        "arrives and marked as late; nothing already shown is calculated again."
    ),
    "cancelled": gettext_noop(
        "A game that is cancelled for fair play stays visible; an entry of its own takes its change off today's "
        "rating."
    ),
}
PLACES = {
    "unrated-time-control": "2.3",
    "cancelled-change": "cancelled",
    "cancelled-undone": "cancelled",
    "cancelled-result": "cancelled",
    "cancelled-nothing": "cancelled",
}
