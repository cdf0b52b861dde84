"""The sentences that all texts of the rapid and blitz regulations share: reasons, articles and decisions.

A decision (`D-4`) is an interpretation where a text is silent or ambiguous. Sentences with figures of one text are in
the module of that text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from ratings.systems.words import About, Reason, gettext_noop


@dataclass(frozen=True, slots=True, kw_only=True)
class Clauses:
    """The articles of a text behind the figures that pages show; by default those of the text of 2024."""

    version: str = "0.1"
    previous_list: str = "6.1"
    published: str = "6.1.2"
    pool: str = "6.1.4"
    below_floor: str = "6.2.1"
    activity: str = "6.2.2"
    dp_table: str = "7.1.1"
    pd_table: str = "7.1.2"
    standard_rating: str = "7.2.1"
    first_event: str = "7.2.2"
    average: str = "7.2.3"
    initial: str = "7.2.4"
    rated_meanwhile: str = "7.2.5"
    difference: str = "7.3.1"
    change: str = "7.3.2"
    k: str = "7.3.3"
    rounding: str = "7.3.4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The reason keys that a text stores: of games, and of what a list does with a player.

    By default the key names the article of the text of 2024, where a text says the same.
    """

    counted: str = "counted-7.3.2"
    pooled: str = "pooled-6.1.4"
    standard_rating: str = "standard-rating-7.2.1"
    unrated_opponent: str = "unrated-opponent-7.3.1"
    forfeit: str = "forfeit-4.1"
    bye: str = "bye-4.1"
    no_move: str = "no-move-4.1"
    unplayed: str = "unplayed-4.1"
    force_majeure: str = "force-majeure-4.1"
    fair_play: str = "fair-play-4.1"
    unequal_times: str = "unequal-times-1.2"
    match_unrated: str = "match-unrated-5.1"
    match_decided: str = "match-decided-5.2"
    disregarded: str = "disregarded-7.2.2"
    lapsed: str = "lapsed-6.1.4"
    change: str = "change-7.3.4"
    unchanged: str = "unchanged-6.1"
    first_by_standard: str = "first-by-standard-7.2.1"
    below_floor: str = "below-floor-6.2.1"
    initial: str = "initial-7.2.4"
    initial_below_floor: str = "initial-below-floor-6.1.4"
    no_game: str = "no-game-6.1.4"


# Of the texts of 2022 and 2024, which have these figures in common.
CAPPED = Reason(
    "capped-7.3.1",
    About.GAME,
    counts=True,
    text=gettext_noop("Rating difference capped at 400."),
)
LAPSED = Reason(
    "lapsed-6.1.4",
    About.GAME,
    counts=False,
    text=gettext_noop("Started more than 26 months before the list, so it is not counted."),
)
# What the keys of any text mean, as far as the sentence has no figure: of what, whether it counts, the sentences.
_MEANINGS = {
    (About.GAME, True): {
        "counted": gettext_noop("Rated: score minus expected score."),
        "pooled": gettext_noop("Counts towards an initial rating."),
        "standard_rating": gettext_noop("The standard rating of one of the two players is used."),
    },
    (About.GAME, False): {
        "unrated_opponent": gettext_noop("The opponent was unrated at the start of the tournament."),
        "forfeit": gettext_noop("Forfeit: the game was not played."),
        "bye": gettext_noop("No opponent in this round."),
        "no_move": gettext_noop("Ended before both players had made a move."),
        "unplayed": gettext_noop("Not played."),
        "force_majeure": gettext_noop("Not rated by decision: force majeure."),
        "fair_play": gettext_noop("Not rated by decision: Fair Play regulations."),
        "unequal_times": gettext_noop("The players had different playing times."),
        "match_unrated": gettext_noop("Match with an unrated player."),
        "match_decided": gettext_noop("Played after the match was decided."),
        "disregarded": gettext_noop("No points in the first tournament, so it is not counted."),
    },
    (About.LIST, True): {
        "change": gettext_noop("The rounded change was added to the previous rating."),
        "first_by_standard": gettext_noop("Initial rating: standard rating plus the change."),
        "initial": gettext_noop("Initial rating from the counted games."),
    },
    (About.LIST, False): {
        "unchanged": gettext_noop("No rated game: the rating does not change."),
        "below_floor": gettext_noop(
            "The rating fell below the published minimum, so the player is now unrated."
        ),
        "initial_below_floor": gettext_noop(
            "The initial rating would be below the lowest published rating: still unrated, the games are kept."
        ),
        "no_game": gettext_noop("No game against a rated opponent: unrated."),
    },
}

