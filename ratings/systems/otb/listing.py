"""Entries of a list: what is carried over from the list before, what a result changes, what an import implies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from ratings.systems.otb.adjustment import Adjustment
from ratings.systems.otb.period import Period, PeriodResult, calculate
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import KFactor, PlayerState, Remembered
from ratings.systems.registry import SHIPPED, Adoptions

DECEASED = "deceased-9.2"


class EntryStatus(StrEnum):
    """Whether an entry is shown, or only remembers what a later list needs."""

    LISTED = "listed"
    WITHHELD = "withheld"
    UNRATED = "unrated"
    DECEASED = "deceased"


class EntryFigures(NamedTuple):
    """A player's figures on one list. `last_played` is the date of the list with the last rated game.

    `k_reason` is the reason key of K, empty where the rules do not give the K of an imported list (D-12). A new field
    comes last: lists keep entries by the order of the fields.
    """

    status: EntryStatus = EntryStatus.LISTED
    rating: int | None = None
    games: int = 0
    k: int | None = None
    is_inactive: bool = False
    completed: int = 0
    reached_2300: bool = False
    reached_2400: bool = False
    last_played: date | None = None
    k_reason: str = ""

    @property
    def is_rated(self) -> bool:
        """Whether the player has a rating, shown or withheld."""
        return self.rating is not None and self.status in (EntryStatus.LISTED, EntryStatus.WITHHELD)


@dataclass(frozen=True, slots=True)
class Listing:
    """A list in the making: its date, that of the oldest list on which a game keeps a player active, the texts.

    `adjustment` is the formula by which it adjusts all its ratings, if there is one (D-133).
    """

    list_date: date
    active_since: date
    adoptions: Adoptions = SHIPPED
    adjustment: Adjustment | None = None

    @property
    def rules(self) -> PeriodRules:
        """The text in force on the date of the list."""
        return self.adoptions.text_on(self.list_date)

    def adjust(self, entry: EntryFigures) -> EntryFigures:
        """Return an entry that is carried over as the list adjusts it: what is published has been reached (D-112)."""
        if self.adjustment is None or entry.rating is None or entry.status is not EntryStatus.LISTED:
            return entry
        rating, rules = self.adjustment.adjusted(entry.rating), self.rules
        return entry._replace(
            rating=rating,
            reached_2300=entry.reached_2300 or rating >= rules.reached_low,
            reached_2400=entry.reached_2400 or rating >= rules.reached_high,
        )

    def is_inactive(self, last_played: date | None) -> bool:
        """Return whether no game of the kind was rated on the last lists (6.2.2, D-10)."""
        return last_played is None or last_played < self.active_since

    def k_of(self, known: Remembered, birth_year: int | None) -> KFactor:
        """Return the K that the list publishes, by the text in force on its date (7.3.3, D-4)."""
        return self.rules.list_k(known, birth_year=birth_year, on=self.list_date)


def state_of(entry: EntryFigures | None) -> PlayerState:
    """Return a player's state by an entry."""
    if entry is None:
        return PlayerState()
    return PlayerState(
        rating=entry.rating if entry.is_rated else None,
        k=entry.k,
        k_reason=entry.k_reason,
        completed=entry.completed,
        reached_2300=entry.reached_2300,
        reached_2400=entry.reached_2400,
    )


def carried_over(
    entry: EntryFigures, listing: Listing, *, birth_year: int | None, barred: str
) -> EntryFigures | None:
    """Return the next entry of a player without results, None for one who leaves and needs no memory.

    K and inactivity are those of the new list's date (6.1.2, 6.2.2), the floor that of its text (D-14).
    """
    # The list before removed the player; where the death is undone, the chain finds the older lists (D-74).
    if entry.status is EntryStatus.DECEASED:
        return None
    if entry.status is EntryStatus.UNRATED:
        return entry._replace(games=0)
    # Whoever may leave the list is calculated, so that the floor and the bar have one rule, with results and without.
    adjusted = listing.adjust(entry)
    is_under_floor = (adjusted.rating or 0) < listing.rules.floor
    if barred or entry.status is EntryStatus.WITHHELD or is_under_floor:
        period = Period(
            list_date=listing.list_date,
            birth_year=birth_year,
            state=state_of(entry),
            barred=barred,
            adoptions=listing.adoptions,
            adjustment=listing.adjustment,
        )
        return entry_after(calculate(period), entry, listing, birth_year=birth_year, barred=barred)
    k, reason = listing.k_of(adjusted, birth_year)
    return adjusted._replace(
        games=0, k=k, k_reason=reason, is_inactive=listing.is_inactive(entry.last_played)
    )


