"""Merging FIDE IDs that have games or ratings: what it does to the lists, and the record of it (D-11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.dispatch import receiver
from django.utils.translation import gettext as _

from core.errors import refused
from players.merging import MergeEffect, merging_begins, merging_foreseen, players_merged
from players.models import Player
from ratings.amend.lines import chains_of, lines_between, record_lines, store_as_rated
from ratings.choices import PUBLISHED_KINDS, EntryStatus, ListKind
from ratings.in_force import load_adoptions
from ratings.lists import lock_kinds, read_lists
from ratings.models import Correction, ListEntry, Merger, PoolEvent, RatingList
from tournaments.amendments import Datum
from tournaments.choices import ReportState
from tournaments.models import Game, Participant, Tournament


@dataclass(frozen=True, slots=True)
class Held:
    """What an ID has on the newest list of a kind, and in the pool for a first rating."""

    rating: int | None
    completed: int
    pool_games: int

    def __str__(self) -> str:
        if self.rating is not None:
            return _("%(rating)d, %(games)d rated games") % {
                "rating": self.rating,
                "games": self.completed,
            }
        if self.pool_games:
            return _("unrated, %(games)d games counted so far") % {"games": self.pool_games}
        return _("unrated")


@merging_foreseen.answered_by
def foreseen_on_lists(player: Player, into: Player) -> list[MergeEffect]:
    """Return the effect of merging one player into another on the next list of each kind; writes nothing."""
    common, lists = events_of_both(player, into), read_lists()
    found = [MergeEffect(_two_persons(common, player, into))] if common else []
    for kind in PUBLISHED_KINDS:
        newest = lists.newest(kind)
        going, staying = _figures_held(kind, newest, player), _figures_held(kind, newest, into)
        needed = newest.text.pool_games if newest and newest.text else None
        found.append(MergeEffect(_outcome(going, staying, needed), str(kind.label), str(going), str(staying)))
    return found


def _outcome(going: Held, staying: Held, needed: int | None) -> str:
    games = going.completed + staying.completed
    if going.rating is not None and staying.rating is not None:
        message = _(
            "%(rating)d is kept with an adjustment for the games of the other ID, %(dropped)d is removed, %(games)d "
            "rated games"
        )
        return message % {"rating": staying.rating, "dropped": going.rating, "games": games}
    rating = going.rating if staying.rating is None else staying.rating
    pooled = going.pool_games + staying.pool_games
    if rating is not None and pooled:
        message = _("%(rating)d with an adjustment for %(pooled)d games, %(games)d rated games")
        return message % {"rating": rating, "pooled": pooled, "games": games + pooled}
    if rating is not None:
        return _("%(rating)d, %(games)d rated games") % {"rating": rating, "games": games}
    if needed is not None and pooled >= needed:
        return _("an initial rating from %(games)d games") % {"games": pooled}
    return str(Held(None, 0, pooled))


def _two_persons(events: Sequence[Tournament], player: Player, into: Player) -> str:
    message = _(
        "%(one)s and %(other)s are two different people: both played in the same round of %(events)s."
    )
    return message % {"one": player, "other": into, "events": ", ".join(event.name for event in events)}


def events_of_both(player: Player, into: Player) -> Sequence[Tournament]:
    """Return the tournaments in whose accepted reports both played in one round: they are two persons (D-141)."""
    accepted = Participant.objects.filter(report__state=ReportState.ACCEPTED)
    rounds = [
        {
            (report, round_number)
            for report, number in accepted.filter(player=one).values_list("report", "number")
            for round_number in Game.objects.filter(
                Q(white=number) | Q(black=number), report=report, is_played=True
            ).values_list("round", flat=True)
        }
        for one in (player, into)
    ]
    reports = {report for report, _round in set.intersection(*rounds)}
    return list(Tournament.objects.filter(reports__in=reports).distinct().order_by("start"))


@receiver(merging_begins)
def lock_lists(**kwargs: Any) -> None:
    """Let no list be published while players are merged: it takes the merger, or comes before it (D-104)."""
    lock_kinds(PUBLISHED_KINDS)


@receiver(players_merged)
def merge_on_lists(
    *, player: Player, successor: Player, reason: str, by: Any, at: datetime, **kwargs: Any
) -> None:
    """Record that the next lists count an ID for its successor, also one whose first report is still to come.

    Games in the pool of an unrated ID become those of a rated player where the other one is rated (7.2.5, D-110): the
    correction has their lines, and those of games under one of two rated IDs (D-141). The caller opens the transaction
    and locks both players. `RefusedError` where both played in one round.
    """
    if common := events_of_both(player, successor):
        raise refused("same-event", _two_persons(common, player, successor), "player")
    persons, adoptions = (player.pk, successor.pk), load_adoptions()
    before = chains_of(PUBLISHED_KINDS, persons, adoptions)
    merged = Datum(field="merged_into", before=str(player.pk), after=str(successor.pk))
    correction = Correction.objects.create(player=player, amendments=[merged], reason=reason, by=by, at=at)
    # A row for each type, since the lists of the two take the merger each for itself.
    Merger.objects.bulk_create(
        Merger(correction=correction, kind=kind, player=player, successor=successor, counts_both=True)
        for kind in PUBLISHED_KINDS
    )
    after = chains_of(PUBLISHED_KINDS, persons, adoptions)
    record_lines(correction, lines_between(before, after))
    store_as_rated(after)


def _figures_held(kind: ListKind, newest: RatingList | None, player: Player) -> Held:
    entry = ListEntry.objects.filter(rating_list=newest, player=player).first()
    rows = PoolEvent.objects.filter(kind=kind, player=player, closed_by=None)
    pool = sum(row.sums[1] for row in rows.select_related("participant_rating"))
    if entry is None:
        return Held(None, 0, pool)
    has_rating = entry.status in (EntryStatus.LISTED, EntryStatus.WITHHELD)
    return Held(entry.rating if has_rating else None, entry.completed_games, pool)
