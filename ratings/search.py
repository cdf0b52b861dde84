"""How people find players."""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate, chain, islice
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from core.sql import ids_subquery
from players.models import Player
from players.names import find_ids, find_similar_names, successors_of
from players.spelling import in_latin_letters, one_edit_variants, words_of
from ratings.events import CALENDAR_ORDER, CalendarFilter, tournaments_in
from ratings.models import ListEntry, RatingList
from tournaments.models import Tournament

SHOWN = 50
# Where there are more players than can be looked at, the highest rated of so many are shown:
# each is looked up on three lists.
RANKED_OF_MANY = 300
# Of more than so many, the database chooses: to read all their ratings takes longer.
MANY = 24
# So many of each list stay in memory, 10 MiB a process: among the players of a common name are enough of them.
TOP_OF_A_LIST = 50_000


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """A player with the rating on the newest list of each kind."""

    player: Player
    ratings: dict[str, int] = field(default_factory=dict)

    @property
    def highest(self) -> int:
        return max(self.ratings.values(), default=0)


@dataclass(frozen=True, slots=True)
class Found:
    """The players found, the highest rated first; `is_cut` where there are more than are shown.

    `is_alike` where nobody is called as was asked, and these are called nearly so, the nearest first.
    """

    players: Sequence[FoundPlayer] = ()
    is_cut: bool = False
    is_alike: bool = False


def find_players(
    text: str,
    *,
    newest: Sequence[RatingList],
    shown: int = SHOWN,
    also: Sequence[int] = (),
    among: QuerySet[Player] | None = None,
) -> Found:
    """Return the players whose name has all the words, or who has the FIDE ID, and `also` those with these IDs."""
    ids, is_cut = find_ids(text)
    ids = list(_among(dict.fromkeys([*also, *ids], 0), among))
    found = _order_by_distance(dict.fromkeys(ids[:RANKED_OF_MANY] if is_cut else ids, 0), newest, shown)
    return Found(found, is_cut or len(ids) > shown)


def look_up_players(ids: Sequence[int], *, newest: Sequence[RatingList]) -> list[FoundPlayer | None]:
    """Return the player of each FIDE ID in this order, None for an unknown one; of a merged one the successor."""
    successors = successors_of(ids) if ids else {}
    current = [successors.get(fide_id, fide_id) for fide_id in ids]
    ratings = ratings_of(current, newest)
    players = Player.objects.select_related("federation").in_bulk(current)
    found = {key: FoundPlayer(player, ratings.get(key, {})) for key, player in players.items()}
    return [found.get(fide_id) for fide_id in current]


def find_players_or_alike(
    text: str,
    *,
    newest: Sequence[RatingList],
    shown: int = SHOWN,
    also: Sequence[int] = (),
    among: QuerySet[Player] | None = None,
) -> Found:
    """Return the players of a name; if there is none, those whose names sound alike or are a slip away."""
    found = find_players(text, newest=newest, shown=shown, also=also, among=among)
    if found.players or text.strip().isdecimal():
        return found
    slips = _among(find_similar_names(text), among)
    alike = _order_by_distance(slips, newest, shown)
    return Found(alike, is_cut=len(slips) > shown, is_alike=bool(alike))


def _order_by_distance(
    slips: Mapping[int, int], newest: Sequence[RatingList], shown: int
) -> list[FoundPlayer]:
    """Return players given with their distance, the nearest first, of one distance the highest rated.

    A merged FIDE ID gives the player into whom it was merged.
    """
    if not slips:
        return []
    slips = _of_successors(slips)
    nearest = _nearest(slips, newest, shown)
    ratings = ratings_of(nearest, newest)
    best = {player_id: max(of_player.values()) for player_id, of_player in ratings.items()}
    chosen = sorted(nearest, key=lambda player_id: (slips[player_id], -best.get(player_id, 0)))[:shown]
    players = Player.objects.in_bulk(chosen)
    return [FoundPlayer(players[player_id], ratings.get(player_id, {})) for player_id in chosen]