# The results of lists that corrections and mergers lead to (D-11).
CORRECTION, CORRECTED_FIRST = "correction-D-11", "corrected-first-D-11"
INITIAL_LOST, JOINED, MERGED = "initial-lost-D-11", "joined-D-11", "merged-D-11"
# Reasons that no text numbers otherwise: of registrations, of who is listed, and of the portal's decisions. A result
# of a list may bear the key of a game and means the same: pooled, disregarded, lapsed, excluded, deceased.
_OF_THE_PORTAL = (
    Reason(
        "president-average-0.2",
        About.GAME,
        counts=False,
        text=gettext_noop("The President's decision applies only if the average rating exceeds 2700."),
    ),
    Reason(
        "excluded-9.1",
        About.GAME,
        counts=False,
        text=gettext_noop("The player's federation is not a member of FIDE, or is excluded."),
    ),
    Reason(
        "deceased-9.2",
        About.GAME,
        counts=False,
        text=gettext_noop("The player has died. No game counts on this list."),
    ),
    Reason(
        CORRECTION,
        About.LIST,
        counts=True,
        text=gettext_noop("Only corrections of earlier lists changed the rating."),
    ),
    Reason(
        CORRECTED_FIRST,
        About.LIST,
        counts=True,
        text=gettext_noop("Rated through a correction."),
    ),
    Reason(
        INITIAL_LOST,
        About.LIST,
        counts=False,
        text=gettext_noop("A correction removed the initial rating."),
    ),
    Reason(
        JOINED,
        About.LIST,
        counts=True,
        text=gettext_noop(
            "Another FIDE ID of the same person was merged into this one, with its rating or games."
        ),
    ),
    Reason(
        MERGED,
        About.LIST,
        counts=False,
        text=gettext_noop(
            "Merged into another FIDE ID of the same person, which keeps the rating and games."
        ),
    ),
)


def reasons_of(keys: Keys, own: Iterable[Reason]) -> dict[str, Reason]:
    """Return the reasons of a text by their keys, its own and the common ones: games, K, lists."""
    meanings = {name: (*of, text) for of, texts in _MEANINGS.items() for name, text in texts.items()}
    common = [
        Reason(getattr(keys, item.name), *meanings[item.name])
        for item in fields(keys)
        if item.name in meanings
    ]
    found = sorted([*common, *own, *_OF_THE_PORTAL], key=lambda reason: [*About].index(reason.about))
    return {reason.key: reason for reason in found}


# Articles that all texts number and word alike, by the numbers of the text of 2024.
ARTICLES: dict[str, str] = {
    "0.1": gettext_noop("A tournament is rated by the regulations in effect on its first day."),
    "0.2": gettext_noop(
        "The federation in whose territory a tournament is held registers it 3 days or more before it "
        "starts. The chair of the Qualification Commission (QC) may approve a later registration and "
        "decides on every hybrid tournament. FIDE Council, or the President if the average rating "
        "exceeds 2700, may have a tournament rated that no federation submitted."
    ),
    "0.3": gettext_noop(
        "Official FIDE and continental events are always rated. Their chief arbiter reports them."
    ),
    "0.4": gettext_noop(
        "FIDE may decide not to rate a tournament. Its organiser may appeal to FIDE Council within 7 days."
    ),
    "1.1": gettext_noop(
        "Rapid: more than 10 and less than 60 minutes for 60 moves. Blitz: more than 3 and up to 10 minutes."
    ),
    "1.2": gettext_noop("Games in which the players have different playing times are not rated."),
    "3.1": gettext_noop("At most 15 rapid rounds or 30 blitz rounds a day."),
    "4.1": gettext_noop(
        "Unplayed games do not count. A game in which both players made a move counts, except for "
        "force majeure and Fair Play."
    ),
    "5.1": gettext_noop("A match in which one player is unrated is not rated."),
    "5.2": gettext_noop(
        "Games played after a player has won a match are not rated, unless this was requested beforehand."
    ),
    "6.1": gettext_noop(
        "On the first day of each month a list is prepared from the previous list and all rated games "
        "of the period."
    ),
    "6.1.2": gettext_noop(
        "Published for each rated player: title, federation, rating, ID number, rated games of the period, year of "
        "birth, sex and the current K."
    ),
    "6.1.3": gettext_noop(
        "The closing date is 3 days before the list. An official FIDE event may end on the day before "
        "the list."
    ),
    "6.2.1": gettext_noop(
        "A player whose rating drops below the lowest published rating is unrated from the next list."
    ),
    "6.2.2": gettext_noop("A player without a rated game for a year is inactive. One rated game ends that."),
    "7.1.1": gettext_noop("The table converts a fractional score p to a rating difference dp."),
    "7.1.2": gettext_noop("The table converts a rating difference D to an expected score PD."),
    "7.2.1": gettext_noop(
        "A player without a rating of this type but with a standard rating at the start counts as "
        "rated, with the standard rating."
    ),
    "7.2.2": gettext_noop("If an unrated player scores zero in their first tournament, it is not counted."),
    "7.2.5": gettext_noop(
        "A player who was unrated at the start but has a published rating when the tournament is rated "
        "is rated from it. For the opponents the player stays unrated."
    ),
    "7.3.2": gettext_noop(
        "The change of a game is the score minus PD. The sum of these, times K, is the rating change."
    ),
    "7.3.4": gettext_noop(
        "The rating change of a period is rounded to the nearest whole number, 0.5 away from zero."
    ),
    "8.1": gettext_noop(
        "The chief arbiter sends the report to the federation's rating officer, who uploads it. A "
        "tournament submitted after the third list after its end is never rated."
    ),
    "8.2": gettext_noop("The regulations of a rated event must say that it will be rated."),
    "8.4": gettext_noop("The report of a hybrid tournament must include the PGN of its games."),
    "9.1": gettext_noop(
        "Lists show players of federations that are FIDE members and not excluded, unless FIDE Council "
        "approved otherwise."
    ),
    "9.2": gettext_noop("Federations report the deaths of their players to FIDE."),
}

