"""A report against the registration of its tournament."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date

from players.person_names import have_a_word_in_common
from players.spelling import words_of
from tournaments import regulations
from tournaments.checks.inspection import Inspection
from tournaments.identity import event_words
from tournaments.models import Tournament
from tournaments.trf import Finding, Report, rounds_per_day
from tournaments.trf.checks.days import days_differ
from tournaments.trf.fields import in_ranges
from tournaments.trf.findings import WHOLE_FILE, found
from tournaments.trf.report import header_place
from tournaments.trf.time_control import (
    classify,
    kinds_by_round,
    parse_time_control,
)

# Words of a record 102 that are no part of a name.
TITLES = {"ia", "fa", "na", "ca", "ci", "int", "fide", "id", "arbiter", "chief"}
MATCH_PLAYERS = 2


def check_registration(inspection: Inspection) -> Iterator[Finding]:
    """Yield in what a report differs from the registration, and more rounds a day than are rated (3.1)."""
    report, tournament = inspection.report, inspection.tournament
    yield from _days(report, tournament, inspection.on)
    yield from _rounds_of_part_before(report, tournament)
    # Only the federation in whose territory it is held reports an event (0.2).
    if report.federation and not _is_held_in(report.federation, tournament):
        codes = {"reported": report.federation, "registered": tournament.federation_id}
        yield found("event-federation", header_place(report, "032"), **codes)
    before = tournament.continues
    # A monthly part may bear the name of the part before, as the event goes on (D-117).
    parts = [event_words(part.name) for part in (tournament, before) if part]
    if report.name and event_words(report.name) not in parts:
        names = {"reported": report.name, "registered": tournament.name}
        finding = found("event-name", header_place(report, "012"), **names)
        yield finding.with_fix(f"012 {tournament.name}" if "012" in report.header_lines else None)
    # More rounds a day than 3.1 allows are an error (D-16), day by day or, without dates, on the whole.
    limit = regulations.ROUNDS_A_DAY[tournament.kind]
    crowded = {day: rounds for day, rounds in sorted(rounds_per_day(report).items()) if rounds > limit}
    for day, rounds in crowded.items():
        place = header_place(report, "132")
        yield found("rounds-a-day-3.1", place, rounds=rounds, day=day.isoformat(), limit=limit)
    days = (tournament.end - tournament.start).days + 1
    # Days that are too full already name their rounds, and so many on the whole follow from them.
    if report.rounds > limit * days and not crowded:
        yield found("rounds-in-all-3.1", rounds=report.rounds, days=days, limit=limit)
    yield from _schedule(report, tournament)
    yield from _other_kinds(report, tournament)
    yield from _time_control(report, tournament)
    yield from _unequal_times(report, tournament)
    yield from _arbiter(report, tournament)
    yield from _match(report, tournament)


def _is_held_in(code: str, tournament: Tournament) -> bool:
    """Return whether an event is of a federation; that of an Affiliated Organisation is also in its territory (0.2)."""
    return code == tournament.federation_id or code == tournament.federation.territory_of_id


def _days(report: Report, tournament: Tournament, on: date | None) -> Iterator[Finding]:
    """Compare 042 and 052 with the registration; without both, the days of 132 (D-85)."""
    # The days of the registration are taken then.
    if report.start is None and report.end is None:
        yield found("event-days-missing")
        played = sorted(day for day in report.round_dates if day)
        if played and not tournament.start <= played[0] <= played[-1] <= tournament.end:
            days = {"first": played[0], "last": played[-1], "start": tournament.start, "end": tournament.end}
            texts = {name: day.isoformat() for name, day in days.items()}
            yield found("event-dates-others", header_place(report, "132"), **texts)
    # Those that are plausible as registered are named with their fix.
    pairs = ("042", report.start, tournament.start), ("052", report.end, tournament.end)
    for tag, day, wanted in pairs:
        if day and day != wanted:
            yield days_differ(report, tag, [day], [wanted])
    # A running event has no final report.
    if on and on < tournament.end:
        yield found("event-not-over", end=tournament.end.isoformat())


def _rounds_of_part_before(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """Rounds of a monthly part that were played before the part before had ended are an error (D-117)."""
    before = tournament.continues
    if before is None:
        return
    early = [number for number, day in enumerate(report.round_dates, 1) if day and day <= before.end]
    if early:
        part = {"name": before.name, "event_id": before.event_id, "end": before.end.isoformat()}
        place = header_place(report, "132")
        yield found("part-rounds-early", place, rounds=in_ranges(early), **part)


def _schedule(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """Compare the rounds that were played, whatever 132 says, and their days with the registration (0.2, D-138)."""
    schedule = [str(day) for day in tournament.schedule or () if day]
    # Rounds outside the event are said already.
    inside = [day for day in report.round_dates if day and tournament.start <= day <= tournament.end]
    dates = [day.isoformat() for day in inside]
    played, registered = _rounds_with_games(report), len(tournament.schedule or ())
    if registered and len(played) != registered:
        missing = [number for number in range(1, registered + 1) if number not in played]
        differing = played[registered:] or missing
        numbers = {"reported": len(played), "registered": registered}
        yield found("event-rounds", rounds=in_ranges(differing), **numbers)
    # Only the days are compared: rounds out of order are a finding on the report itself.
    elif schedule and len(dates) == len(schedule) and Counter(dates) != Counter(schedule):
        yield found("event-round-dates", header_place(report, "132"))


def _rounds_with_games(report: Report) -> list[int]:
    """Return the rounds with a game or a forfeit; pairings without results are not played yet."""
    games = (game for game in report.games if game.white_code.strip() or game.black_code.strip())
    return sorted({game.round for game in games})


def _other_kinds(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """Rounds that 122 or the registration puts under a time of another kind are an error (1.1, D-138)."""
    texts = (header_place(report, "122"), report.time_control), (WHOLE_FILE, tournament.time_control_text)
    for place, text in texts:
        by_kind: dict[str, set[int]] = defaultdict(set)
        for numbers, kind in kinds_by_round(text):
            by_kind[kind].update(numbers)
        played = _rounds_with_games(report) if by_kind else []
        for kind, of_kind in by_kind.items():
            rounds = sorted(of_kind.intersection(played))
            if rounds and kind != tournament.kind:
                kinds = {"reported_kind": kind, "registered_kind": tournament.kind}
                yield found("rounds-of-another-kind", place, rounds=in_ranges(rounds), **kinds)
        if by_kind:
            return


def _time_control(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """Compare the time of 222, else of 122, with the registration: the kind (1.1), then the time itself (D-122)."""
    tag, text, control = report.told_time
    if not tournament.base_seconds:
        return
    if control is None:
        # Two controls in one text, or an unknown spelling: a guess could be wrong (D-122).
        if report.time_control:
            times = {"reported": report.time_control, "registered": tournament.time_control}
            yield found("event-time-control-unread", header_place(report, "122"), **times)
        return
    registered = tournament.base_seconds + 60 * tournament.increment_seconds
    # The time decides on which list a game is rated (1.1), so another kind matters more than another time.
    kind = classify(control.total)
    if kind == tournament.kind and control.total == registered:
        return
    texts = {tag: text}
    if tag == "222" and (free := parse_time_control(report.time_control)) and free.total != registered:
        texts["122"] = report.time_control
    lines = {tag: header_place(report, tag).line for tag in texts}
    for tag, text in texts.items():
        params: dict[str, str | int] = {"reported": text, "registered": tournament.time_control}
        code = "event-time-control"
        if kind != tournament.kind:
            code = "event-kind"
            params = {"reported": text, "reported_kind": kind or "bullet", "registered_kind": tournament.kind}
        if others := [line for one, line in lines.items() if one != tag and line]:
            params["other_line"] = others[0]
        yield found(code, header_place(report, tag), **params).with_fix(_registered_time(tournament, tag))


def _registered_time(tournament: Tournament, tag: str) -> str | None:
    """Return a record with the registered time control, None where it has several."""
    if tournament.has_unequal_times or tournament.time_control_text:
        return None
    encoded = f"{tournament.base_seconds}+{tournament.increment_seconds}"
    return f"{tag} {encoded if tag == '222' else tournament.time_control}"


def _unequal_times(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """Times that differ in the report and not in the registration are an error (1.2, D-83)."""
    if tournament.has_unequal_times:
        return
    # It has to be known before the games are played (D-83).
    for tag in report.unequal_times:
        yield found("unequal-times-1.2", header_place(report, tag), tag=tag)


def _arbiter(report: Report, tournament: Tournament) -> Iterator[Finding]:
    reported, registered = name_words(report.chief_arbiter), name_words(tournament.chief_arbiter)
    if not have_a_word_in_common(" ".join(reported), " ".join(registered)):
        names = {"reported": report.chief_arbiter, "registered": tournament.chief_arbiter}
        yield found("event-arbiter", header_place(report, "102"), **names)


def _match(report: Report, tournament: Tournament) -> Iterator[Finding]:
    """Check the games of a match report; one with more than two players is several matches (5, D-84)."""
    # With the number of games, each pair is a match of its own and may be decided alone (D-84).
    if not tournament.is_match or tournament.games_per_match:
        return
    players = {number for game in report.games for number in (game.white, game.black)}
    if len(players) > MATCH_PLAYERS:
        yield found("match-games-missing", players=len(players))


def name_words(text: str) -> set[str]:
    """Return the words of an arbiter's record that may be the name: no titles, no numbers."""
    return {word for word in words_of(text) if word not in TITLES and not word.isdigit()}