def _nearest(slips: Mapping[int, int], newest: Sequence[RatingList], shown: int) -> list[int]:
    """Return players among whom the first `shown` are: of many at one distance only the highest rated."""
    at_distance = defaultdict[int, list[int]](list)
    for player_id, distance in slips.items():
        at_distance[distance].append(player_id)
    found: list[int] = []
    for _distance, ids in sorted(at_distance.items()):
        found += ids if len(ids) <= MANY else _highest_rated(ids, newest, shown - len(found))
        if len(found) >= shown:
            break
    return found


def _highest_rated(ids: Sequence[int], newest: Sequence[RatingList], shown: int) -> list[int]:
    """Return the players among these with the highest ratings, then unrated ones.

    The database compares, unless enough of them are at the top of the lists.
    """
    top = _top_ratings(newest)
    best = sorted((player_id for player_id in ids if player_id in top), key=lambda one: (-top[one], one))
    if len(best) < shown:
        rows = ListEntry.objects.filter(
            rating_list__in=[item.pk for item in newest], player__in=ids_subquery(ids)
        ).listed()
        of_each = rows.order_by("-rating", "player_id").values_list("player_id", flat=True)
        # A player is on up to three lists, and counts once, with the highest rating.
        best = list(dict.fromkeys(of_each[: shown * len(newest)]))
    return (best if len(best) >= shown else list(dict.fromkeys([*best, *ids])))[:shown]


# Of this process, by the lists: their top is read once.
_tops: dict[tuple[Any, ...], dict[int, int]] = {}


def _top_ratings(newest: Sequence[RatingList]) -> dict[int, int]:
    """Return the highest rating of each player at the top of these lists: of all players above some rating."""
    if not newest:
        return {}
    key = tuple((item.pk, item.published_at) for item in newest)
    found = _tops.get(key)
    if found is None:
        tops = [
            item.entries.listed().in_list_order().values_list("player_id", "rating")[:TOP_OF_A_LIST]
            for item in newest
        ]
        found = _best_of([list(rows) for rows in tops])
        # The lists of before are asked for no more: their 10 MiB go.
        _tops.clear()
        _tops[key] = found
    return found


def forget_top_ratings() -> None:
    """Read the top of the lists again: for tests, which roll back what they wrote."""
    _tops.clear()


def _best_of(tops: Sequence[Sequence[tuple[int, int | None]]]) -> dict[int, int]:
    """Return the highest rating of each player, without the ratings that lists may have further down, too."""
    # Below the lowest rating of a top that is full, a player may have a higher one that was not read.
    cut = max((rows[-1][1] or 0 for rows in tops if len(rows) == TOP_OF_A_LIST), default=0)
    best: dict[int, int] = {}
    for player_id, rating in chain.from_iterable(tops):
        if rating and rating > cut:
            best[player_id] = max(rating, best.get(player_id, 0))
    return best


def _among(slips: Mapping[int, int], among: QuerySet[Player] | None) -> Mapping[int, int]:
    """Return those of some players who are wanted; a merged FIDE ID counts as the player into whom it was merged."""
    if among is None or not slips:
        return slips
    slips = _of_successors(slips)
    wanted = {*among.filter(pk__in=ids_subquery(slips)).values_list("pk", flat=True)}
    return {player_id: distance for player_id, distance in slips.items() if player_id in wanted}


def _of_successors(slips: Mapping[int, int]) -> Mapping[int, int]:
    successors = successors_of(slips)
    if not successors:
        return slips
    nearest: dict[int, int] = {}
    for player_id, distance in slips.items():
        standing = successors.get(player_id, player_id)
        nearest[standing] = min(distance, nearest.get(standing, distance))
    return nearest


def ratings_of(ids: Iterable[int], newest: Sequence[RatingList]) -> dict[int, dict[str, int]]:
    """Return the ratings of some players by kind, from the newest list of each kind."""
    kinds = {rating_list.pk: rating_list.kind for rating_list in newest}
    rows = ListEntry.objects.filter(rating_list__in=list(kinds), player__in=ids_subquery(ids)).listed()
    rows = rows.order_by()
    ratings: dict[int, dict[str, int]] = {}
    for player_id, list_id, rating in rows.values_list("player_id", "rating_list_id", "rating"):
        ratings.setdefault(player_id, {})[kinds[list_id]] = rating or 0
    return ratings


