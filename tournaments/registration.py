"""What a registration has to fulfil (FIDE R&B 2024, 0.2, 0.3, 1.1, 5.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refusing_second
from players.federations import Federations
from players.models import Federation
from players.name_refusals import text_refusals
from players.own_matters import decides_alone
from tournaments import regulations
from tournaments.choices import Action, Kind, Registration, RequestSort
from tournaments.conditions import COLUMNS, COMPARED, Conditions
from tournaments.limits import refuse_too_many_open
from tournaments.log import new_entry, record_actions
from tournaments.lookups import Lookups
from tournaments.models import Tournament, TournamentArbiter
from tournaments.parts import LONGEST_IN_ONE, part_before, part_refusals
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.registered_conditions import (
    already_registered,
    differing,
    event_id_for,
    free_event_id,
    registered_like,
    waiver_changes,
)
from tournaments.requested_changes import ask_the_qc
from tournaments.towns import match_towns
from tournaments.trf.limits import MAX_ROUNDS

MAX_YEARS_AHEAD = 3
DAYS_OF_A_YEAR = 365
# Names that people read: none of them may look like another one.
SHOWN_TEXTS = ("name", "city", "chief_arbiter", "organiser")


def refusals_of(wanted: Conditions, *, on: date, lookups: Lookups) -> Iterator[Refusal]:
    """Yield the reasons against a registration on a day."""
    if not wanted.name.strip():
        yield Refusal("name-missing", _("Enter the name of the tournament."), "name")
    yield from text_refusals({name: getattr(wanted, name) for name in SHOWN_TEXTS if name != "name"})
    # As it will be stored: blanks that are dropped anyway are no reason to refuse.
    yield from text_refusals({"name": " ".join(wanted.name.split())})
    yield from _federation_refusals(wanted, on, lookups.federations)
    yield from day_refusals(wanted, on, lookups.first_rated_day)
    # After the first day no reason helps: the registration is refused by another rule.
    if on <= wanted.start and is_late(wanted, on) and not wanted.late_reason.strip():
        message = _("Enter the reason for the late registration. The QC reads it.")
        yield Refusal("late-reason-0.2", message, "late_reason")
    days_ahead = (wanted.start - on).days
    if days_ahead > DAYS_OF_A_YEAR and not wanted.is_year_ahead and not is_far_away(wanted.start, on):
        message = _(
            "The first day is %(days)d days ahead. Correct it, or confirm that it is more than a year ahead."
        )
        yield Refusal("year-ahead-D-140", message % {"days": days_ahead}, "is_year_ahead")
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
    elif not wanted.is_reported_by_staff and not federations.may_register(federation, on):
        message = _(
            "%(name)s is not a member of FIDE or is excluded, so it cannot register "
            "tournaments (article 9.1)."
        )
        yield Refusal("federation-excluded-9.1", message % {"name": federation.shown_name}, "federation")


def day_refusals(wanted: Conditions, on: date, first_rated: date) -> Iterator[Refusal]:
    """Yield the reasons against the days of a tournament; `first_rated` is the first day that can be rated (D-13)."""
    if wanted.end < wanted.start:
        yield Refusal(
            "end-before-start", _("The last day is before the first day. Correct one of them."), "end"
        )
    if wanted.start < first_rated:
        message = _("The portal has no regulations for tournaments that start before %(day)s.")
        yield Refusal("no-rules-D-13", message % {"day": date_format(first_rated)}, "start")
    elif is_far_away(wanted.start, on) or is_far_away(wanted.end, on):
        message = _("The date must be no more than %(years)d years ahead.")
        field = "start" if is_far_away(wanted.start, on) else "end"
        yield Refusal("far-away", message % {"years": MAX_YEARS_AHEAD}, field)
    elif on > wanted.start and not wanted.is_reported_by_staff:
        message = _(
            "Registration closed on the first day, %(start)s (article 0.2). If it was registered elsewhere by then, "
            "ask the operator of the portal (page “About”) to enter it."
        )
        yield Refusal("after-first-day-0.2", message % {"start": date_format(wanted.start)}, "start")


def late_entries(entry_until: date | None, start: date) -> str:
    """Return what is wrong with a closing day of entries after the first day, "" where it is not after it."""
    if entry_until is None or entry_until <= start:
        return ""
    message = _("Entries are open until %(day)s, after the first day, %(start)s. Correct the closing day.")
    return message % {"day": date_format(entry_until), "start": date_format(start)}


def day_warnings(
    start: date, end: date, schedule: Sequence[str], *, entry_until: date | None = None
) -> Iterator[str]:
    """Yield what may be wrong with the days of an event; no rule is against it.

    The first day decides the deadline of registration and the list in force, the last day the deadline of the report.
    Neither must have a round: the schedule is without play-offs, and a report may name its days apart from its rounds
    (D-85).
    """
    if end - start >= LONGEST_IN_ONE:
        yield _("Longer than 30 days: if you register monthly parts, the games are rated sooner.")
    if schedule and start.isoformat() not in schedule:
        message = _("No round is on the first day, %(day)s. Correct the first day or the schedule.")
        yield message % {"day": date_format(start)}
    if schedule and end.isoformat() not in schedule:
        message = _("No round is on the last day, %(day)s. Correct the last day or the schedule.")
        yield message % {"day": date_format(end)}
    if late := late_entries(entry_until, start):
        yield late


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
            "waiver before the first day (article 5.2)."
        )
        days = {"day": date_format(day), "start": date_format(wanted.start)}
        yield Refusal("waiver-late-D-80", message % days, "match_waiver_on")


def is_late(wanted: Conditions, on: date) -> bool:
    """Return whether a registration made on a day misses the three days, which do not bind FIDE staff (0.2, 0.3)."""
    return not wanted.is_reported_by_staff and not regulations.is_registered_in_time(wanted.start, on)


def is_far_away(day: date, on: date) -> bool:
    """Return whether a day is too far in the future; lists after the end of the calendar would fail."""
    return (day - on).days > MAX_YEARS_AHEAD * 366


def of_no_kind(seconds: int) -> str:
    """Return that so many seconds for 60 moves make no rating type (1.1)."""
    message = _(
        "%(minutes)s minutes for 60 moves are neither rapid nor blitz (article 1.1). Correct the time control."
    )
    return message % {"minutes": f"{seconds / 60:g}"}


def time_control_refusals(wanted: Conditions) -> Iterator[Refusal]:
    kind = regulations.kind_of(wanted.total_seconds)
    if kind == wanted.kind:
        return
    minutes = f"{wanted.total_seconds / 60:g}"
    message = {
        "rapid": _(
            "%(minutes)s minutes for 60 moves make a rapid tournament, not %(kind)s (article 1.1.1). "
            "Correct the rating type or the time control."
        ),
        "blitz": _(
            "%(minutes)s minutes for 60 moves make a blitz tournament, not %(kind)s (article 1.1.2). "
            "Correct the rating type or the time control."
        ),
        None: of_no_kind(wanted.total_seconds),
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
    if like := like_refusals(wanted):
        raise RefusedError(like)
    # The event ID is unique: of two officers who register an event at once the second learns so.
    with refusing_second(already_registered(wanted, None)):
        refuse_too_many_open(wanted.federation_code, by=by, on=on)
        write_registrations([new], by=by, at=at)
    return new.tournament


def like_refusals(wanted: Conditions) -> list[Refusal]:
    """Return the refusal of an event that may be a registered one, where nobody said that it is another (D-135)."""
    like = None if wanted.is_another else registered_like(wanted)
    return [already_registered(wanted, like)] if like else []


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


def waiting_reason(wanted: Conditions, *, on: date, words: str = "", late: str = "late") -> str:
    """Return why a registration made on a day waits for the QC, with words of a person; else these alone.

    `late` is the code of the reason for one that is not in time.
    """
    if registration_for(wanted, on=on) != Registration.WAITING:
        return words
    return SENTENCES.state(
        "hybrid" if wanted.is_hybrid else late, words=f"{words} {wanted.late_reason}".strip()
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


@dataclass(frozen=True, slots=True)
class RowPreview:
    """The result of registering one row: `like` is there already, `refusals` are the reasons against it.

    `warnings` are what may be wrong with its days.
    """

    request: Conditions
    waits: bool
    like: Tournament | None
    refusals: tuple[Refusal, ...]
    warnings: tuple[str, ...]


def prospects(requests: Mapping[int, Conditions], *, by: Any, on: date) -> dict[int, RowPreview]:
    """Return the result of registering on a day, by line."""
    # One query for the whole file.
    days, codes = ({getattr(one, name) for one in requests.values()} for name in ("start", "federation_code"))
    there = [*Tournament.objects.filter(start__in=days, federation_id__in=codes).order_by("pk")]
    first_line: dict[str, int] = {}
    found: dict[int, RowPreview] = {}
    lookups = Lookups()
    for line, request in requests.items():
        before = first_line.setdefault(event_id_for(request), line)
        like = registered_like(request, among=there)
        # Another city or time control under the same name is no second upload and needs an answer.
        is_done = (
            like is not None and like.registered_by == by and not any(differing(like, request, COMPARED))
        )
        # A row that was registered before may be past its first day by now, which must not refuse the file.
        refusals = () if is_done else tuple(refusals_of(request, on=on, lookups=lookups))
        if before != line:
            message = _("Same tournament as in line %(line)d.") % {"line": before}
            refusals = (*refusals, Refusal("twice-in-the-file", message, "name"))
        elif like is not None and not is_done:
            refusals = (*refusals, replace(already_registered(request, like), field="name"))
        waits = registration_for(request, on=on) == Registration.WAITING
        warnings = tuple(day_warnings(request.start, request.end, request.schedule or ()))
        found[line] = RowPreview(request, waits, like if is_done else None, refusals, warnings)
    return found


def register_all(requests: Mapping[int, Conditions], *, by: Any, on: date, at: datetime) -> int:
    """Register what is not registered yet, all or nothing, and return how many; sent again it changes nothing.

    RefusedError where something came between.
    """
    with transaction.atomic():
        codes = {request.federation_code for request in requests.values()}
        # All of them in one order, before the account: two who register for the same ones do not block each other.
        list(Federation.objects.select_for_update(no_key=True).filter(pk__in=codes).order_by("pk"))
        # Again under the lock: what the preview showed may have changed.
        planned = prospects(requests, by=by, on=on)
        refusals = [refusal for prospect in planned.values() for refusal in prospect.refusals]
        if refusals:
            raise RefusedError(refusals)
        new = [prospect.request for prospect in planned.values() if prospect.like is None]
        for request in new:
            register_tournament(request, by=by, on=on, at=at)
    return len(new)
