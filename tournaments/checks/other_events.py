"""A report against the accepted reports of other events."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import date

from players.models import Player
from tournaments import regulations
from tournaments.checks.games_again import find_games_again, find_same_games
from tournaments.checks.inspection import Inspection
from tournaments.models import Tournament
from tournaments.other_reports import OtherLine, OtherReports, span_of
from tournaments.trf import Finding, PlayerRecord, Report, rounds_per_day
from tournaments.trf.findings import found
from tournaments.trf.report import field_place


def check_other_events(inspection: Inspection) -> Iterator[Finding]:
    """Yield whether the event was reported before, and who played elsewhere on the same day (3.1)."""
    report, tournament, players = inspection.report, inspection.tournament, inspection.people.players
    ids = {player.fide_id for player in players.values()}
    span = span_of(tournament, report)
    reports = inspection.lookups.other_reports(ids, span)
    others = reports.lines(ids, tournament, span)
    again = find_games_again(report, tournament, players, others, reports)
    but = {found.event.report for found in again if found.rounds}
    # Within two years (D-129); whole rounds of the same days are an error already.
    same = find_same_games(report, tournament, players, reports, but=but)
    yield from same.values()
    yield from (found.finding() for found in again if found.event.report not in same)
    # An event that is reported twice would also name each of its players as playing elsewhere.
    same_event = {found.event.report for found in again} | same.keys()
    own_days = rounds_per_day(report)
    same_day = [
        other
        for other in others
        if other.event.report not in same_event and any(day in other.event.rounds_on for day in own_days)
    ]
    yield from _same_day(report, tournament, players, same_day, reports)


def check_same_file(inspection: Inspection) -> Iterator[Finding]:
    """Yield whether another event has these very bytes as its accepted report (D-86)."""
    other = inspection.lookups.event_with(inspection.report.sha256, inspection.tournament)
    if other is not None:
        yield found("report-again", name=other.name, event_id=other.event_id)


def _same_day(
    report: Report,
    tournament: Tournament,
    players: Mapping[int, Player],
    others: Collection[OtherLine],
    reports: OtherReports,
) -> Iterator[Finding]:
    if not others:
        return
    dates = dict(enumerate(report.round_dates, 1))
    only = tournament.start if tournament.start == tournament.end else None
    own: dict[int, Counter[date]] = defaultdict(Counter)
    for game in report.games:
        if game.played and (day := dates.get(game.round) or only):
            own[game.white][day] += 1
            own[game.black][day] += 1
    theirs = reports.rounds_of(others)
    by_player: dict[int, list[OtherLine]] = defaultdict(list)
    for other in others:
        by_player[other.player_id].append(other)
    for record in report.players:
        player = players.get(record.number)
        if player and player.fide_id in by_player and record.number in own:
            yield from _of_player(
                record, player, tournament, own[record.number], by_player[player.fide_id], theirs
            )


def _of_player(
    record: PlayerRecord,
    player: Player,
    tournament: Tournament,
    own: Counter[date],
    others: Collection[OtherLine],
    theirs: Counter[tuple[int, int]],
) -> Iterator[Finding]:
    """Yield more rounds a day than 3.1 allows across events of the kind; else that one played elsewhere too."""
    limit = regulations.ROUNDS_A_DAY[tournament.kind]
    place = field_place(record, "name")
    for day, rounds in sorted(own.items()):
        same_day = [
            # Of a stored game only the round is known and not the day: at most the rounds of that day, and all games of
            # the player.
            (other.event, min(other.event.rounds_on[day], theirs[other.event.report, other.number]))
            for other in others
            if day in other.event.rounds_on and theirs[other.event.report, other.number]
        ]
        # The limit of 3.1 is one for rapid and another for blitz; rounds of both are not added up.
        same_kind = [(event, count) for event, count in same_day if event.kind == tournament.kind]
        elsewhere = sum(count for _, count in same_kind)
        when: dict[str, str | int] = {"name": player.name, "day": day.isoformat()}
        if elsewhere and rounds + elsewhere > limit:
            events = ", ".join(event.event_id for event, _ in same_kind)
            counts: dict[str, str | int] = {"rounds": rounds + elsewhere, "others": elsewhere, "limit": limit}
            yield found("player-rounds-a-day", place, **when, **counts, events=events, kind=tournament.kind)
            continue
        for event, _ in same_day:
            yield found("player-elsewhere", place, **when, event=event.name, event_id=event.event_id)