# So many of the latest tournaments are looked through by name; the calendar finds the older ones.
LOOKED_AT = 10_000


NAMES_KEY, NAMES_SECONDS = "recent-tournament-names", 120


def find_tournaments(text: str, *, shown: int) -> tuple[list[Tournament], bool]:
    """Return the one that bears the event ID, or those of the latest tournaments whose name has all the words.

    The second value says whether more names have them.
    """
    text = text.strip()
    by_id = Tournament.objects.filter(event_id=text).select_related("federation")
    by_name = tournaments_in(CalendarFilter(words=text)).order_by(*CALENDAR_ORDER)
    starts = Tournament.objects.order_by(*CALENDAR_ORDER).values("start")
    by_name = by_name.filter(start__gt=Coalesce(Subquery(starts[LOOKED_AT : LOOKED_AT + 1]), Value(date.min)))
    found = list(by_id) or list(by_name[: shown + 1])
    return found[:shown] or _in_order(_similar(text, _recent_names())[:shown]), len(found) > shown


def suggest_tournaments(text: str, *, shown: int) -> list[Tournament]:
    """Return what `find_tournaments` finds, a few minutes old at most, without looking through the table."""
    names = _recent_names()
    # The longest word stands in the fewest names: the others are looked for in these only.
    words = sorted(text.lower().split()[:5], key=len, reverse=True)
    found = list(islice(_bearing(words, names), shown)) or _similar(text, names)[:shown]
    return _in_order(found)


def _bearing(words: Sequence[str], names: RecentNames) -> Iterator[int]:
    """Yield the latest tournaments in whose names are all the words, newest first."""
    found = names.text.find(words[0]) if words else -1
    while found >= 0:
        place = bisect_right(names.starts, found) - 1
        start, end = names.starts[place], names.starts[place + 1]
        if all(names.text.find(word, start, end) >= 0 for word in words[1:]):
            yield names.ids[place]
        found = names.text.find(words[0], end)


def _similar(text: str, names: RecentNames) -> list[int]:
    """Return the latest tournaments whose names have words like all of a text: a slip away, or beginning so."""
    wanted = [
        {word, *one_edit_variants(word)} for word in words_of(in_latin_letters(text))[:5] if len(word) > 2
    ]
    of_each = [{place for one in alike for place in names.places.get(one, ())} for alike in wanted]
    return [names.ids[place] for place in sorted(set.intersection(*of_each))] if of_each else []


def _in_order(found: Sequence[int]) -> list[Tournament]:
    if not found:
        return []
    rows = Tournament.objects.in_bulk(found)
    return [rows[pk] for pk in found if pk in rows]


@dataclass(frozen=True, slots=True)
class RecentNames:
    """The latest tournaments, newest first: their names and event IDs as one text, and the places of each word."""

    edition: str
    ids: list[int]
    text: str
    starts: list[int]
    places: dict[str, list[int]]


# Of this process: to read ten thousand names from the cache takes longer than all the rest of a suggestion.
_kept: dict[str, RecentNames] = {}


def _recent_names() -> RecentNames:
    """Return the words of the names of the latest tournaments, a few minutes old at most."""
    edition: str | None = cache.get(NAMES_KEY)
    kept = _kept.get(NAMES_KEY)
    if kept is None or kept.edition != edition:
        # All processes read the names anew when the cache forgets the edition, two minutes after it was set.
        if edition is None:
            edition = secrets.token_hex(8)
            cache.set(NAMES_KEY, edition, NAMES_SECONDS)
        kept = _kept[NAMES_KEY] = _read_names(edition)
    return kept


def _read_names(edition: str) -> RecentNames:
    latest = Tournament.objects.order_by(*CALENDAR_ORDER).values_list("pk", "name", "event_id")
    rows = list(latest[:LOOKED_AT])
    places: dict[str, list[int]] = {}
    for place, (_pk, name, _event_id) in enumerate(rows):
        for word in set(words_of(name)):
            places.setdefault(word, []).append(place)
    lines = [f"{name} {event_id}\n".lower() for _pk, name, event_id in rows]
    starts = list(accumulate(map(len, lines), initial=0))
    return RecentNames(edition, [row[0] for row in rows], "".join(lines), starts, places)