# Readings of the project that rest on no figure of one text.
DECISIONS: dict[str, str] = {
    "D-1": gettext_noop(
        "Ratings and K of all players come from the latest list dated on or before the tournament's "
        "first day."
    ),
    "D-2": gettext_noop(
        "A player's own status is that on the list before the one that includes the tournament, "
        "whenever it is checked."
    ),
    "D-5": gettext_noop(
        "A player rated by the standard rating gets it plus the change as initial rating of this type. "
        "With several tournaments on a list, the earliest gives the base."
    ),
    "D-6": gettext_noop(
        "The first tournament is the first by list, then start, end and event ID, with a game against "
        "a rated opponent since the player was last rated."
    ),
    "D-7": gettext_noop("The fractional score p is rounded to hundredths, half up. Ra is not rounded."),
    "D-8": gettext_noop(
        "An initial rating from tournaments under both texts is calculated by the text "
        "of the latest tournament."
    ),
    "D-11": gettext_noop(
        "A published list never changes. If a report is corrected later, the lists since then are "
        "recalculated and the next list includes each player's adjustment as a separate line."
    ),
    "D-12": gettext_noop(
        "Ratings, games and K of an imported list apply to its month. Missing values are inferred."
    ),
    "D-15": gettext_noop(
        "While a federation is excluded its players keep rating, games and progress, but count as "
        "unrated. Tournaments that begin in that time never count for them, those that began before it do "
        "(decision D-114)."
    ),
    "D-16": gettext_noop("A report with more rounds a day than allowed is refused."),
    "D-17": gettext_noop("A player wins a match with more than half of the points of its scheduled games."),
    "D-18": gettext_noop(
        "A report that a decision kept from being accepted in time is included in the next list (decision D-128)."
    ),
    "D-19": gettext_noop("A deceased player is removed from the next list."),
    "D-21": gettext_noop(
        "A player rated by a standard rating has the K of a player without a completed game of the "
        "rating type."
    ),
    "D-22": gettext_noop(
        "A player who falls below the lowest published rating starts again, with no games counted."
    ),
    "D-101": gettext_noop(
        "A correction that is undone leaves rating and games as if neither had been made, apart from the "
        "rounding of the lists in between."
    ),
    "D-110": gettext_noop(
        "Whether a player is rated before a list, with which rating, K and progress, is that of the "
        "corrected results, including the corrections of that list. Opponents keep their status and "
        "rating of the start."
    ),
    "D-111": gettext_noop(
        "Official FIDE and continental events, and tournaments that FIDE Council or the President had "
        "rated, have no final deadline. Accepted later, they are included in the next list."
    ),
    "D-112": gettext_noop(
        "Only a published rating has reached 2300 or 2400 (article 7.3.3), never a recalculated one."
    ),
    "D-113": gettext_noop(
        "If an initial rating is calculated on a list on which a tournament counts with the standard "
        "rating, the change of that tournament is added to the initial rating."
    ),
    "D-114": gettext_noop(
        "A tournament that began before the federation was excluded counts for the rating that is kept. "
        "The rating appears again on readmission. A tournament that began while it was excluded never counts."
    ),
    "D-132": gettext_noop(
        "A text can be adopted from a past date by a decision of FIDE Council or its President. Published lists stay "
        "as they are. The next list includes the differences."
    ),
    "D-133": gettext_noop(
        "A formula can adjust all ratings of a list that is not published yet, after the changes of the list and "
        "before the rating floor. Tournaments keep the ratings of the list in effect on their first day."
    ),
}
