"""The clubs and districts of a federation, and the players of one with their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, QuerySet

from players.models import Membership, Player
from ratings.models import RatingList
from ratings.queries.search import FoundPlayer, ratings_of

# A larger district is a part of a list.
MOST = 5_000


def clubs_of(code: str) -> QuerySet[Membership, Any]:
    """Return the clubs of a federation as district, club and number of players, by district."""
    rows = _present(code).exclude(club="").order_by("district", "club")
    return rows.values_list("district", "club").annotate(players=Count("*"))


def has_clubs(code: str) -> bool:
    return _present(code).exclude(club="").exists()


def players_of_club(
    code: str, *, club: str, district: str, newest: Sequence[RatingList]
) -> list[FoundPlayer]:
    """Return the players of a club, or of a district, with the newest ratings, the highest first."""
    chosen = {name: value for name, value in (("club", club), ("district", district)) if value}
    ids = list(_present(code).filter(**chosen).values_list("player_id", flat=True)[:MOST])
    ratings = ratings_of(ids, newest)
    players = Player.objects.filter(died_on=None).in_bulk(ids).values()
    found = [FoundPlayer(player, ratings.get(player.pk, {})) for player in players]
    return sorted(found, key=lambda one: (-one.highest, one.player.name, one.player.pk))


def _present(code: str) -> QuerySet[Membership]:
    return Membership.objects.present().filter(federation=code)
