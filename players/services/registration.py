"""New players: compared with those known, given a FIDE ID, or put before FIDE staff where they are too alike."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import ApplicationState
from players.models import Application, Federation, Player
from players.permissions import can_act_for, is_staff
from players.queries.likeness import NEEDS_STAFF, Likeness, alike
from players.services.id_numbers import next_fide_id
from players.services.names import write_name_words


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """What an officer says of a new player; the full birth date stays at the desk."""

    name: str
    federation: Federation
    sex: str
    birth_date: date


def register_player(
    new: NewPlayer, *, is_another_person: bool, by: Any, at: datetime
) -> Player | Application | list[Likeness]:
    """Give a new player a FIDE ID and return the player.

    Returns those who are alike where the officer has not said that this is another person, and an application
    that waits for FIDE staff where one is too alike for an officer to decide.
    """
    if not can_act_for(by, new.federation.code):
        raise refused("not-your-federation", _("You do not act for this federation."), "federation")
    if new.birth_date > at.date():
        raise refused("born-later", _("This day is still to come."), "birth_date")
    with transaction.atomic():
        # Two who register the same person at once: the second sees what the first did.
        Federation.objects.select_for_update().get(pk=new.federation.pk)
        found = alike(new.name, birth_date=new.birth_date, federation_code=new.federation.code)
        if found and not is_another_person:
            return found
        if found and found[0].score >= NEEDS_STAFF and not is_staff(by):
            return put_before_staff(new, found[0], by=by, at=at)
        return give_id(new)


def approve(application: Application, *, by: Any, at: datetime) -> Player | None:
    """Give the applicant a FIDE ID and return the player; None where somebody decided before."""
    with transaction.atomic():
        Federation.objects.select_for_update().get(pk=application.federation_id)
        waiting = Application.objects.filter(pk=application.pk, state=ApplicationState.WAITING)
        held = waiting.select_for_update().select_related("federation").first()
        if held is None:
            return None
        player = give_id(NewPlayer(held.name, held.federation, held.sex, held.birth_date))
        waiting.update(state=ApplicationState.APPROVED, decided_by=by, decided_at=at, player=player)
    return player


def refuse(application: Application, *, reason: str, by: Any, at: datetime) -> bool:
    """Refuse an application with a reason and return whether this call did."""
    if not reason.strip():
        raise refused("reason-missing", _("Give the reason; the officer reads it."), "reason")
    waiting = Application.objects.filter(pk=application.pk, state=ApplicationState.WAITING)
    refusal = {"state": ApplicationState.REFUSED, "reason": reason.strip()}
    return bool(waiting.update(decided_by=by, decided_at=at, **refusal))


def put_before_staff(new: NewPlayer, nearest: Likeness, *, by: Any, at: datetime) -> Application:
    """Make an application that FIDE staff decide, or return the one that waits already."""
    try:
        with transaction.atomic():
            return Application.objects.create(
                name=new.name,
                federation=new.federation,
                sex=new.sex,
                birth_date=new.birth_date,
                score=nearest.score,
                likeness=nearest.player,
                applied_by=by,
                applied_at=at,
            )
    except IntegrityError:
        return Application.objects.get(
            name=new.name,
            federation=new.federation,
            birth_date=new.birth_date,
            state=ApplicationState.WAITING,
        )


def give_id(new: NewPlayer) -> Player:
    """Register a new player with the next FIDE ID of the federation; the caller has looked for the person."""
    player = Player.objects.create(
        fide_id=next_fide_id(new.federation),
        name=new.name,
        federation=new.federation,
        sex=new.sex,
        birth_date=new.birth_date,
        birth_year=new.birth_date.year,
    )
    write_name_words([(player.fide_id, new.name)])
    return player
