"""A report against the accepted reports of other events: the same event again, and a player's rounds of one day."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q

from players.bulk import among
from players.models import Player
from tournaments import regulations
from tournaments.choices import ReportState
from tournaments.models import Game, Participant, Tournament
from tournaments.services.checks.findings import field_place, portal_finding
from tournaments.trf import Finding, Pairing, PlayerRecord, Report, rounds_per_day

# A report that is sent again under another name is looked for among the events of so many days before and after.
AGAIN_WITHIN = timedelta(days=45)
# Fewer games, such as those of a short match, may be alike by chance.
FEWEST_GAMES = 6
# The games of so many events with the same players are compared.
MOST_EVENTS = 10

Played = Counter[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class Other:
    """A player's line in the accepted report of another event; `rounds_on` are its rounds by day, where certain."""

    player_id: int
    number: int
    report_id: int
    event_id: str
    name: str
    kind: str
    start: date
    rounds_on: Mapping[date, int]


def check_other_events(
    report: Report, tournament: Tournament, players: Mapping[int, Player]
) -> Iterator[Finding]:
    """Yield whether the event was reported before, and who played elsewhere on the same day (3.1)."""
    others = list(_others([player.fide_id for player in players.values()], tournament))
    if not others:
        return
    games = [game for game in report.games() if game.played]
    mine = Counter(
        (players[game.white].fide_id, players[game.black].fide_id, game.white_code)
        for game in games
        if game.white in players and game.black in players
    )
    again = yield from _again(mine, others)
    own_days = rounds_per_day(report)
    same_day = [
        other
        for other in others
        if other.report_id not in again and any(day in other.rounds_on for day in own_days)
    ]
    yield from _same_day(report, tournament, players, games, same_day)


def _others(ids: Collection[int], tournament: Tournament) -> Iterator[Other]:
    """Yield the players' lines in the accepted reports of other events at about the same time."""
    event = "report__tournament"
    rows = (
        Participant.objects.filter(player_id__in=among(ids), report__state=ReportState.ACCEPTED)
        .filter(
            report__tournament__start__lte=tournament.end + AGAIN_WITHIN,
            report__tournament__end__gte=tournament.start - AGAIN_WITHIN,
        )
        .exclude(report__tournament_id=tournament.pk)
        .order_by()
        .values_list(
            *("player_id", "number", "report_id", f"{event}__event_id", f"{event}__name", f"{event}__kind"),
            *(f"{event}__start", f"{event}__end", f"{event}__schedule", "report__rounds"),
        )
    )
    for player_id, number, report_id, event_id, name, kind, start, end, schedule, rounds in rows:
        rounds_on = _rounds_on(start, end, schedule, rounds)
        yield Other(player_id, number, report_id, event_id, name, kind, start, rounds_on)


def _again(mine: Played, others: Iterable[Other]) -> Generator[Finding, None, set[int]]:
    """Yield the events with the same games, nine in ten of them or more; return their reports."""
    found: set[int] = set()
    if mine.total() < FEWEST_GAMES:
        return found
    alike = _with_the_same_players(mine, others)
    for report_id, theirs in _games_of(alike).items():
        common = (mine & theirs).total()
        if 10 * common >= 9 * max(mine.total(), theirs.total()):
            found.add(report_id)
            other = alike[report_id]
            event = {"event_id": other.event_id, "name": other.name, "start": other.start.isoformat()}
            yield portal_finding("event-again", common=common, games=mine.total(), **event)
    return found


def _with_the_same_players(mine: Played, others: Iterable[Other]) -> dict[int, Other]:
    """Return a line of each other report that has nine in ten of the players too, of few reports at most."""
    playing = {player for white, black, _ in mine for player in (white, black)}
    lines: dict[int, dict[int, Other]] = defaultdict(dict)
    for other in others:
        if other.player_id in playing:
            lines[other.report_id][other.player_id] = other
    alike = {
        report_id: next(iter(some.values()))
        for report_id, some in lines.items()
        if 10 * len(some) >= 9 * len(playing)
    }
    return dict(sorted(alike.items())[:MOST_EVENTS])


