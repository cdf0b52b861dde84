"""The players entered for tournaments."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count

from tournaments.choices import OPEN_REGISTRATIONS, Registration, Stage
from tournaments.models import Tournament, TournamentEntry

SHOWN_REGISTRATIONS = (*OPEN_REGISTRATIONS, Registration.WAITING)
SHOWN_STAGES = (Stage.PLANNED, Stage.REPORTED)


def is_entry_list_public(tournament: Tournament) -> bool:
    """Return whether everyone sees the entry list: until the tournament is rated, and while it may be."""
    return tournament.registration in SHOWN_REGISTRATIONS and tournament.stage in SHOWN_STAGES


def entered_ids(tournament: Tournament) -> list[int]:
    """Return the FIDE IDs on the entry list, rising."""
    entries = TournamentEntry.objects.filter(tournament=tournament)
    return list(entries.order_by("player").values_list("player_id", flat=True))


def public_entry_counts(tournaments: Iterable[Tournament]) -> dict[int, int]:
    """Return how many players are on each entry list that everyone sees, in one query; an empty list is left out."""
    keys = [row.pk for row in tournaments if is_entry_list_public(row)]
    if not keys:
        return {}
    rows = TournamentEntry.objects.filter(tournament__in=keys).order_by()
    return dict(rows.values_list("tournament").annotate(number=Count("pk")))
