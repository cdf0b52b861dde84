"""What a player's page shows of the lists: figures on the newest ones, and the history of all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from django.db.models import QuerySet

from core.sql import ids_subquery
from players.models import Player
from ratings.choices import KINDS, EntryStatus
from ratings.models import Calculation, ListEntry, RatingList
from ratings.systems.registry import first_rating_keys, key_of_each, reason_of
from ratings.systems.words import Reason
from tournaments.lists import Lists

# What a list does with a player who gets a first rating, by the concepts of the reason keys.

PERSONAL_DATA = (
    "name",
    "sex",
    "title",
    "women_title",
    "other_titles",
    "foa_title",
    "birth_year",
    "federation_id",
)


class ProfileEntry(NamedTuple):
    """What the pages of a player show of an entry. Twenty years have 720 of them: a model of each is most of a page."""

    player_id: int
    rating_list_id: int
    status: str
    rating: int | None
    games: int
    k_factor: int | None
    is_inactive: bool
    name: str
    sex: str
    title: str
    women_title: str
    other_titles: str
    foa_title: str
    birth_year: int | None
    federation_id: str
    continent: str


COLUMNS = (*ProfileEntry._fields[:-1], "federation__continent")


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A player on one list: the entry if there is one, and what the list did with the player."""

    rating_list: RatingList
    entry: ProfileEntry | None = None
    result: str = ""
    has_correction: bool = False
    pooled: int = 0
    before: int | None = None

    @property
    def rating(self) -> int | None:
        """The rating that the list shows; None for one who is not listed."""
        is_listed = self.entry is not None and self.entry.status == EntryStatus.LISTED
        return self.entry.rating if is_listed and self.entry else None

    @property
    def change(self) -> int | None:
        return None if self.before is None or self.rating is None else self.rating - self.before

    @property
    def games(self) -> int:
        """The games that count on the list; those that joined the pool of one who is unrated."""
        return self.entry.games if self.rating is not None and self.entry else self.pooled

    @property
    def reason(self) -> Reason | None:
        return reason_of(self.result, self.rating_list.text) if self.result else None

    @property
    def is_first_rating(self) -> bool:
        return self.result in first_rating_keys()

    @property
    def is_plain_change(self) -> bool:
        """Whether the list added the changes of games to a rating, and nothing else happened."""
        return self.result in key_of_each("change")


class Peak(NamedTuple):
    """A highest rating, and the list that showed it first."""

    rating: int
    rating_list: RatingList


@dataclass(frozen=True, slots=True)
class KindProfile:
    """One kind of a player's ratings: the row of the newest list first, and the highest rating ever listed."""

    kind: str
    rows: Sequence[HistoryRow] = field(default_factory=list)
    newest_list: RatingList | None = None
    highest: Peak | None = None

    @property
    def newest(self) -> HistoryRow | None:
        """The row of the newest list of the kind, if the player has one there."""
        first = self.rows[0] if self.rows else None
        return first if first and first.rating_list == self.newest_list else None

    @property
    def rating(self) -> int | None:
        return self.newest.rating if self.newest else None

    @property
    def last_rated(self) -> HistoryRow | None:
        """The row of the last list that showed a rating."""
        return next((row for row in self.rows if row.rating is not None), None)


def profiles_of(player_id: int, lists: Lists[RatingList]) -> list[KindProfile]:
    """Return a player's history of every kind, in two queries."""
    return profiles_of_each([player_id], lists)[player_id]


def profiles_of_each(player_ids: Collection[int], lists: Lists[RatingList]) -> dict[int, list[KindProfile]]:
    """Return the histories of a few players by FIDE ID, in two queries for all of them."""
    by_id = lists.by_id
    entries: dict[int, dict[int, ProfileEntry]] = defaultdict(dict)
    for entry in map(ProfileEntry._make, _entries(player_ids, by_id).values_list(*COLUMNS)):
        entries[entry.player_id][entry.rating_list_id] = entry
    results = _results(player_ids, by_id)
    return {
        player_id: [_profile(kind, lists, entries[player_id], results[player_id], by_id) for kind in KINDS]
        for player_id in player_ids
    }


def recent_profiles_of_each(
    player_ids: Collection[int], lists: Lists[RatingList], *, since: date
) -> dict[int, list[KindProfile]]:
    """Return the histories since a day, with the highest ratings of all times, in two or three queries.

    The list before is among their rows: the one from which the first change is counted. Everything is read where one
    of the players is on none of these lists.
    """
    recent = Lists[RatingList]([item for kind in KINDS for item in _lists_since(lists.of_kind(kind), since)])
    found = profiles_of_each(player_ids, recent)
    # A player who left the lists years ago is shown with what was before.
    if not all(any(profile.rows for profile in profiles) for profiles in found.values()):
        return profiles_of_each(player_ids, lists)
    if not any(has_rows_until(since, profiles) for profiles in found.values()):
        return found
    highest = _highest(player_ids, lists.by_id)
    return {
        player_id: [replace(profile, highest=highest.get((player_id, profile.kind))) for profile in profiles]
        for player_id, profiles in found.items()
    }


