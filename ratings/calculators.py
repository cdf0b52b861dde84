"""Who is meant in a calculator, and with which figures: read from the newest lists, in few queries for any number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.text_values import read_number
from players.fide_list.values import MAX_FIDE_ID
from players.models import Player
from ratings.choices import ListKind
from ratings.models import ListEntry, RatingList
from ratings.next_list import so_far_of
from ratings.player_field import CANDIDATES
from ratings.pools import pools_on
from ratings.search import Found, find_players
from ratings.systems.calculators import OwnPlayer
from ratings.systems.otb.values import PoolShare, Status
from tournaments.lists import Lists
from tournaments.trf.checks.players import LOWEST_RATING

HIGHEST_RATING = 4000
# Each name needs a search; typed input has few names.
MAX_NAMES = 12


@dataclass(frozen=True, slots=True)
class Known:
    """A player with the rating that counts: of the kind, else the standard one (7.2.1), else None."""

    player: Player
    rating: int | None = None
    k: int | None = None
    is_standard: bool = False


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody typed, understood: a rating, a player, one of several players, or nothing known.

    `is_cut` where more players have the name than the candidates.
    """

    text: str
    rating: int | None = None
    known: Known | None = None
    candidates: Sequence[Player] = field(default_factory=list)
    is_cut: bool = False

    @property
    def is_understood(self) -> bool:
        return self.rating is not None or self.known is not None

    @property
    def counted(self) -> int | None:
        """The rating with which the game counts, None for an unrated opponent."""
        return self.known.rating if self.known else self.rating


def understand(texts: Sequence[str], *, kind: str, lists: Lists[RatingList]) -> list[Typed]:
    """Return what each text means: from 1000 to 4000 a rating, above it a FIDE ID, letters a name."""
    newest = [item] if (item := lists.newest(kind)) else []
    found = {text: find_players(text, newest=newest, shown=CANDIDATES) for text in _names(texts)}
    numbers = (read_number(text, most=MAX_FIDE_ID) for text in texts)
    ids = {number for number in numbers if number is not None and number > HIGHEST_RATING}
    ids |= {of_name.players[0].player.pk for of_name in found.values() if len(of_name.players) == 1}
    known = known_players(ids, kind=kind, lists=lists)
    return [_understand(text, found, known) for text in texts]


def known_players(ids: Collection[int], *, kind: str, lists: Lists[RatingList]) -> dict[int, Known]:
    """Return the players of FIDE IDs, merged IDs included, with their figures on the newest lists."""
    players = Player.objects.select_related("federation", "merged_into__federation").in_bulk(list(ids))
    persons = {fide_id: player.merged_into or player for fide_id, player in players.items()}
    figures = _figures([player.pk for player in persons.values()], kind=kind, lists=lists)
    return {fide_id: _figures_known(player, kind, figures) for fide_id, player in persons.items()}


def own_of(known: Known, *, kind: str, lists: Lists[RatingList]) -> OwnPlayer:
    """Return a player as the calculators take one: rated with K, or unrated with what is in the pool."""
    newest = lists.newest(kind)
    if known.rating is not None and known.is_standard and newest and newest.text:
        return OwnPlayer(known.rating, newest.text.standard_k(known.player.birth_year, newest.date).k)
    if known.rating is not None:
        # Lists of before the first text may have no K: 20 is that of most players.
        return OwnPlayer(known.rating, known.k or 20)
    pool = pools_on([newest], known.player.pk).get(newest.pk) if newest else None
    shares: tuple[PoolShare, ...] = ()
    if pool:
        shares = tuple(event.share for event in pool.events if event.counts)
    return OwnPlayer(pool=shares)


def with_games_so_far(own: OwnPlayer, known: Known, *, kind: str, lists: Lists[RatingList]) -> OwnPlayer:
    """Return a rated player with the games that the next list of a kind has already; one query."""
    # By a standard rating the list has another base (D-5), to which these games cannot be added here.
    if own.rating is None or known.is_standard:
        return own
    rows = [found.row for found in so_far_of([known.player.pk], lists) if found.kind == kind]
    events = (item for row in rows for item in row.value.events)
    played = [item.participation for item in events if item.own.status is Status.RATED]
    return replace(own, games=sum(one.games for one in played), change=sum(one.change for one in played))


def _names(texts: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(text for text in texts if text and not text.isdecimal()))
    return names[:MAX_NAMES]


def _understand(text: str, found: Mapping[str, Found], known: Mapping[int, Known]) -> Typed:
    number = read_number(text, most=MAX_FIDE_ID)
    if number is not None:
        is_rating = LOWEST_RATING <= number <= HIGHEST_RATING
        return Typed(text, rating=number) if is_rating else Typed(text, known=known.get(number))
    of_name = found.get(text, Found())
    players = [one.player for one in of_name.players]
    if len(players) == 1:
        return Typed(text, known=known.get(players[0].fide_id))
    return Typed(text, candidates=players, is_cut=of_name.is_cut)


def _figures(
    ids: Collection[int], *, kind: str, lists: Lists[RatingList]
) -> dict[tuple[int, str], tuple[int, int | None]]:
    newest = [item for wanted in (kind, ListKind.STANDARD) if (item := lists.newest(wanted))]
    kinds = {item.pk: item.kind for item in newest}
    rows = ListEntry.objects.filter(rating_list__in=list(kinds), player__in=list(ids)).listed().order_by()
    values = rows.values_list("player_id", "rating_list_id", "rating", "k_factor")
    return {(player, kinds[list_id]): (rating or 0, k) for player, list_id, rating, k in values}


def _figures_known(
    player: Player, kind: str, figures: Mapping[tuple[int, str], tuple[int, int | None]]
) -> Known:
    if (player.pk, kind) in figures:
        rating, k = figures[player.pk, kind]
        return Known(player, rating, k)
    if (player.pk, ListKind.STANDARD) in figures:
        return Known(player, figures[player.pk, ListKind.STANDARD][0], None, is_standard=True)
    return Known(player)
