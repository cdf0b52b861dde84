"""Merging FIDE IDs that have games or ratings: what it does to the lists, and the record of it (D-11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from players.errors import refused
from players.models import Player
from ratings.choices import EntryStatus, ListKind
from ratings.models import Correction, ListEntry, Merger, PoolEvent, RatingList
from ratings.services.publication.publish import PUBLISHED_KINDS
from tournaments.choices import ReportState
from tournaments.models import Participant, Tournament


@dataclass(frozen=True, slots=True)
class Held:
    """What an ID has on the newest list of a kind, and in the pool for a first rating."""

    rating: int | None
    completed: int
    pool_events: int


@dataclass(frozen=True, slots=True)
class Joining:
    """What becomes of two IDs on the next list of a kind: `follows` is the rating that the person goes on with."""

    kind: ListKind
    going: Held
    staying: Held

    @property
    def follows(self) -> int | None:
        return self.staying.rating if self.staying.rating is not None else self.going.rating

    @property
    def is_dropped(self) -> bool:
        return self.going.rating is not None and self.staying.rating is not None


def joinings(player: Player, into: Player) -> list[Joining]:
    """Return what merging one player into another would do to the lists of each kind; writes nothing."""
    return [Joining(kind, _held(kind, player), _held(kind, into)) for kind in PUBLISHED_KINDS]


def events_of_both(player: Player, into: Player) -> Sequence[Tournament]:
    """Return the tournaments in whose accepted reports both take part: they are two persons then."""
    accepted = Participant.objects.filter(report__state=ReportState.ACCEPTED)
    of_player = accepted.filter(player=player).values("report")
    both = accepted.filter(player=into, report__in=of_player)
    return list(Tournament.objects.filter(reports__participants__in=both).distinct().order_by("start"))


def merge_on_lists(player: Player, *, into: Player, reason: str, by: Any, at: datetime) -> Correction | None:
    """Record that the next lists count an ID for another; None where it has nothing that a list could take.

    The caller holds the transaction and both players. `RefusedError` where both played in one event.
    """
    if common := events_of_both(player, into):
        message = _("Both IDs took part in %(event)s: they are two persons.")
        raise refused("same-event", message % {"event": common[0].name}, "player")
    if not _has_anything(player):
        return None
    data = {"merged_into": [str(player.pk), str(into.pk)]}
    correction = Correction.objects.create(player=player, data=data, reason=reason, by=by, at=at)
    Merger.objects.bulk_create(
        Merger(correction=correction, kind=kind, player=player, successor=into) for kind in PUBLISHED_KINDS
    )
    return correction


def _has_anything(player: Player) -> bool:
    return any(
        rows.exists()
        for rows in (
            ListEntry.objects.filter(player=player),
            Participant.objects.filter(player=player),
            PoolEvent.objects.filter(player=player),
            Merger.objects.filter(successor=player),
        )
    )


def _held(kind: ListKind, player: Player) -> Held:
    newest = RatingList.objects.latest_of(kind)
    entry = ListEntry.objects.filter(rating_list=newest, player=player).first()
    pool = PoolEvent.objects.filter(kind=kind, player=player, closed_by=None).count()
    if entry is None:
        return Held(None, 0, pool)
    has_rating = entry.status in (EntryStatus.LISTED, EntryStatus.WITHHELD)
    return Held(entry.rating if has_rating else None, entry.completed_games, pool)
