"""Registering tournaments: the three-day rule, hybrid and official events (FIDE R&B 2024, 0.2, 0.3, 1.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refusing_second
from core.html.figures import colon
from players.queries.federations import Federations
from players.services.names import text_refusals
from players.spelling import words_of
from tournaments import regulations
from tournaments.choices import (
    HYBRID,
    LATE,
    WAIVER,
    Action,
    Kind,
    Registration,
    RequestedChangeState,
    RequestSort,
)
from tournaments.conditions import COLUMNS, COMPARED, RULES, Conditions
from tournaments.models import RequestedChange, Tournament, TournamentArbiter
from tournaments.queries.audit_sources import shown_value
from tournaments.queries.lookups import Lookups
from tournaments.services.audit_log import new_entry, record_actions
from tournaments.services.limits import refuse_too_many_open
from tournaments.services.parts import part_before, part_refusals
from tournaments.services.requested_changes import write_request
from tournaments.services.towns import match_towns
from tournaments.trf.limits import MAX_ROUNDS

MAX_YEARS_AHEAD = 3
# Names that people read: none of them may look like another one.
SHOWN_TEXTS = ("name", "city", "chief_arbiter", "organiser")


@dataclass(frozen=True, slots=True)
class NewRegistration:
    """A tournament that is not written yet, and why it waits for the QC, empty where it does not.

    `waiver` is the request for a waiver, to which the QC has to consent (D-80).
    """

    tournament: Tournament
    reason: str
    waiver: RequestedChange | None = None
    arbiters: Sequence[TournamentArbiter] = ()


def register_tournament(wanted: Conditions, *, by: Any, on: date, at: datetime) -> Tournament:
    """Register a tournament on a day and return it; `RefusedError` names every rule against it.

    On time it is registered at once; a late one up to the first day, and every hybrid one, waits for the QC (0.2).
    """
    new = new_registration(wanted, by=by, on=on, lookups=Lookups())
    with refusing_second(already_registered(wanted)):
        refuse_too_many_open(wanted.federation_code, by=by, on=on)
        write_registrations([new], by=by, at=at)
    return new.tournament


def new_registration(wanted: Conditions, *, by: Any, on: date, lookups: Lookups) -> NewRegistration:
    """Return a registration made on a day, not written yet; `RefusedError` names every rule against it."""
    refusals = [*refusals_of(wanted, on=on, lookups=lookups)]
    if refusals:
        raise RefusedError(refusals)
    tournament = _build(wanted, by=by, on=on, federations=lookups.federations)
    waiver = None
    if wanted.match_waiver.strip():
        waiver = RequestedChange(
            tournament=tournament,
            sort=RequestSort.CHANGE,
            changes=waiver_changes(tournament, wanted, on=on),
            reason=WAIVER,
            asked_by=by,
        )
    arbiters = arbiter_rows(tournament, wanted.chief_id, wanted.deputy_ids)
    return NewRegistration(tournament, waiting_reason(wanted, on=on), waiver, arbiters)


def write_registrations(registrations: Sequence[NewRegistration], *, by: Any, at: datetime) -> None:
    """Write new registrations together, each with its first step; `IntegrityError` where one is there already."""
    match_towns([new.tournament for new in registrations])
    Tournament.objects.bulk_create([new.tournament for new in registrations])
    TournamentArbiter.objects.bulk_create([row for new in registrations for row in new.arbiters])
    record_actions(
        new_entry(new.tournament, Action.REGISTER, reason=new.reason, by=by, at=at) for new in registrations
    )
    for new in registrations:
        if new.waiver is not None:
            write_request(new.tournament, new.waiver, at=at)


def waiver_changes(tournament: Tournament, wanted: Conditions, *, on: date) -> list[dict[str, str | None]]:
    """Return a waiver and the day on which it is requested as changes of a tournament without it."""
    day = wanted.match_waiver_on or on
    former = tournament.match_waiver_on
    return [
        {"field": "match_waiver", "before": tournament.match_waiver, "after": wanted.match_waiver.strip()},
        {
            "field": "match_waiver_on",
            "before": former.isoformat() if former else None,
            "after": day.isoformat(),
        },
    ]


def waiver_of(tournament: Tournament) -> str:
    """Return the waiver of a tournament, the one that waits for the QC's consent included."""
    if tournament.match_waiver or not tournament.has_request:
        return tournament.match_waiver
    waiting = tournament.requested_changes.filter(state=RequestedChangeState.WAITING)
    changes = [change for one in waiting for change in one.changes if change["field"] == "match_waiver"]
    return str(changes[0]["after"]) if changes else ""


def registration_for(wanted: Conditions, *, on: date) -> Registration:
    """Return the state in which a registration made on a day begins (0.2, 0.3)."""
    if wanted.is_official or wanted.decided_by:
        return Registration.REGISTERED
    if wanted.is_hybrid or not regulations.is_registered_in_time(wanted.start, on):
        return Registration.WAITING
    return Registration.REGISTERED


