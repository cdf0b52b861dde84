"""The sentences that all texts of the rapid and blitz regulations share: reasons, articles and decisions.

A decision (`D-4`) is an interpretation where a text is silent or ambiguous. Sentences with figures of one text are in
the module of that text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ratings.systems.words import About, Reason
from ratings.systems.words import gettext_noop as _

# The concepts behind the figures that pages show, and their articles in the text of 2024.
CLAUSES = {
    "version": "0.1",
    "previous_list": "6.1",
    "published": "6.1.2",
    "floor": "6.1.2",
    "pool": "6.1.4",
    "below_floor": "6.2.1",
    "activity": "6.2.2",
    "dp_table": "7.1.1",
    "pd_table": "7.1.2",
    "standard_rating": "7.2.1",
    "first_event": "7.2.2",
    "average": "7.2.3",
    "initial": "7.2.4",
    "rated_meanwhile": "7.2.5",
    "difference": "7.3.1",
    "change": "7.3.2",
    "k": "7.3.3",
    "rounding": "7.3.4",
}
# Of the texts of 2022 and 2024, which have these figures in common.
CAPPED = Reason("capped-7.3.1", About.GAME, True, _("Rating difference capped at 400."))
LAPSED = Reason(
    "lapsed-6.1.4", About.GAME, False, _("Started more than 26 months before the list, so it is not counted.")
)
# Reasons that all texts give, by the articles of the text of 2024, as far as the sentence has no figure.
_SHARED = (
    Reason("counted-7.3.2", About.GAME, True, _("Rated: score minus expected score.")),
    Reason("pooled-6.1.4", About.GAME, True, _("Counts towards an initial rating.")),
    Reason(
        "standard-rating-7.2.1", About.GAME, True, _("The standard rating of one of the two players is used.")
    ),
    Reason(
        "unrated-opponent-7.3.1",
        About.GAME,
        False,
        _("The opponent was unrated at the start of the tournament."),
    ),
    Reason("forfeit-4.1", About.GAME, False, _("Forfeit: the game was not played.")),
    Reason("bye-4.1", About.GAME, False, _("No opponent in this round.")),
    Reason("no-move-4.1", About.GAME, False, _("Ended before both players had made a move.")),
    Reason("unplayed-4.1", About.GAME, False, _("Not played.")),
    Reason("force-majeure-4.1", About.GAME, False, _("Not rated by decision: force majeure.")),
    Reason("fair-play-4.1", About.GAME, False, _("Not rated by decision: Fair Play regulations.")),
    Reason("unequal-times-1.2", About.GAME, False, _("The players had different playing times.")),
    Reason("match-unrated-5.1", About.GAME, False, _("Match with an unrated player.")),
    Reason("match-decided-5.2", About.GAME, False, _("Played after the match was decided.")),
    Reason(
        "disregarded-7.2.2",
        About.GAME,
        False,
        _("No points against rated opponents in the first tournament, so it is not counted."),
    ),
    Reason("change-7.3.4", About.LIST, True, _("The rounded change was added to the previous rating.")),
    Reason("unchanged-6.1", About.LIST, False, _("No rated game: the rating does not change.")),
    Reason(
        "first-by-standard-7.2.1", About.LIST, True, _("Initial rating: standard rating plus the change.")
    ),
    Reason(
        "below-floor-6.2.1",
        About.LIST,
        False,
        _("The rating fell below the published minimum, so the player is now unrated."),
    ),
    Reason("initial-7.2.4", About.LIST, True, _("Initial rating from the counted games.")),
    Reason(
        "initial-below-floor-6.1.4",
        About.LIST,
        False,
        _(
            "The initial rating would be below the lowest published rating: still unrated, the games are kept."
        ),
    ),
    Reason("no-game-6.1.4", About.LIST, False, _("No game against a rated opponent: unrated.")),
)

# The results of lists that corrections and mergers lead to (D-11).
CORRECTION, CORRECTED_FIRST = "correction-D-11", "corrected-first-D-11"
INITIAL_LOST, JOINED, MERGED = "initial-lost-D-11", "joined-D-11", "merged-D-11"
# Reasons that no text numbers otherwise: of registrations, of who is listed, and of the portal's decisions. A result
# of a list may bear the key of a game and means the same: pooled, disregarded, lapsed, excluded, deceased.
_OF_THE_PORTAL = (
    Reason(
        "president-average-0.2",
        About.GAME,
        False,
        _("The President's decision applies only if the average rating exceeds 2700."),
    ),
    Reason(
        "excluded-9.1",
        About.GAME,
        False,
        _("The player's federation is not a member of FIDE, or is excluded."),
    ),
    Reason("deceased-9.2", About.GAME, False, _("The player has died. No game counts on this list.")),
    Reason(CORRECTION, About.LIST, True, _("Only corrections of earlier lists changed the rating.")),
    Reason(CORRECTED_FIRST, About.LIST, True, _("Rated through a correction.")),
    Reason(INITIAL_LOST, About.LIST, False, _("A correction removed the initial rating.")),
    Reason(
        JOINED,
        About.LIST,
        True,
        _("Another FIDE ID of the same person was merged into this one, with its rating or games."),
    ),
    Reason(
        MERGED,
        About.LIST,
        False,
        _("Merged into another FIDE ID of the same person, which keeps the rating and games."),
    ),
)


def reasons_of(own: Iterable[Reason], articles: Mapping[str, str] | None = None) -> dict[str, Reason]:
    """Return the reasons of a text by their keys, its own and the common ones: games, K, lists.

    `articles` are those of common concepts which the text numbers otherwise than that of 2024.
    """
    numbers = articles or {}
    common = [replace(one, key=f"{one.concept}-{numbers.get(one.concept, one.article)}") for one in _SHARED]
    found = sorted([*common, *own, *_OF_THE_PORTAL], key=lambda reason: [*About].index(reason.about))
    return {reason.key: reason for reason in found}


# Articles that all texts number and word alike, by the numbers of the text of 2024.
ARTICLES: dict[str, str] = {
    "0.1": _("A tournament is rated by the regulations in effect on its first day."),
    "0.2": _(
        "The federation in whose territory a tournament is held registers it 3 days or more before it "
        "starts. The chair of the Qualification Commission (QC) may approve a later registration and "
        "decides on every hybrid tournament. FIDE Council, or the President if the average rating "
        "exceeds 2700, may have a tournament rated that no federation submitted."
    ),
    "0.3": _("Official FIDE and continental events are always rated. Their chief arbiter reports them."),
    "0.4": _(
        "FIDE may decide not to rate a tournament. Its organiser may appeal to FIDE Council within 7 days."
    ),
    "1.1": _(
        "Rapid: more than 10 and less than 60 minutes for 60 moves. Blitz: more than 3 and up to 10 minutes."
    ),
    "1.2": _("Games in which the players have different playing times are not rated."),
    "3.1": _("At most 15 rapid rounds or 30 blitz rounds a day."),
    "4.1": _(
        "Unplayed games do not count. A game in which both players made a move counts, except for "
        "force majeure and Fair Play."
    ),
    "5.1": _("A match in which one player is unrated is not rated."),
    "5.2": _(
        "Games played after a player has won a match are not rated, unless this was requested beforehand."
    ),
    "6.1": _(
        "On the first day of each month a list is prepared from the previous list and all rated games "
        "of the period."
    ),
    "6.1.2": _(
        "Published for each rated player: title, federation, rating, ID number, rated games of the period, year of "
        "birth, sex and the current K."
    ),
    "6.1.3": _(
        "The closing date is 3 days before the list. An official FIDE event may end on the day before "
        "the list."
    ),
    "6.2.1": _(
        "A player whose rating drops below the lowest published rating is unrated from the next list."
    ),
    "6.2.2": _("A player without a rated game for a year is inactive. One rated game ends that."),
    "7.1.1": _("The table converts a fractional score p to a rating difference dp."),
    "7.1.2": _("The table converts a rating difference D to an expected score PD."),
    "7.2.1": _(
        "A player without a rating of this type but with a standard rating at the start counts as "
        "rated, with the standard rating."
    ),
    "7.2.2": _("If an unrated player scores zero in their first tournament, it is not counted."),
    "7.2.5": _(
        "A player who was unrated at the start but has a published rating when the tournament is rated "
        "is rated from it. For the opponents the player stays unrated."
    ),
    "7.3.2": _(
        "The change of a game is the score minus PD. The sum of these, times K, is the rating change."
    ),
    "7.3.4": _("The rating change of a period is rounded to the nearest whole number, 0.5 away from zero."),
    "8.1": _(
        "The chief arbiter sends the report to the federation's rating officer, who uploads it. A "
        "tournament submitted after the third list after its end is never rated."
    ),
    "8.2": _("The regulations of a rated event must say that it will be rated."),
    "8.4": _("The report of a hybrid tournament must include the PGN of its games."),
    "9.1": _(
        "Lists show players of federations that are FIDE members and not excluded, unless FIDE Council "
        "approved otherwise."
    ),
    "9.2": _("Federations report the deaths of their players to FIDE."),
}

# Readings of the project that rest on no figure of one text.
DECISIONS: dict[str, str] = {
    "D-1": _(
        "Ratings and K of all players come from the latest list dated on or before the tournament's "
        "first day."
    ),
    "D-2": _(
        "A player's own status is that on the list before the one that includes the tournament, "
        "whenever it is checked."
    ),
    "D-5": _(
        "A player rated by the standard rating gets it plus the change as initial rating of this type. "
        "With several tournaments on a list, the earliest gives the base."
    ),
    "D-6": _(
        "The first tournament is the first by list, then start, end and event ID, with a game against "
        "a rated opponent since the player was last rated."
    ),
    "D-7": _("The fractional score p is rounded to hundredths, half up. Ra is not rounded."),
    "D-8": _(
        "An initial rating from tournaments under both texts is calculated by the text "
        "of the latest tournament."
    ),
    "D-11": _(
        "A published list never changes. If a report is corrected later, the lists since then are "
        "recalculated and the next list includes each player's adjustment as a separate line."
    ),
    "D-12": _("Ratings, games and K of an imported list apply to its month. Missing values are inferred."),
    "D-15": _(
        "While a federation is excluded its players keep rating, games and progress, but count as "
        "unrated. Tournaments that begin in that time never count for them, those that began before it do "
        "(decision D-114)."
    ),
    "D-16": _("A report with more rounds a day than allowed is refused."),
    "D-17": _("A player wins a match with more than half of the points of its scheduled games."),
    "D-18": _(
        "A report that a decision kept from being accepted in time is included in the next list (decision D-128)."
    ),
    "D-19": _("A deceased player is removed from the next list."),
    "D-21": _(
        "A player rated by a standard rating has the K of a player without a completed game of the "
        "rating type."
    ),
    "D-22": _("A player who falls below the lowest published rating starts again, with no games counted."),
    "D-101": _(
        "A correction that is undone leaves rating and games as if neither had been made, apart from the "
        "rounding of the lists in between."
    ),
    "D-110": _(
        "Whether a player is rated before a list, with which rating, K and progress, is that of the "
        "corrected results, including the corrections of that list. Opponents keep their status and "
        "rating of the start."
    ),
    "D-111": _(
        "Official FIDE and continental events, and tournaments that FIDE Council or the President had "
        "rated, have no final deadline. Accepted later, they are included in the next list."
    ),
    "D-112": _("Only a published rating has reached 2300 or 2400 (article 7.3.3), never a recalculated one."),
    "D-113": _(
        "If an initial rating is calculated on a list on which a tournament counts with the standard "
        "rating, the change of that tournament is added to the initial rating."
    ),
    "D-114": _(
        "A tournament that began before the federation was excluded counts for the rating that is kept. "
        "The rating appears again on readmission. A tournament that began while it was excluded never counts."
    ),
    "D-132": _(
        "A text can be adopted from a past date by a decision of FIDE Council or its President. Published lists stay "
        "as they are. The next list includes the differences."
    ),
    "D-133": _(
        "A formula can adjust all ratings of a list that is not published yet, after the changes of the list and "
        "before the rating floor. Tournaments keep the ratings of the list in effect on their first day."
    ),
}

# The parts of the regulations by their chapters, and what articles and decisions of all texts are called.
CHAPTERS = {
    "0": _("Registration and appeals"),
    "13": _("Time controls and rounds"),
    "45": _("Unplayed games and matches"),
    "6": _("Rating lists"),
    "7": _("Rating calculation"),
    "8": _("Reports"),
    "9": _("Players on the lists"),
}
TITLES = {
    "0.1": _("Regulations that apply"),
    "0.2": _("Registration"),
    "0.3": _("Official events"),
    "0.4": _("Decision not to rate, and appeal"),
    "1.1": _("Rapid and blitz"),
    "1.2": _("Different playing times"),
    "3.1": _("Rounds a day"),
    "4.1": _("Unplayed games"),
    "5.1": _("Match with an unrated player"),
    "5.2": _("Match that is decided"),
    "6.1": _("Monthly list"),
    "6.1.2": _("Published data"),
    "6.1.3": _("Closing date"),
    "6.1.4": _("Games for an initial rating"),
    "6.2.1": _("Below the lowest rating"),
    "6.2.2": _("Inactive players"),
    "7.1.1": _("Rating difference from the score (dp)"),
    "7.1.2": _("Expected score (PD)"),
    "7.2.1": _("Standard rating only"),
    "7.2.2": _("First tournament without points"),
    "7.2.3": _("Average of the opponents (Ra)"),
    "7.23": _("Average of the opponents (Ra)"),
    "7.2.4": _("Initial rating (Ru)"),
    "7.24": _("Initial rating (Ru)"),
    "7.2.5": _("Rated in the meantime"),
    "7.3.1": _("Rated opponents, rating difference (D)"),
    "7.31": _("Large rating difference"),
    "7.3.2": _("Rating change"),
    "7.3.3": _("K-factor"),
    "7.32": _("K-factor"),
    "7.3.4": _("Rounding"),
    "8.1": _("Tournament report"),
    "8.2": _("Announcement"),
    "8.4": _("Report of a hybrid tournament"),
    "9.1": _("Federations on the lists"),
    "9.2": _("Deceased players"),
    "D-1": _("Ratings at the start"),
    "D-2": _("Rated or unrated"),
    "D-3": _("Cap for the lower-rated player"),
    "D-4": _("K-factor on a list"),
    "D-5": _("Standard rating as a base"),
    "D-6": _("First tournament"),
    "D-7": _("Fractional score"),
    "D-8": _("Initial rating under two texts"),
    "D-9": _("Games for an initial rating"),
    "D-10": _("Inactive players"),
    "D-11": _("Corrections"),
    "D-12": _("Imported lists"),
    "D-13": _("Validity of the 2022 text"),
    "D-14": _("Lowest published rating"),
    "D-15": _("Excluded federations"),
    "D-16": _("Too many rounds a day"),
    "D-17": _("Winner of a match"),
    "D-18": _("Late acceptance"),
    "D-19": _("Deceased players"),
    "D-21": _("K-factor with a standard rating"),
    "D-22": _("New start after a lost rating"),
    "D-91": _("Amendment of 7.3.1"),
    "D-101": _("Undone corrections"),
    "D-110": _("Status after a correction"),
    "D-111": _("Events without a final deadline"),
    "D-112": _("Ratings reached"),
    "D-113": _("Initial rating beside a standard rating"),
    "D-114": _("Tournaments around an exclusion"),
    "D-132": _("Text adopted from a past date"),
    "D-133": _("Adjustment of the whole list"),
}
