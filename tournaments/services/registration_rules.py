"""What a registration has to fulfil (FIDE R&B 2024, 0.2, 0.3, 1.1, 5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal
from players.federations import Federations
from players.name_refusals import text_refusals
from tournaments import regulations
from tournaments.choices import Kind
from tournaments.conditions import Conditions
from tournaments.queries.lookups import Lookups
from tournaments.services.parts import part_refusals
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
    elif on > wanted.start and not wanted.is_reported_by_staff:
        message = _(
            "The tournament started on %(start)s, before its registration on %(on)s. Registration closes on the first "
            "day (article 0.2). If it was registered or sent to the QC by then, ask the operator of the portal to "
            "enter it with that day."
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


def is_late(wanted: Conditions, on: date) -> bool:
    """Return whether a registration made on a day misses the three days, which do not bind FIDE staff (0.2, 0.3)."""
    return not wanted.is_reported_by_staff and not regulations.is_registered_in_time(wanted.start, on)


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