def waiting_reason(wanted: Conditions, *, on: date) -> str:
    """Return why a registration made on a day waits for the QC, as it is stored, empty where it does not."""
    if registration_for(wanted, on=on) != Registration.WAITING:
        return ""
    return f"{HYBRID if wanted.is_hybrid else LATE} {wanted.late_reason.strip()}".strip()


def refusals_of(wanted: Conditions, *, on: date, lookups: Lookups) -> Iterator[Refusal]:
    """Yield the reasons against a registration on a day."""
    if not wanted.name.strip():
        yield Refusal("name-missing", _("Enter the name of the tournament."), "name")
    yield from text_refusals({name: getattr(wanted, name) for name in SHOWN_TEXTS if name != "name"})
    yield from text_refusals({"name": " ".join(wanted.name.split())})
    yield from _federation_refusals(wanted, on, lookups.federations)
    yield from day_refusals(wanted, on, lookups.first_rated_day)
    yield from time_control_refusals(wanted)
    yield from match_refusals(wanted)
    yield from waiver_refusals(wanted, on)
    yield from part_refusals(wanted)
    if not wanted.schedule:
        message = _("Enter the schedule. It is registered with the tournament (article 0.2).")
        yield Refusal("schedule-missing-0.2", message, "schedule")
    if wanted.decided_by and not wanted.decision_reference.strip():
        message = _("Enter the reference of the decision (article 0.2).")
        yield Refusal("decision-reference-missing", message, "decision_reference")


def _federation_refusals(wanted: Conditions, on: date, federations: Federations) -> Iterator[Refusal]:
    federation = federations.get(wanted.federation_code)
    if federation is None:
        message = _("No federation has the code “%(code)s”.") % {"code": wanted.federation_code}
        yield Refusal("federation-unknown", message, "federation")
    elif not wanted.is_official and not wanted.decided_by and not federations.may_register(federation, on):
        message = _(
            "%(name)s is not a member of FIDE or is excluded, so it cannot register "
            "tournaments (article 9.1, decision D-15)."
        )
        yield Refusal("federation-excluded-9.1", message % {"name": federation.shown_name}, "federation")


def day_refusals(wanted: Conditions, on: date, first_rated: date) -> Iterator[Refusal]:
    """Yield the reasons against the days of a tournament; `first_rated` is the first day that can be rated (D-13)."""
    if wanted.end < wanted.start:
        yield Refusal(
            "end-before-start", _("The last day is before the first day. Correct one of them."), "end"
        )
    if wanted.start < first_rated:
        message = _(
            "The portal has no regulations for tournaments that start before %(day)s (decision D-13)."
        )
        yield Refusal("no-rules-D-13", message % {"day": date_format(first_rated)}, "start")
    elif is_far_away(wanted.start, on) or is_far_away(wanted.end, on):
        message = _("The date must be no more than %(years)d years ahead.")
        field = "start" if is_far_away(wanted.start, on) else "end"
        yield Refusal("far-away", message % {"years": MAX_YEARS_AHEAD}, field)
    elif on > wanted.start and not wanted.is_official and not wanted.decided_by:
        message = _(
            "The tournament started on %(start)s, before its registration on %(on)s. Registration "
            "closes on the first day (article 0.2)."
        )
        days = {"start": date_format(wanted.start), "on": date_format(on)}
        yield Refusal("after-first-day-0.2", message % days, "start")


def waiver_refusals(wanted: Conditions, on: date) -> Iterator[Refusal]:
    """Yield what is wrong with the day on which a waiver is requested: it lies before the first day (5.2, D-80)."""
    if not wanted.match_waiver.strip():
        return
    day = wanted.match_waiver_on or on
    if day > on:
        yield Refusal(
            "waiver-ahead-D-80", _("The date of the request must be today or earlier."), "match_waiver_on"
        )
    elif day >= wanted.start:
        message = _(
            "The waiver was requested on %(day)s, and the tournament starts on %(start)s. Request a "
            "waiver before the first day (article 5.2, decision D-80)."
        )
        days = {"day": date_format(day), "start": date_format(wanted.start)}
        yield Refusal("waiver-late-D-80", message % days, "match_waiver_on")


def is_far_away(day: date, on: date) -> bool:
    """Return whether a day is too far in the future; lists after the end of the calendar would fail."""
    return (day - on).days > MAX_YEARS_AHEAD * 366


def time_control_refusals(wanted: Conditions) -> Iterator[Refusal]:
    kind = regulations.kind_of(wanted.total_seconds)
    if kind == wanted.kind:
        return
    minutes = f"{wanted.total_seconds / 60:g}"
    message = {
        "rapid": _("%(minutes)s minutes for 60 moves make a rapid tournament, not %(kind)s (article 1.1.1)."),
        "blitz": _("%(minutes)s minutes for 60 moves make a blitz tournament, not %(kind)s (article 1.1.2)."),
        None: _("%(minutes)s minutes for 60 moves are neither rapid nor blitz (article 1.1)."),
    }[kind]
    named = Kind(wanted.kind).label
    yield Refusal("kind-1.1", message % {"minutes": minutes, "kind": named}, "time_control")


