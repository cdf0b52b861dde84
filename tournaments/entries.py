"""The entry list of a tournament."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.dispatch import receiver
from django.utils.translation import gettext as _

from core.errors import refused
from players.merging import players_merged
from players.models import Player
from players.names import successors_of
from tournaments.changed_fields import ENTRIES
from tournaments.choices import POSSIBLE_REGISTRATIONS, Action, Stage
from tournaments.log import record_action
from tournaments.models import Tournament, TournamentEntry
from tournaments.permissions import can_enter_players
from tournaments.portal_reasons import SENTENCES
from tournaments.registration_changes import is_changeable

MAX_ENTRIES = 1_000
MAX_NAMED = 20


@dataclass(frozen=True, slots=True)
class EntryChanges:
    """The FIDE IDs that an entry list gained and lost, and how many it has."""

    added: Sequence[int]
    removed: Sequence[int]
    number: int

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def save_entries(tournament: Tournament, fide_ids: Iterable[int], *, by: Any, at: datetime) -> EntryChanges:
    """Replace the entry list of a tournament, and return what changed; the same list again changes nothing.

    A former FIDE ID enters the player under the present one. `RefusedError` for others than `can_enter_players`, once
    a report is accepted or the registration is closed, for too many, unknown and deceased players.
    """
    wanted = list(dict.fromkeys(fide_ids))
    if not can_enter_players(by, tournament):
        raise refused(
            "not-yours", _("Only the rating officer and the chief arbiter can save the entry list.")
        )
    # Before the lock and the look-up of players, which cost by the number of IDs.
    if len(wanted) > MAX_ENTRIES:
        raise refused("too-many", _("Enter at most 1,000 FIDE IDs."), "ids")
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if not is_changeable(locked):
            message = _(
                "The entry list can no longer be changed: the registration is closed or a report was accepted."
            )
            raise refused("wrong-state", message)
        players = _lock_players(wanted)
        before = entered_ids(locked)
        changes = EntryChanges(
            added=sorted(players.difference(before)),
            removed=sorted(set(before) - players),
            number=len(players),
        )
        if changes:
            # Not by the FIDE IDs removed: a merger may be giving one of their entries another.
            TournamentEntry.objects.filter(tournament=locked).exclude(player__in=players).delete()
            TournamentEntry.objects.bulk_create(
                TournamentEntry(tournament=locked, player_id=fide_id) for fide_id in changes.added
            )
            reason = SENTENCES.state("players-entered", number=changes.number)
            # Only the difference: a list of a thousand would else be in the log with every player added.
            change = {"field": ENTRIES, "before": changes.removed, "after": changes.added}
            record_action(locked, Action.ENTER, reason=reason, by=by, at=at, changes=[change])
    return changes


def _lock_players(fide_ids: Sequence[int]) -> set[int]:
    """Return the players of FIDE IDs under their present ones. Until the commit nobody of them is merged."""
    successors = successors_of(fide_ids) if fide_ids else {}
    current = {successors.get(fide_id, fide_id) for fide_id in fide_ids}
    # In the order of keys, so that two lists saved at once do not end in a deadlock.
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=current).order_by("pk")
    found = {one.pk: one for one in rows.only("pk", "merged_into", "died_on")}
    _refuse_some(
        "unknown", _("No player has these FIDE IDs: %(ids)s. Correct or delete them."), current - {*found}
    )
    deceased = [one.pk for one in found.values() if one.died_on]
    _refuse_some(
        "deceased", _("These players are recorded as deceased: %(ids)s. Delete their FIDE IDs."), deceased
    )
    # Who was merged while this waited for the lock has an ID that is not locked; nothing but the entry depends on it.
    return {one.merged_into_id or one.pk for one in found.values()}


def _refuse_some(code: str, message: str, fide_ids: Collection[int]) -> None:
    if fide_ids:
        named = ", ".join(map(str, sorted(fide_ids)[:MAX_NAMED]))
        raise refused(code, message % {"ids": named}, "ids")


@receiver(players_merged)
def move_entries(*, player: Player, successor: Player, **kwargs: Any) -> None:
    """Give the entries of a merged FIDE ID to its successor, one a tournament. The caller locks both players."""
    of_both = TournamentEntry.objects.filter(player=successor).values("tournament")
    TournamentEntry.objects.filter(player=player, tournament__in=of_both).delete()
    TournamentEntry.objects.filter(player=player).update(player=successor)


# The players entered for tournaments.
SHOWN_STAGES = (Stage.PLANNED, Stage.REPORTED)


def is_entry_list_public(tournament: Tournament) -> bool:
    """Return whether everyone sees the entry list: until the tournament is rated, and while it may be."""
    return tournament.registration in POSSIBLE_REGISTRATIONS and tournament.stage in SHOWN_STAGES


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
