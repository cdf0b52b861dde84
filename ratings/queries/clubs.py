"""The clubs and districts of a federation, and the players of one with their ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from core.bulk import batched
from players.models import Membership, Player
from ratings.models import ListEntry, RatingList
from ratings.queries.search import FoundPlayer, ratings_of

# Districts may be of any size.
BATCH = 5_000


def clubs_of(code: str) -> QuerySet[Membership, Any]:
    """Return the clubs of a federation as district, club and number of players, by district."""
    rows = _present(code).exclude(club="").order_by("district", "club")
    return rows.values_list("district", "club").annotate(players=Count("*"))


def has_clubs(code: str) -> bool:
    return _present(code).exclude(club="").exists()


def ids_of_club(code: str, *, club: str, district: str, newest: Sequence[RatingList]) -> list[int]:
    """Return the players of a club, or of a district, the highest newest rating first."""
    chosen = {name: value for name, value in (("club", club), ("district", district)) if value}
    entries = ListEntry.objects.filter(
        rating_list__in=[item.pk for item in newest], player=OuterRef("player")
    )
    best = entries.listed().order_by().values("player").annotate(best=Max("rating")).values("best")
    members = _present(code).filter(**chosen).annotate(best=Coalesce(Subquery(best), 0))
    return list(members.order_by("-best", "player__name", "player").values_list("player_id", flat=True))


def as_in_register(code: str, asked: Mapping[str, str]) -> dict[str, str]:
    """Return a club and a district in the capitals of the register; as they are where it has none of the name."""
    rows = _present(code).order_by()
    known = {
        name: {text.casefold(): text for text in rows.values_list(name, flat=True).distinct()}
        for name in asked
    }
    return {name: known[name].get(text.casefold(), text) for name, text in asked.items()}


def read_players(ids: Sequence[int], newest: Sequence[RatingList]) -> Iterator[FoundPlayer]:
    """Yield players in this order with their newest ratings."""
    for some in batched(ids, BATCH):
        ratings, players = ratings_of(some, newest), Player.objects.in_bulk(some)
        yield from (FoundPlayer(players[pk], ratings.get(pk, {})) for pk in some)


def _present(code: str) -> QuerySet[Membership]:
    return Membership.objects.present().filter(federation=code, player__died_on=None)