def match_refusals(wanted: Conditions) -> Iterator[Refusal]:
    """Yield the reasons against the number of games of a match (5.2, D-84)."""
    if wanted.games_per_match is None:
        return
    if not wanted.is_match:
        message = _(
            "Games per match are only for matches. Mark the tournament as a match, or leave this field empty."
        )
        yield Refusal("games-without-match-5", message, "games_per_match")
    elif not 1 <= wanted.games_per_match <= MAX_ROUNDS:
        message = _("Enter 1 to %(limit)d games per match.") % {"limit": MAX_ROUNDS}
        yield Refusal("games-per-match-5", message, "games_per_match")


def _build(wanted: Conditions, *, by: Any, on: date, federations: Federations) -> Tournament:
    columns = {name: wanted.value(name) for name in COLUMNS}
    columns |= {
        "event_id": wanted.event_id or event_id_for(wanted),
        "name": " ".join(wanted.name.split()),
    }
    return Tournament(
        **columns,
        federation=federations.get(wanted.federation_code),
        has_request=bool(wanted.match_waiver.strip()),
        continues=part_before(wanted.continues, wanted.federation_code) if wanted.continues else None,
        registration=registration_for(wanted, on=on),
        registered_on=on,
        registered_by=by,
    )


def event_id_for(wanted: Conditions) -> str:
    """Return the id of an event that was given none, from what identifies it.

    It does not depend on the order of registrations, so that ties between events (D-6) never do.
    """
    identity = f"{wanted.kind}|{wanted.start}|{wanted.end}|{' '.join(words_of(wanted.name))}"
    digest = hashlib.sha256(identity.encode()).hexdigest()[:6].upper()
    return f"{wanted.federation_code}-{wanted.kind[0].upper()}{wanted.start:%y%m%d}-{digest}"


def same_registration(wanted: Conditions, *, by: Any) -> Tournament | None:
    """Return the tournament that the same person has registered with the same words, None without one."""
    tournament = Tournament.objects.filter(event_id=event_id_for(wanted), registered_by=by).first()
    if tournament is None:
        return None
    return None if any(differing(tournament, wanted, COMPARED)) else tournament


def differing(tournament: Tournament, wanted: Conditions, names: Sequence[str]) -> Iterator[str]:
    """Yield in what a registration handed in differs from the registered one: both values of each condition (D-82).

    Fields that are one condition to people, such as base time and increment, are named once.
    """
    different = (name for name in names if registered_value(tournament, name) != wanted.value(name))
    for name, shown_as in {RULES[name].shown_as or name: name for name in different}.items():
        if name == "time_control":
            label, registered, handed_in = _("time control"), tournament.time_control, wanted.time_control
        else:
            label = str(Tournament._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
            registered, handed_in = registered_value(tournament, shown_as), getattr(wanted, shown_as)
        values = {"registered": shown_value(registered), "handed_in": shown_value(handed_in)}
        yield f"{label}{colon()} " + _("registered %(registered)s, submitted %(handed_in)s") % values


def registered_value(tournament: Tournament, name: str) -> Any:
    """Return what is registered of a condition: a waiver that waits for the QC, the ID of the part before."""
    if name == "continues":
        return tournament.part_before_id
    if name == "match_waiver":
        return waiver_of(tournament)
    return getattr(tournament, "federation_id" if name == "federation_code" else name)


def registered_conditions(tournament: Tournament, **others: Any) -> Conditions:
    """Return the conditions with which a tournament is registered, some of them replaced."""
    arbiters = [*tournament.arbiters.all()]
    people = {
        "chief_id": next((one.player_id for one in arbiters if one.is_chief), None),
        "deputy_ids": [one.player_id for one in arbiters if not one.is_chief],
    }
    names = RULES.keys() - people.keys() - others.keys() - {"late_reason"}
    return Conditions(**{name: registered_value(tournament, name) for name in names} | people | others)


def already_registered(wanted: Conditions) -> Refusal:
    """Return why a tournament with the same event ID cannot be registered: in what it differs (D-82)."""
    event_id = wanted.event_id or event_id_for(wanted)
    tournament = Tournament.objects.filter(event_id=event_id).first()
    message = _("A tournament with event ID %(event)s is already registered.") % {"event": event_id}
    found = [*differing(tournament, wanted, COMPARED)] if tournament else []
    return Refusal("already-registered", " ".join([message, " · ".join(found)]).strip(), "name")


def arbiter_rows(
    tournament: Tournament, chief: int | None, deputies: Sequence[int]
) -> list[TournamentArbiter]:
    """Return the arbiters of a tournament by FIDE ID, not written yet: the chief first, each once."""
    ids = dict.fromkeys([*([chief] if chief else []), *deputies])
    return [
        TournamentArbiter(tournament=tournament, player_id=fide_id, is_chief=fide_id == chief, place=place)
        for place, fide_id in enumerate(ids)
    ]