def has_rows_until(day: date, profiles: Sequence[KindProfile]) -> bool:
    """Return whether a history has rows up to a day."""
    return any(row.rating_list.date <= day for profile in profiles for row in profile.rows)


def _lists_since(lists: Sequence[RatingList], since: date) -> Iterator[RatingList]:
    """Yield the lists of a kind, the newest first, down to the one that stood on a day."""
    for item in lists:
        yield item
        if item.date <= since:
            return


def _entries(player_ids: Collection[int], by_id: Collection[int]) -> QuerySet[ListEntry]:
    return ListEntry.objects.filter(rating_list__in=ids_subquery(by_id), player__in=player_ids).order_by()


def _highest(player_ids: Collection[int], by_id: Mapping[int, RatingList]) -> dict[tuple[int, str], Peak]:
    """Return the highest rating by player and kind, of several equal ones the first."""
    rated = _entries(player_ids, by_id).filter(status=EntryStatus.LISTED, rating__isnull=False)
    found: dict[tuple[int, str], Peak] = {}
    # The 720 entries of 20 years are compared here twice as fast as by a window function of the database.
    for player_id, list_id, rating in rated.values_list("player_id", "rating_list_id", "rating"):
        rating_list = by_id[list_id]
        best = found.get((player_id, rating_list.kind))
        if rating and (best is None or (rating, best.rating_list.date) > (best.rating, rating_list.date)):
            found[player_id, rating_list.kind] = Peak(rating, rating_list)
    return found


def _results(
    player_ids: Collection[int], by_id: Collection[int]
) -> dict[int, dict[int, tuple[str, bool, int]]]:
    results: dict[int, dict[int, tuple[str, bool, int]]] = defaultdict(dict)
    rows = Calculation.objects.filter(player__in=player_ids).order_by()
    values = rows.values_list("player_id", "rating_list_id", "result", "correction_hundredths", "games")
    for player_id, list_id, result, correction, games in values:
        if list_id in by_id:
            results[player_id][list_id] = (result, correction != 0, games)
    return results


def _profile(
    kind: str,
    lists: Lists[RatingList],
    entries: dict[int, ProfileEntry],
    results: dict[int, tuple[str, bool, int]],
    by_id: Mapping[int, RatingList],
) -> KindProfile:
    touched = sorted(entries.keys() | results.keys(), key=lambda pk: by_id[pk].date)
    earlier = {newer.pk: older.pk for newer, older in pairwise(lists.of_kind(kind))}
    rows: list[HistoryRow] = []
    for rating_list in (by_id[pk] for pk in touched if by_id[pk].kind == kind):
        result, has_correction, games = results.get(rating_list.pk, ("", False, 0))
        # Only since the list directly before: after a gap there is no change of one month to show.
        before = rows[-1].rating if rows and rows[-1].rating_list.pk == earlier.get(rating_list.pk) else None
        entry = entries.get(rating_list.pk)
        rows.append(HistoryRow(rating_list, entry, result, has_correction, pooled=games, before=before))
    rated = [Peak(row.rating, row.rating_list) for row in rows if row.rating is not None]
    highest = max(rated, key=lambda peak: peak.rating, default=None)
    return KindProfile(kind, rows[::-1], lists.newest(kind), highest)


def telling_rows(profiles: Sequence[KindProfile], *, since: date = date.min) -> list[HistoryRow]:
    """Return what happened on the lists after a day, all kinds together, the newest first; quiet months left out."""
    rows = [
        row
        for profile in profiles
        for row in profile.rows
        if row.rating_list.date > since and _is_telling(row)
    ]
    return sorted(rows, key=lambda row: row.rating_list.date, reverse=True)


def _is_telling(row: HistoryRow) -> bool:
    is_new = row.before is None and row.rating is not None
    return bool(row.result or row.change or is_new)


def person_as_of(player: Player, profiles: Sequence[KindProfile], day: date) -> Player:
    """Return the player with the personal data of the newest entry up to a day; never to be saved.

    Without an entry only the name and the FIDE ID are known to have been so.
    """
    shown = copy(player)
    if shown.died_on and shown.died_on > day:
        shown.died_on = None
    rows = [row for profile in profiles for row in profile.rows if row.entry is not None]
    newest = max(rows, key=lambda row: row.rating_list.date, default=None)
    entry = newest.entry if newest else None
    if entry is not None:
        for name in PERSONAL_DATA:
            setattr(shown, name, getattr(entry, name))
    return shown
