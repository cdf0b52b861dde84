"""Merge duplicate players. The old FIDE ID redirects permanently."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.dispatch import Signal
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import TransferState
from players.models import Player, Transfer
from players.permissions import is_staff

# Two FIDE IDs turned out to be one person: `player` is merged into `successor`, `by`, `at`. A receiver refuses by
# `RefusedError` where what it holds of `player` cannot follow.
players_merged = Signal()

# Staff look at what merging `player` into `into` would do. Receivers return what is in the way, as text, and what
# becomes of each thing that they hold (`players.services.merging.MergeEffect`).
merging_foreseen = Signal()


@dataclass(frozen=True, slots=True)
class MergeEffect:
    """One effect of a merge: its subject, the value of each FIDE ID, and the outcome.

    An effect with nothing but `outcome` is an obstacle.
    """

    outcome: str
    subject: str = ""
    going: str = ""
    staying: str = ""

    @property
    def is_obstacle(self) -> bool:
        return not self.subject


def preview_merge(player: Player, *, into: Player) -> list[MergeEffect]:
    """Return the effects of a merge without saving it. Raise `RefusedError` if it is impossible."""
    _check(player, into)
    answers: list[tuple[Any, Any]] = merging_foreseen.send(Player, player=player, into=into)
    return [item for _receiver, found in answers for item in found]


def merge_players(player: Player, *, into: Player, reason: str, by: Any, at: datetime) -> bool:
    """Merge one player into another and return whether this call did.

    Published lists stay as they are; games and ratings follow with the next ones. `RefusedError` also where an app
    above cannot follow (`players_merged`): who played in one event under both IDs is two persons.
    """
    if not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can merge players."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and published."), "reason")
    with transaction.atomic():
        held = {
            one.pk: one
            for one in Player.objects.select_for_update().filter(pk__in=[player.pk, into.pk]).order_by("pk")
        }
        going, staying = held[player.pk], held[into.pk]
        if going.merged_into_id == staying.pk:
            return False
        _check(going, staying)
        going.merged_into = staying
        going.save(update_fields=["merged_into"])
        # Whoever was merged into the old ID before leads on to the person at once, not by two steps.
        Player.objects.filter(merged_into=going).update(merged_into=staying)
        waiting = Transfer.objects.filter(player=going, state=TransferState.ASKED)
        waiting.update(state=TransferState.WITHDRAWN, decided_by=by, decided_at=at)
        players_merged.send(Player, player=going, successor=staying, reason=reason.strip(), by=by, at=at)
    return True


def _check(going: Player, staying: Player) -> None:
    if going.pk == staying.pk:
        raise refused("same-player", _("The two FIDE IDs are the same."), "into")
    if going.merged_into_id:
        raise refused("merged-already", _("This FIDE ID has already been merged into another one."))
    if staying.merged_into_id:
        message = _("That FIDE ID was merged into %(successor)s. Enter that ID.")
        raise refused("into-merged", message % {"successor": staying.merged_into_id}, "into")
