"""A report against the registration of its tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date

from players.text import words_of
from tournaments import regulations
from tournaments.models import Tournament
from tournaments.services.checks.findings import header_place, portal_finding
from tournaments.trf import Finding, Report, rounds_per_day
from tournaments.trf.time_control import TimeControl, classify, parse_222, parse_time_control

# Words of a record 102 that are no part of a name.
TITLES = {"ia", "fa", "na", "ca", "ci", "int", "fide", "id", "arbiter", "chief"}
MATCH_PLAYERS = 2


def check_registration(report: Report, tournament: Tournament, *, on: date) -> Iterator[Finding]:
    """Yield in what a report differs from the registration, and more rounds a day than are rated (3.1)."""
    yield from _days(report, tournament, on)
    if report.federation and report.federation != tournament.federation_id:
        codes = {"reported": report.federation, "registered": tournament.federation_id}
        yield portal_finding("event-federation", header_place(report, "032"), **codes)
    if report.name and words_of(report.name) != words_of(tournament.name):
        names = {"reported": report.name, "registered": tournament.name}
        yield portal_finding("event-name", header_place(report, "012"), **names)
    yield from _rounds_a_day(report, tournament)
    yield from _schedule(report, tournament)
    yield from _time_control(report, tournament)
    yield from _arbiter(report, tournament)
    yield from _match(report, tournament)


def _days(report: Report, tournament: Tournament, on: date) -> Iterator[Finding]:
    if report.start is None or report.end is None:
        yield portal_finding("event-days-missing")
    elif (report.start, report.end) != (tournament.start, tournament.end):
        tag = "042" if report.start != tournament.start else "052"
        days = {
            "reported": f"{report.start} – {report.end}",
            "registered": f"{tournament.start} – {tournament.end}",
        }
        yield portal_finding("event-days", header_place(report, tag), **days)
    if on < tournament.end:
        yield portal_finding("event-not-over", end=tournament.end.isoformat())


def _rounds_a_day(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """More rounds a day than 3.1 allows are an error (D-16), day by day or, without dates, on the whole."""
    limit = regulations.ROUNDS_A_DAY[tournament.kind]
    crowded = {day: rounds for day, rounds in sorted(rounds_per_day(report).items()) if rounds > limit}
    for day, rounds in crowded.items():
        place = header_place(report, "132")
        yield portal_finding("rounds-a-day-3.1", place, rounds=rounds, day=day.isoformat(), limit=limit)
    days = (tournament.end - tournament.start).days + 1
    if report.rounds > limit * days and not crowded:
        yield portal_finding("rounds-in-all-3.1", rounds=report.rounds, days=days, limit=limit)


def _schedule(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """The rounds and their days against the playing schedule, which is part of the registration (0.2)."""
    schedule = [str(day) for day in tournament.schedule or () if day]
    dates = [day.isoformat() for day in report.round_dates if day]
    if schedule == dates:
        # Agreed, or taken from this report in the first place.
        return
    if schedule and report.rounds != len(schedule):
        yield portal_finding("event-rounds", reported=report.rounds, registered=len(schedule))
    elif schedule and len(dates) == len(schedule) and Counter(dates) != Counter(schedule):
        yield portal_finding("event-round-dates", header_place(report, "132"))


def _time_control(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """The time of 222, else of 122, against the registration: its kind (1.1), then the time itself."""
    tag, text, control = _reported_time(report)
    if control is None or not tournament.base_seconds:
        return
    registered = (tournament.base_seconds, tournament.increment_seconds)
    kind = classify(control.total)
    if kind != tournament.kind:
        kinds = {"reported_kind": kind or "bullet", "registered_kind": tournament.kind}
        yield portal_finding("event-kind", header_place(report, tag), reported=text, **kinds)
    elif control.total != registered[0] + 60 * registered[1]:
        times = {"reported": text, "registered": tournament.time_control}
        yield portal_finding("event-time-control", header_place(report, tag), **times)


def _reported_time(report: Report) -> tuple[str, str, TimeControl | None]:
    encoded = report.encoded_time_control
    if encoded and (control := parse_222(encoded)):
        return "222", encoded, control
    return "122", report.time_control, parse_time_control(report.time_control)


def _arbiter(report: Report, tournament: Tournament) -> Iterator[Finding]:
    reported, registered = name_words(report.chief_arbiter), name_words(tournament.chief_arbiter)
    if reported and registered and not reported & registered:
        names = {"reported": report.chief_arbiter, "registered": tournament.chief_arbiter}
        yield portal_finding("event-arbiter", header_place(report, "102"), **names)


def _match(report: Report, tournament: Tournament) -> Iterator[Finding]:
    if not tournament.is_match:
        return
    players = {number for game in report.games() for number in (game.white, game.black)}
    if len(players) != MATCH_PLAYERS:
        yield portal_finding("match-players-5", players=len(players))


def name_words(text: str) -> set[str]:
    """Return the words of an arbiter's record that may be the name: no titles, no numbers."""
    return {word for word in words_of(text) if word not in TITLES and not word.isdigit()}