def _games_of(reports: Collection[int]) -> dict[int, Played]:
    """Return the played games of reports by FIDE ID, as far as both players are in the portal."""
    played: dict[int, Played] = defaultdict(Counter)
    if not reports:
        return played
    ids = {
        (report_id, number): player_id
        for report_id, number, player_id in Participant.objects.filter(
            report_id__in=reports, player_id__isnull=False
        )
        .order_by()
        .values_list("report_id", "number", "player_id")
    }
    rows = Game.objects.filter(report_id__in=reports, is_played=True).order_by()
    for report_id, white, black, code in rows.values_list("report_id", "white", "black", "white_code"):
        white_id, black_id = ids.get((report_id, white)), ids.get((report_id, black or 0))
        if white_id and black_id:
            played[report_id][white_id, black_id, code] += 1
    return played


def _rounds_on(start: date, end: date, schedule: Iterable[str], rounds: int) -> dict[date, int]:
    """Return the rounds of an event by day, as far as that is certain: one day, or the registered schedule."""
    if start == end:
        return {start: rounds}
    return dict(Counter(date.fromisoformat(day) for day in schedule if day))


def _same_day(
    report: Report,
    tournament: Tournament,
    players: Mapping[int, Player],
    games: Iterable[Pairing],
    others: Collection[Other],
) -> Iterator[Finding]:
    if not others:
        return
    own = _own_rounds(report, tournament, games)
    theirs = _rounds_of(others)
    by_player: dict[int, list[Other]] = defaultdict(list)
    for other in others:
        by_player[other.player_id].append(other)
    for record in report.players:
        player = players.get(record.number)
        if player and player.fide_id in by_player and record.number in own:
            yield from _of_player(
                record, player, tournament, own[record.number], by_player[player.fide_id], theirs
            )


def _own_rounds(report: Report, tournament: Tournament, games: Iterable[Pairing]) -> dict[int, Counter[date]]:
    """Return each player's games by day; a round without a date is on the day of an event that has only one."""
    dates = dict(enumerate(report.round_dates, 1))
    only = tournament.start if tournament.start == tournament.end else None
    days: dict[int, Counter[date]] = defaultdict(Counter)
    for game in games:
        if day := dates.get(game.round) or only:
            days[game.white][day] += 1
            days[game.black][day] += 1
    return days


def _rounds_of(others: Iterable[Other]) -> Counter[tuple[int, int]]:
    """Return how many games the lines have, by report and starting rank."""
    numbers: dict[int, set[int]] = defaultdict(set)
    for other in others:
        numbers[other.report_id].add(other.number)
    wanted = {number for some in numbers.values() for number in some}
    rows = Game.objects.filter(report_id__in=numbers, is_played=True)
    rows = rows.filter(Q(white__in=wanted) | Q(black__in=wanted)).order_by()
    played: Counter[tuple[int, int]] = Counter()
    for report_id, white, black in rows.values_list("report_id", "white", "black"):
        played[report_id, white] += 1
        played[report_id, black or 0] += 1
    return played


def _of_player(
    record: PlayerRecord,
    player: Player,
    tournament: Tournament,
    own: Counter[date],
    others: Collection[Other],
    theirs: Counter[tuple[int, int]],
) -> Iterator[Finding]:
    """Yield more rounds a day than 3.1 allows across events of the kind; else that one played elsewhere too."""
    limit = regulations.ROUNDS_A_DAY[tournament.kind]
    place = field_place(record, 15, 33)
    for day, rounds in sorted(own.items()):
        same_day = [
            (other, min(other.rounds_on[day], theirs[other.report_id, other.number]))
            for other in others
            if day in other.rounds_on and theirs[other.report_id, other.number]
        ]
        same_kind = [(other, count) for other, count in same_day if other.kind == tournament.kind]
        elsewhere = sum(count for _, count in same_kind)
        when: dict[str, str | int] = {"name": player.name, "day": day.isoformat()}
        if elsewhere and rounds + elsewhere > limit:
            events = ", ".join(other.event_id for other, _ in same_kind)
            counts: dict[str, str | int] = {"rounds": rounds + elsewhere, "others": elsewhere, "limit": limit}
            yield portal_finding(
                "player-rounds-a-day", place, **when, **counts, events=events, kind=tournament.kind
            )
            continue
        for other, _ in same_day:
            yield portal_finding("player-elsewhere", place, **when, event=other.name, event_id=other.event_id)
