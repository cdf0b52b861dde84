"""Registration of a player with a FIDE ID."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.dispatch import Signal
from django.utils.translation import gettext as _

from core.bulk import write_rows
from core.errors import Refusal, RefusedError, refused
from players.choices import CaseState
from players.models import Application, Federation, Player
from players.models.log import log_added
from players.permissions import can_act_for, is_staff
from players.queries.likeness import NEEDS_STAFF, DuplicateMatch, find_possible_duplicates, view_of
from players.services.cases import open_case
from players.services.fide_ids import next_fide_ids
from players.services.name_refusals import doubt_refusals, name_refusals
from players.services.name_words import write_name_words

# Somebody has a FIDE ID from now on: `player`, None for many at once; `at`, and `dispatch` of the work that follows.
player_registered = Signal()


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """The data of a new player; the full birth date is not public.

    `is_name_confirmed` where whoever enters the name says that it is right, although it looks wrong.
    """

    name: str
    federation: Federation
    sex: str
    birth_date: date
    is_name_confirmed: bool = False

    def unregistered(self, number: int = 0) -> Player:
        """Return the player to whom a FIDE ID is to be given."""
        return Player(
            fide_id=number,
            name=self.name,
            federation=self.federation,
            sex=self.sex,
            birth_date=self.birth_date,
            birth_year=self.birth_date.year,
        )

    def name_refusals(self, by: Any) -> Iterator[Refusal]:
        """Yield why the name is not taken, or looks wrong and was not confirmed."""
        yield from name_refusals(self.name, by_staff=is_staff(by), field="surname")
        if not self.is_name_confirmed:
            yield from doubt_refusals(self.name, field="surname")


def register_player(
    new: NewPlayer, *, other_than: Collection[int] = (), by: Any, at: datetime
) -> Player | Application | list[DuplicateMatch]:
    """Register a new player with a FIDE ID and return the player.

    Return the possible duplicates unless the officer confirmed a different person than all of them (by FIDE ID), and
    an application for FIDE staff if the match score is too high for an officer to decide.
    """
    if not can_act_for(by, new.federation.code):
        raise refused("not-your-federation", _("You do not act for this federation."), "federation")
    if wrong := [*new.name_refusals(by)]:
        raise RefusedError(wrong)
    if new.birth_date > at.date():
        raise refused("born-later", _("The date must be today or earlier."), "birth_date")
    with transaction.atomic():
        # Two who register the same person at once: the second sees what the first did.
        Federation.objects.select_for_update(no_key=True).get(pk=new.federation.pk)
        found = find_possible_duplicates(
            new.name,
            birth_date=new.birth_date,
            federation_code=new.federation.code,
            view=view_of(by, on=at.date()),
        )
        # Sent a second time, the same form finds the player that it has made.
        if {one.player.pk for one in found} - set(other_than):
            return found
        if found and found[0].score >= NEEDS_STAFF and not is_staff(by):
            return create_id_application(new, found[0], by=by, at=at)
        return create_player(new, by=by, at=at)


def create_id_application(
    new: NewPlayer,
    nearest: DuplicateMatch,
    *,
    held: tuple[str, str, str] = ("", "", ""),
    by: Any,
    at: datetime,
) -> Application:
    """Make an application that FIDE staff decide, or return the one that waits already.

    `held` are the national number, the club and the district that the player gets with the FIDE ID.
    """
    number, club, district = held
    made = Application(
        name=new.name,
        federation=new.federation,
        sex=new.sex,
        birth_date=new.birth_date,
        member_number=number,
        club=club,
        district=district,
        score=nearest.score,
        likeness=nearest.player,
        asked_by=by,
        asked_at=at,
    )
    try:
        return open_case(made, second=Refusal("application-waits", ""))
    except RefusedError:
        # The same application, sent twice: the one that waits is the answer.
        return Application.objects.get(state=CaseState.WAITING, key=made.key_of())


def create_player(new: NewPlayer, *, by: Any, at: datetime) -> Player:
    """Register a new player with the next FIDE ID of the federation; the caller has looked for the person."""
    player = new.unregistered()
    create_players([player], by=by, at=at)
    player_registered.send(Player, player=player, at=at, dispatch=None)
    return player


def create_players(players: Sequence[Player], *, by: Any, at: datetime) -> None:
    """Give new players of one federation FIDE IDs in their order; the caller has looked for them, and tells of them."""
    if not players:
        return
    ids = next_fide_ids(players[0].federation, len(players))
    for player, fide_id in zip(players, ids, strict=True):
        player.fide_id = fide_id
    columns = [field.attname for field in Player._meta.concrete_fields]
    rows = ([getattr(player, column) for column in columns] for player in players)
    write_rows(Player, [field.name for field in Player._meta.concrete_fields], rows)
    log_added(players, by=by, at=at)
    write_name_words((player.fide_id, player.name) for player in players)
