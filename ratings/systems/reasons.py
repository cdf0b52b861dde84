"""Every reason key with its article or decision, what it means, and whether the game or result counts.

Keys stand in stored rows: none is ever renamed. The article is the end of the key.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ratings.systems.articles import article_of, gettext_noop


class About(StrEnum):
    """What a reason speaks of: one game, the K of a player, or what a list made of a player."""

    GAME = "game"
    K = "k"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason key. `counts` says whether the game, or the player's results on the list, count."""

    key: str
    about: About
    counts: bool
    text: str

    @property
    def article(self) -> str:
        return article_of(self.key)


_GAMES = (
    ("counted-7.3.2", True, gettext_noop("Counts: score minus the scoring probability.")),
    ("pooled-6.1.4", True, gettext_noop("Joins the pool for a first rating.")),
    ("capped-7.3.1", True, gettext_noop("The difference of more than 400 points counts as 400.")),
    (
        "one-upgrade-7.31",
        True,
        gettext_noop("The one game of the tournament in which more than 400 counts as 400."),
    ),
    (
        "no-second-upgrade-7.31",
        True,
        gettext_noop("More than 400 stands: another game had the greater difference."),
    ),
    ("standard-rating-7.2.1", True, gettext_noop("One of the two counts with the standard rating.")),
    ("unrated-opponent-7.3.1", False, gettext_noop("The opponent was unrated when the tournament began.")),
    ("forfeit-4.1", False, gettext_noop("Won or lost by forfeit, not played.")),
    ("bye-4.1", False, gettext_noop("No opponent in this round.")),
    ("no-move-4.1", False, gettext_noop("Ended before both players had made a move.")),
    ("unplayed-4.1", False, gettext_noop("Not played.")),
    ("force-majeure-4.1", False, gettext_noop("Not rated by decision: force majeure.")),
    ("fair-play-4.1", False, gettext_noop("Not rated by decision: Fair Play regulations.")),
    ("unequal-times-1.2", False, gettext_noop("The players had different playing times.")),
    ("match-unrated-5.1", False, gettext_noop("A match with an unrated player.")),
    ("match-decided-5.2", False, gettext_noop("Played after the match was decided.")),
    (
        "president-average-0.2",
        False,
        gettext_noop("The President's decision holds only where the average rating exceeds 2700."),
    ),
    ("disregarded-7.2.2", False, gettext_noop("Nothing scored in the first event: it is disregarded.")),
    ("lapsed-6.1.4", False, gettext_noop("Began more than 26 months before the list: not pooled.")),
    ("excluded-9.1", False, gettext_noop("The player's federation is no member of FIDE, or excluded.")),
    ("deceased-9.2", False, gettext_noop("The player has died; nothing counts on this list.")),
)

_K = (
    ("k10-reached-2400-7.3.3", gettext_noop("K is 10, because the published rating has reached 2400.")),
    ("k40-newcomer-7.3.3", gettext_noop("K is 40, because fewer than 30 games are completed.")),
    (
        "k40-junior-7.3.3",
        gettext_noop(
            "K is 40, because the year of the 18th birthday is not over and the rating has never reached 2300."
        ),
    ),
    ("k20-7.3.3", gettext_noop("K is 20: 30 games are completed and 2400 was never reached.")),
    ("k20-7.32", gettext_noop("K is 20 in all cases by the text of 2022.")),
)

_LIST = (
    ("change-7.3.4", True, gettext_noop("The rounded change was added to the previous rating.")),
    ("correction-D-11", True, gettext_noop("Only corrections of earlier lists changed the rating.")),
    ("unchanged-6.1", False, gettext_noop("No game counted: the rating stays.")),
    ("first-by-standard-7.2.1", True, gettext_noop("First rating: the standard rating and the change.")),
    ("corrected-first-D-11", True, gettext_noop("First rating, brought about by a correction.")),
    ("initial-lost-D-11", False, gettext_noop("A correction took the first rating away.")),
    ("below-floor-6.2.1", False, gettext_noop("The rating fell below the lowest one published: unrated.")),
    ("initial-7.2.4", True, gettext_noop("First rating from the pool.")),
    (
        "initial-below-floor-6.1.4",
        False,
        gettext_noop(
            "The first rating would be below the lowest one published: still unrated, the pool stays."
        ),
    ),
    ("no-game-6.1.4", False, gettext_noop("No game against a rated opponent: unrated.")),
    (
        "joined-D-11",
        True,
        gettext_noop(
            "Another FIDE ID of the same person was merged into this one: its rating or games follow."
        ),
    ),
    (
        "merged-D-11",
        False,
        gettext_noop("Merged into another FIDE ID of the same person, which goes on with rating and games."),
    ),
)


def _reasons() -> dict[str, Reason]:
    rows = [
        *(Reason(key, About.GAME, counts, text) for key, counts, text in _GAMES),
        *(Reason(key, About.K, True, text) for key, text in _K),
        *(Reason(key, About.LIST, counts, text) for key, counts, text in _LIST),
    ]
    return {reason.key: reason for reason in rows}


# A result of a list may bear the key of a game and means the same: pooled, disregarded, lapsed, excluded, deceased.
REASONS: dict[str, Reason] = _reasons()


def reason_of(key: str) -> Reason:
    """Return the reason that a key names; `KeyError` for an unknown one."""
    return REASONS[key]