def next_entry(
    result: PeriodResult | None,
    entry: EntryFigures | None,
    listing: Listing,
    *,
    birth_year: int | None,
    barred: str,
) -> EntryFigures | None:
    """Return the entry after a calculation, or that of the list before carried over where there is none."""
    if result is not None:
        return entry_after(result, entry, listing, birth_year=birth_year, barred=barred)
    if entry is not None:
        return carried_over(entry, listing, birth_year=birth_year, barred=barred)
    return None


def entry_after(
    result: PeriodResult, entry: EntryFigures | None, listing: Listing, *, birth_year: int | None, barred: str
) -> EntryFigures | None:
    """Return the entry after a calculation, None if there is nothing to list or store."""
    last_played = _last_played(result, entry, listing)
    k, reason = listing.k_of(result, birth_year)
    if result.rating is not None:
        return EntryFigures(
            rating=result.rating,
            games=result.games,
            k=k,
            k_reason=reason,
            is_inactive=listing.is_inactive(last_played),
            completed=result.completed,
            reached_2300=result.reached_2300,
            reached_2400=result.reached_2400,
            last_played=last_played,
        )
    if result.kept is not None:
        # All figures are kept; a deceased player is removed permanently.
        return (entry or EntryFigures())._replace(
            status=EntryStatus.DECEASED if barred == DECEASED else EntryStatus.WITHHELD,
            rating=result.kept,
            games=0,
            k=k,
            k_reason=reason,
            completed=result.completed,
            last_played=last_played,
        )
    # K depends on what was reached, also when the rating is lost and comes back (7.3.3).
    has_reached = result.reached_2300 or result.reached_2400
    if barred == DECEASED or not has_reached:
        return None
    return EntryFigures(
        EntryStatus.UNRATED, reached_2300=result.reached_2300, reached_2400=result.reached_2400
    )


def _last_played(result: PeriodResult, entry: EntryFigures | None, listing: Listing) -> date | None:
    """Return the date of the list with the last rated game (D-10)."""
    if result.games:
        return listing.list_date
    return entry.last_played if entry else None


def imported_entry(
    *,
    rating: int,
    games: int,
    k: int | None,
    birth_year: int | None,
    is_inactive: bool,
    on: date,
    known: EntryFigures | None = None,
    adoptions: Adoptions = SHIPPED,
) -> EntryFigures:
    """Return the entry of an imported list; missing facts are inferred (D-12).

    Ratings that an earlier list in the portal showed as reached remain reached.
    """
    rules = adoptions.nearest_text(on)
    k_reached, k_new, k_other = rules.imported_k
    is_young_below = rules.is_junior(birth_year, on) and rating < rules.reached_low
    reached_low = rating >= rules.reached_low or (is_young_below and k in (k_other, k_reached))
    is_newcomer = k == k_new and not is_young_below
    entry = EntryFigures(
        rating=rating,
        games=games,
        k=k,
        is_inactive=is_inactive,
        completed=0 if is_newcomer else rules.newcomer_games,
        reached_2300=reached_low or bool(known and known.reached_2300),
        reached_2400=k == k_reached or rating >= rules.reached_high or bool(known and known.reached_2400),
        last_played=_played_by_import(is_inactive, on, known),
    )
    given = rules.list_k(entry, birth_year=birth_year, on=on)
    if k is None or k == given.k:
        return entry._replace(k=given.k, k_reason=given.reason)
    return entry


def _played_by_import(is_inactive: bool, on: date, known: EntryFigures | None) -> date | None:
    if not is_inactive:
        return on
    return known.last_played if known else None
