"""Registering tournaments: the three-day rule, hybrid and official events (FIDE R&B 2024, 0.2, 0.3, 1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from core.errors import RefusedError, refusing_second
from players.own_matters import decides_alone
from tournaments.choices import Action, Registration, RequestSort
from tournaments.conditions import COLUMNS, Conditions
from tournaments.models import Tournament, TournamentArbiter
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.queries.lookups import Lookups
from tournaments.services.audit_log import new_entry, record_actions
from tournaments.services.limits import refuse_too_many_open
from tournaments.services.parts import part_before
from tournaments.services.registered_conditions import (
    already_registered,
    free_event_id,
    registered_like,
    waiver_changes,
)
from tournaments.services.registration_rules import is_late, refusals_of
from tournaments.services.requested_changes import ask_the_qc
from tournaments.services.towns import match_towns


@dataclass(frozen=True, slots=True)
class NewRegistration:
    """A tournament that is not written yet, and why it waits for the QC, empty where it does not.

    `waiver` are the changes for a waiver, to which the QC has to consent (D-80).
    """

    tournament: Tournament
    reason: str
    waiver: Sequence[dict[str, Any]] = ()
    arbiters: Sequence[TournamentArbiter] = ()


def register_tournament(wanted: Conditions, *, by: Any, on: date, at: datetime) -> Tournament:
    """Register a tournament on a day and return it; `RefusedError` names every rule against it.

    Of one that may be registered already it asks whether it is another event (D-135). On time it is
    registered at once; a late one up to the first day, and every hybrid one, waits for the QC (0.2).
    """
    new = new_registration(wanted, by=by, on=on, lookups=Lookups())
    refuse_like(wanted)
    # The event ID is unique: of two officers who register an event at once the second learns so.
    with refusing_second(already_registered(wanted, None)):
        refuse_too_many_open(wanted.federation_code, by=by, on=on)
        write_registrations([new], by=by, at=at)
    return new.tournament


def refuse_like(wanted: Conditions) -> None:
    """Raise `RefusedError` where an event may be a registered one and nobody said that it is another (D-135)."""
    if not wanted.is_another and (like := registered_like(wanted)):
        raise RefusedError([already_registered(wanted, like)])


def new_registration(wanted: Conditions, *, by: Any, on: date, lookups: Lookups) -> NewRegistration:
    """Return a registration made on a day, not written yet; `RefusedError` names every rule against it."""
    refusals = [*refusals_of(wanted, on=on, lookups=lookups)]
    if refusals:
        raise RefusedError(refusals)
    # What FIDE staff report knows no deadline (0.3): an officer does not decide so on the own tournament (D-131).
    is_alone = wanted.is_reported_by_staff and decides_alone(by, {wanted.federation_code}, asked_by=None)
    columns = {name: wanted.value(name) for name in COLUMNS}
    columns |= {
        "event_id": wanted.event_id or free_event_id(wanted),
        "name": " ".join(wanted.name.split()),
    }
    tournament = Tournament(
        **columns,
        federation=lookups.federations.get(wanted.federation_code),
        continues=part_before(wanted.continues, wanted.federation_code) if wanted.continues else None,
        registration=registration_for(wanted, on=on),
        registered_on=on,
        registered_by=by,
    )
    waiver = waiver_changes(tournament, wanted, on=on) if wanted.match_waiver.strip() else ()
    arbiters = arbiter_rows(tournament, wanted.chief_id, wanted.deputy_ids)
    reason = with_alone(waiting_reason(wanted, on=on), is_alone=is_alone)
    return NewRegistration(tournament, reason, waiver, arbiters)


def write_registrations(registrations: Sequence[NewRegistration], *, by: Any, at: datetime) -> None:
    """Write new registrations together, each with its first step; `IntegrityError` where one is there already."""
    # One look-up for all: a file may register hundreds.
    match_towns([new.tournament for new in registrations])
    Tournament.objects.bulk_create([new.tournament for new in registrations])
    TournamentArbiter.objects.bulk_create([row for new in registrations for row in new.arbiters])
    record_actions(
        new_entry(new.tournament, Action.REGISTER, reason=new.reason, by=by, at=at) for new in registrations
    )
    for new in registrations:
        if new.waiver:
            reason = SENTENCES.state("waiver")
            ask_the_qc(new.tournament, RequestSort.CHANGE, new.waiver, reason=reason, by=by, at=at)


def registration_for(wanted: Conditions, *, on: date) -> Registration:
    """Return the state in which a registration made on a day begins (0.2, 0.3)."""
    # The consent for hybrid events does not bind FIDE staff either (0.3).
    needs_consent = wanted.is_hybrid and not wanted.is_reported_by_staff
    return Registration.WAITING if needs_consent or is_late(wanted, on) else Registration.REGISTERED


def waiting_reason(wanted: Conditions, *, on: date, words: str = "") -> str:
    """Return why a registration made on a day waits for the QC, with words of a person; else these alone."""
    if registration_for(wanted, on=on) != Registration.WAITING:
        return words
    return SENTENCES.state(
        "hybrid" if wanted.is_hybrid else "late", words=f"{words} {wanted.late_reason}".strip()
    )


def arbiter_rows(
    tournament: Tournament, chief: int | None, deputies: Sequence[int]
) -> list[TournamentArbiter]:
    """Return the arbiters of a tournament by FIDE ID, not written yet: the chief first, each once."""
    ids = dict.fromkeys([*([chief] if chief else []), *deputies])
    return [
        TournamentArbiter(tournament=tournament, player_id=fide_id, is_chief=fide_id == chief, place=place)
        for place, fide_id in enumerate(ids)
    ]
