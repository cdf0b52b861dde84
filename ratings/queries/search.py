"""How people and search engines find players and tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR

from django.core.cache import cache
from django.db.models import F

from players.models import Player
from players.queries.names import LARGEST_ID, find_ids, find_similar_names, successors_of
from ratings.models import ListEntry, RatingList
from ratings.queries.ranking import KEPT_FOR
from tournaments.models import Tournament

SHOWN = 50
# Where there are more players than can be looked at, the highest rated of so many are shown:
# each is looked up on three lists.
RANKED_OF_MANY = 300


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


def find_players(text: str, *, newest: Sequence[RatingList], shown: int = SHOWN) -> Found:
    """Return the players whose name has all the words, or who has the FIDE ID."""
    ids, is_cut = find_ids(text)
    found = _ordered(dict.fromkeys(ids[:RANKED_OF_MANY] if is_cut else ids, 0), newest, shown)
    return Found(found, is_cut or len(ids) > shown)


def look_up_players(ids: Sequence[int], *, newest: Sequence[RatingList]) -> list[FoundPlayer | None]:
    """Return the player of each FIDE ID in this order, None for an unknown one; of a merged one the successor."""
    successors = successors_of(ids) if ids else {}
    current = [successors.get(fide_id, fide_id) for fide_id in ids]
    ratings = ratings_of(current, newest)
    players = Player.objects.select_related("federation").in_bulk(current)
    found = {key: FoundPlayer(player, ratings.get(key, {})) for key, player in players.items()}
    return [found.get(fide_id) for fide_id in current]


def find_players_or_alike(text: str, *, newest: Sequence[RatingList], shown: int = SHOWN) -> Found:
    """Return the players of a name; if there is none, those whose names sound alike or are a slip away."""
    found = find_players(text, newest=newest, shown=shown)
    if found.players or text.strip().isdecimal():
        return found
    slips = find_similar_names(text)
    alike = _ordered(slips, newest, shown)
    return Found(alike, is_cut=len(slips) > shown, is_alike=bool(alike))


def _ordered(slips: Mapping[int, int], newest: Sequence[RatingList], shown: int) -> list[FoundPlayer]:
    """Return players given with their distance, the nearest first, of one distance the highest rated.

    A merged FIDE ID gives the player into whom it was merged.
    """
    slips = _of_successors(slips)
    ratings = ratings_of(slips, newest)
    best = {player_id: max(of_player.values()) for player_id, of_player in ratings.items()}
    chosen = sorted(slips, key=lambda player_id: (slips[player_id], -best.get(player_id, 0)))[:shown]
    players = Player.objects.select_related("federation").in_bulk(chosen)
    return [FoundPlayer(players[player_id], ratings.get(player_id, {})) for player_id in chosen]


def _of_successors(slips: Mapping[int, int]) -> dict[int, int]:
    successors = successors_of(slips) if slips else {}
    nearest: dict[int, int] = {}
    for player_id, distance in slips.items():
        standing = successors.get(player_id, player_id)
        nearest[standing] = min(distance, nearest.get(standing, distance))
    return nearest


def ratings_of(ids: Iterable[int], newest: Sequence[RatingList]) -> dict[int, dict[str, int]]:
    """Return the ratings of some players by kind, from the newest list of each kind."""
    kinds = {rating_list.pk: rating_list.kind for rating_list in newest}
    rows = ListEntry.objects.filter(rating_list__in=list(kinds), player__in=list(ids)).listed()
    rows = rows.order_by()
    ratings: dict[int, dict[str, int]] = {}
    for player_id, list_id, rating in rows.values_list("player_id", "rating_list_id", "rating"):
        ratings.setdefault(player_id, {})[kinds[list_id]] = rating or 0
    return ratings


# A sitemap has at most 50,000 addresses: a part has at most as many FIDE IDs.
RANGE = 50_000
MOST = 50_000


def player_ranges(newest: Sequence[RatingList]) -> list[int]:
    """Return the numbers of the ranges of FIDE IDs in which somebody is on these lists; counted once a list."""
    ids = [item.pk for item in newest]
    key = "sitemap:" + ":".join(f"{item.pk}-{item.published_at.timestamp():.0f}" for item in newest)
    found: list[int] | None = cache.get(key)
    if found is None:
        entries = ListEntry.objects.filter(rating_list__in=ids).listed().order_by()
        found = sorted(
            entries.annotate(part=F("player_id") / RANGE).values_list("part", flat=True).distinct()
        )
        cache.set(key, found, KEPT_FOR)
    return found


def players_in_range(newest: Sequence[RatingList], number: int) -> list[int]:
    """Return the FIDE IDs of a range that are on one of these lists, rising."""
    if number > LARGEST_ID // RANGE:
        return []
    entries = ListEntry.objects.filter(
        rating_list__in=[item.pk for item in newest],
        player__gte=number * RANGE,
        player__lt=(number + 1) * RANGE,
    )
    return sorted(set(entries.listed().order_by().values_list("player_id", flat=True)))


def years_of_events() -> list[int]:
    """Return the years in which tournaments began."""
    return [day.year for day in Tournament.objects.dates("start", "year")]


def events_of_year(year: int) -> list[str]:
    """Return the event IDs of a year's tournaments, at most as many as fit in a sitemap."""
    if not MINYEAR <= year <= MAXYEAR:
        return []
    events = Tournament.objects.filter(start__year=year).order_by("start", "event_id")
    return list(events.values_list("event_id", flat=True)[:MOST])
