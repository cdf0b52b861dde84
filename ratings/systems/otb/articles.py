"""What articles and decisions say that all texts of the rapid and blitz regulations share, each in a sentence or two.

A decision (`D-4`) says how a text is read where it is silent or ambiguous. What has a figure of its own stands in the
module of its text.
"""

from __future__ import annotations

from ratings.systems.words import gettext_noop

# Articles that all texts number and word alike, by the numbers of the text of 2024.
ARTICLES: dict[str, str] = {
    "0.1": gettext_noop("A tournament is rated by the regulations in force on its first day."),
    "0.2": gettext_noop(
        "The federation in whose territory a tournament is held registers it, three days or more before it "
        "starts. The chair of the Qualification Commission (QC) may allow a later registration and decides on "
        "every hybrid tournament; FIDE Council, or the President where the average rating exceeds 2700, may have "
        "a tournament rated that no federation submitted."
    ),
    "0.3": gettext_noop(
        "Official FIDE and continental events are always rated; their chief arbiter reports them."
    ),
    "0.4": gettext_noop(
        "FIDE may decide not to rate a tournament; its organiser may appeal to FIDE Council within seven days."
    ),
    "1.1": gettext_noop(
        "Rapid: more than 10 and less than 60 minutes for 60 moves. Blitz: more than 3 and at most 10 minutes."
    ),
    "1.2": gettext_noop("Games in which the players have different playing times are not rated."),
    "3.1": gettext_noop("At most 15 rounds of rapid or 30 rounds of blitz a day."),
    "4.1": gettext_noop(
        "Unplayed games do not count. A game in which both players made a move does, save for force majeure and "
        "Fair Play."
    ),
    "5.1": gettext_noop("A match in which one player is unrated is not rated."),
    "5.2": gettext_noop(
        "Games played after one player has won a match are not rated, unless asked for beforehand."
    ),
    "6.1": gettext_noop(
        "On the first day of each month a list is prepared: the previous list and all rated play of the period."
    ),
    "6.1.2": gettext_noop(
        "Published for each rated player: title, federation, rating, ID number, rated games of the period, year of "
        "birth, sex and the current K."
    ),
    "6.1.3": gettext_noop(
        "The closing date is three days before the list; an official FIDE event may end on the day before it."
    ),
    "6.2.1": gettext_noop(
        "A player whose rating drops below the lowest one published is unrated from the next list on."
    ),
    "6.2.2": gettext_noop("Without a rated game for a year a player is inactive; one rated game ends that."),
    "7.1.1": gettext_noop("The table that turns a fractional score p into a rating difference dp."),
    "7.1.2": gettext_noop("The table that turns a rating difference D into a scoring probability PD."),
    "7.2.1": gettext_noop(
        "A player without a rating of the kind but with a standard rating at the start counts as rated, by the "
        "standard rating."
    ),
    "7.2.2": gettext_noop("If an unrated player scores zero in their first event, it is disregarded."),
    "7.2.5": gettext_noop(
        "One who was unrated at the start but has a published rating when the tournament is rated, is rated from "
        "it; for the opponents they stay unrated."
    ),
    "7.3.2": gettext_noop(
        "The change of a game is the score minus PD; the sum of these times K is the rating change."
    ),
    "7.3.4": gettext_noop(
        "The rating change of a period is rounded to the nearest whole number, 0.5 away from zero."
    ),
    "8.1": gettext_noop(
        "The chief arbiter hands the report to the federation's rating officer, who uploads it. Submitted after "
        "the third list after its end, a tournament is never rated."
    ),
    "8.2": gettext_noop("The regulations of a rated event say that it will be rated."),
    "8.4": gettext_noop("The report of a hybrid tournament comes with the PGN of its games."),
    "9.1": gettext_noop(
        "Listed are players of federations that are members of FIDE and not excluded, unless Council approved "
        "otherwise."
    ),
    "9.2": gettext_noop("Federations report the deaths of their players to FIDE."),
}

# Readings of the project that rest on no figure of one text.
DECISIONS: dict[str, str] = {
    "D-1": gettext_noop(
        "Ratings and K of all players come from the newest list dated on or before the tournament's first day."
    ),
    "D-2": gettext_noop(
        "A player's own status is that on the list before the one that takes the tournament, whenever it is looked at."
    ),
    "D-5": gettext_noop(
        "One rated by the standard rating gets it plus the change as first rating of the kind; of several "
        "tournaments on a list the earliest gives the base."
    ),
    "D-6": gettext_noop(
        "The first event is the first by list, then start, end and event ID, with a game against a rated opponent "
        "since the player last was rated."
    ),
    "D-7": gettext_noop("The fractional score p is rounded to hundredths, half up; Ra is not rounded."),
    "D-8": gettext_noop("A pool that mixes both texts is calculated by that of its newest event."),
    "D-11": gettext_noop(
        "A published list is never altered. When a report is corrected afterwards, earlier lists are calculated "
        "again and each player's difference goes into the next list, with its own line."
    ),
    "D-12": gettext_noop(
        "Ratings, games and K of an imported list are in force for its month; what it does not say is inferred."
    ),
    "D-15": gettext_noop(
        "While a federation is excluded its players keep rating, games and pool, but count as unrated, and results "
        "that would go into a list of that time count for nothing of their own."
    ),
    "D-16": gettext_noop("A report with more rounds a day than allowed is refused."),
    "D-17": gettext_noop("A match is won with more than half of the points of its scheduled games."),
    "D-18": gettext_noop("What was submitted in time but accepted later goes into the next list."),
    "D-19": gettext_noop("A deceased player leaves the list with the next one."),
    "D-21": gettext_noop(
        "A player rated by a standard rating has the K of one without a completed game of the kind."
    ),
    "D-22": gettext_noop("Whoever falls below the lowest rating published starts anew, with an empty pool."),
}
