"""A tournament of the portal beside FIDE's list of the same date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.models import Comparison, ParticipantRating
from ratings.queries.events import published_rating
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class BesideFide:
    """What the last comparison of its list says of a tournament: whether FIDE lacks it, and the players who differ."""

    comparison: Comparison
    is_missing: bool
    players: Sequence[str]


def beside_fide(tournament: Tournament) -> BesideFide | None:
    """Return how FIDE's list differs for a tournament's players; None before its list was compared."""
    rating = published_rating(tournament)
    found = (
        Comparison.objects.filter(rating_list=rating.included_in_id) if rating else Comparison.objects.none()
    )
    comparison = (
        found.select_related("rating_list").defer("rating_list__manifest").order_by("-at", "-pk").first()
    )
    if rating is None or comparison is None:
        return None
    ids = set(ParticipantRating.objects.filter(tournament_rating=rating).values_list("player", flat=True))
    rows = [row for row in comparison.open_rows if row["fide_id"] in ids]
    # Where several events may explain a difference, FIDE need not lack any one of them.
    named = {item.get("events") for row in rows for item in row["reason"]}
    names = {row["fide_id"]: row["name"] for row in rows}
    return BesideFide(comparison, tournament.event_id in named, sorted(names.values()))
