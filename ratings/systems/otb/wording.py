"""What all texts of the rapid and blitz regulations say in the same words, without a figure of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from ratings.systems.words import About, Reason, gettext_noop


@dataclass(frozen=True, slots=True, kw_only=True)
class Clauses:
    """The articles of a text behind the figures that pages show."""

    version: str
    previous_list: str
    published: str
    pool: str
    below_floor: str
    activity: str
    dp_table: str
    pd_table: str
    standard_rating: str
    first_event: str
    average: str
    initial: str
    rated_meanwhile: str
    difference: str
    change: str
    k: str
    rounding: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The reason keys that a text stores: of games, and of what a list does with a player."""

    counted: str
    pooled: str
    standard_rating: str
    unrated_opponent: str
    forfeit: str
    bye: str
    no_move: str
    unplayed: str
    force_majeure: str
    fair_play: str
    unequal_times: str
    match_unrated: str
    match_decided: str
    disregarded: str
    lapsed: str
    change: str
    unchanged: str
    first_by_standard: str
    below_floor: str
    initial: str
    initial_below_floor: str
    no_game: str


# What the keys of any text mean, as far as the sentence has no figure: whether it counts, of what, and the sentence.
_MEANINGS = {
    "counted": (About.GAME, True, gettext_noop("Rated: score minus expected score.")),
    "pooled": (About.GAME, True, gettext_noop("Counts towards an initial rating.")),
    "standard_rating": (
        About.GAME,
        True,
        gettext_noop("One of the two players counts with the standard rating."),
    ),
    "unrated_opponent": (
        About.GAME,
        False,
        gettext_noop("The opponent was unrated at the start of the tournament."),
    ),
    "forfeit": (About.GAME, False, gettext_noop("Forfeit: the game was not played.")),
    "bye": (About.GAME, False, gettext_noop("No opponent in this round.")),
    "no_move": (About.GAME, False, gettext_noop("Ended before both players had made a move.")),
    "unplayed": (About.GAME, False, gettext_noop("Not played.")),
    "force_majeure": (About.GAME, False, gettext_noop("Not rated by decision: force majeure.")),
    "fair_play": (About.GAME, False, gettext_noop("Not rated by decision: Fair Play regulations.")),
    "unequal_times": (About.GAME, False, gettext_noop("The players had different playing times.")),
    "match_unrated": (About.GAME, False, gettext_noop("Match with an unrated player.")),
    "match_decided": (About.GAME, False, gettext_noop("Played after the match was decided.")),
    "disregarded": (
        About.GAME,
        False,
        gettext_noop("No points in the first tournament, so it is not counted."),
    ),
    "change": (About.LIST, True, gettext_noop("The rounded change was added to the previous rating.")),
    "unchanged": (About.LIST, False, gettext_noop("No rated game: the rating does not change.")),
    "first_by_standard": (
        About.LIST,
        True,
        gettext_noop("Initial rating: standard rating plus the change."),
    ),
    "below_floor": (
        About.LIST,
        False,
        gettext_noop("The rating fell below the published minimum, so the player is now unrated."),
    ),
    "initial": (About.LIST, True, gettext_noop("Initial rating from the counted games.")),
    "initial_below_floor": (
        About.LIST,
        False,
        gettext_noop(
            "The initial rating would be below the lowest published rating: still unrated, the games "
            "are kept."
        ),
    ),
    "no_game": (About.LIST, False, gettext_noop("No game against a rated opponent: unrated.")),
}

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
        "correction-D-11",
        About.LIST,
        counts=True,
        text=gettext_noop("Only corrections of earlier lists changed the rating."),
    ),
    Reason(
        "corrected-first-D-11",
        About.LIST,
        counts=True,
        text=gettext_noop("Initial rating through a correction."),
    ),
    Reason(
        "initial-lost-D-11",
        About.LIST,
        counts=False,
        text=gettext_noop("A correction removed the initial rating."),
    ),
    Reason(
        "joined-D-11",
        About.LIST,
        counts=True,
        text=gettext_noop(
            "Another FIDE ID of the same person was merged into this one, with its rating or games."
        ),
    ),
    Reason(
        "merged-D-11",
        About.LIST,
        counts=False,
        text=gettext_noop(
            "Merged into another FIDE ID of the same person, which keeps the rating and games."
        ),
    ),
)


def reasons_of(keys: Keys, own: Iterable[Reason]) -> dict[str, Reason]:
    """Return the reasons of a text by their keys, those of its own among the common ones: games, K, lists."""
    common = [
        Reason(getattr(keys, item.name), *_MEANINGS[item.name])
        for item in fields(keys)
        if item.name in _MEANINGS
    ]
    found = sorted([*common, *own, *_OF_THE_PORTAL], key=lambda reason: [*About].index(reason.about))
    return {reason.key: reason for reason in found}
