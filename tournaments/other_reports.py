"""The accepted reports of other events that a report is compared with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from core.sql import ids_subquery
from players.models import Player
from tournaments.choices import ReportState
from tournaments.models import Game, Participant, Tournament
from tournaments.trf import Report

# A report that is sent again under another name is looked for among the events of so many days before and after.
AGAIN_WITHIN = timedelta(days=45)
# The same games are looked for in the events of two years (D-129).
SAME_GAMES_WITHIN = timedelta(days=731)
# A round is of the same event if it was played at most so long before or after.
LONGEST = timedelta(days=400)
# Unsaved reports have no key yet: the key of their tournament from here on is used instead.
UNWRITTEN = 1 << 62
# What is read of another event, from a line of its report.
EVENT = (
    "report__rounds",
    "report__tournament_id",
    "report__tournament__event_id",
    "report__tournament__name",
    "report__tournament__kind",
    "report__tournament__start",
    "report__tournament__end",
    "report__tournament__schedule",
)
# A game that was played: the FIDE IDs of White and Black, of merged ones those that stay, and White's code.
PlayedGame = tuple[int, int, str]
# The played games of a report by round.
Played = dict[int, Counter[PlayedGame]]


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """Another event with an accepted report; `rounds_on` are its rounds by day, where certain."""

    report: int
    tournament: int
    event_id: str
    name: str
    kind: str
    start: date
    end: date
    rounds_on: Mapping[date, int]

    def is_on(self, first: date, last: date) -> bool:
        """Return whether a round may have been played from one day to another."""
        if self.rounds_on:
            return any(first <= day <= last for day in self.rounds_on)
        return self.start <= last and self.end >= first


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A player's line in the accepted report of another event."""

    player_id: int
    number: int
    event: RecordedEvent


class Span(NamedTuple):
    """The first and the last day of a report."""

    first: date
    last: date


def span_of(tournament: Tournament, report: Report) -> Span:
    """Return the days of a tournament with those of the report's rounds: a long event is reported in parts (D-117)."""
    earliest, latest = tournament.start - LONGEST, tournament.end + LONGEST
    # A misread date of a round, as of another century, must not make every event one to compare with.
    days = [day for day in report.round_dates if day and earliest <= day <= latest]
    return Span(min([tournament.start, *days]), max([tournament.end, *days]))


class OtherReports:
    """The accepted reports of some players at about some days, and those that are about to be written with them."""

    def __init__(
        self,
        players: Collection[int],
        first: date,
        last: date,
        *,
        games: Collection[PlayedGame] = (),
        without: Collection[int] = (),
    ) -> None:
        self._players = frozenset(players)
        self._first, self._last = first, last
        self._lines: dict[int, list[OtherLine]] = defaultdict(list)
        self._events: set[int] = set()
        self._unwritten: dict[int, tuple[Report, Mapping[int, Player]]] = {}
        self._played: dict[int, Played] = {}
        self._without = frozenset(without)
        # The first games of reports, by which `events_with` asks, are looked for at once.
        self._meetings = _load_meetings(games, first, last) if games else {}
        for line in _load_others(players, first, last):
            if line.event.tournament in self._without:
                continue
            self._lines[line.player_id].append(line)
            self._events.add(line.event.tournament)

    def has(self, players: Collection[int], span: Span) -> bool:
        """Return whether the data for the comparison of a report of these days were read."""
        within = self._first <= span.first and span.last <= self._last
        return within and self._players.issuperset(players)

    def lines(self, players: Iterable[int], tournament: Tournament, span: Span) -> list[OtherLine]:
        """Return the players' lines in other events at about the days of a report."""
        latest, earliest = span.last + AGAIN_WITHIN, span.first - AGAIN_WITHIN
        return [
            line
            for player in players
            for line in self._lines.get(player, ())
            if line.event.tournament != tournament.pk
            and line.event.start <= latest
            and line.event.end >= earliest
        ]

    def add(self, tournament: Tournament, report: Report, players: Mapping[int, Player]) -> None:
        """Add a report that is accepted and about to be written."""
        # A tournament is compared by one version.
        if tournament.pk in self._events:
            self._forget(tournament.pk)
        self._events.add(tournament.pk)
        event = RecordedEvent(
            report=UNWRITTEN + tournament.pk,
            tournament=tournament.pk,
            event_id=tournament.event_id,
            name=tournament.name,
            kind=tournament.kind,
            start=tournament.start,
            end=tournament.end,
            rounds_on=_rounds_on(tournament.start, tournament.end, tournament.schedule, report.rounds),
        )
        self._unwritten[event.report] = report, players
        for number, player in players.items():
            self._lines[player.fide_id].append(OtherLine(player.fide_id, number, event))

    def _forget(self, tournament: int) -> None:
        """Leave out the former version of a report that is about to be replaced."""
        for lines in self._lines.values():
            lines[:] = [line for line in lines if line.event.tournament != tournament]

    def games_of(self, reports: Collection[int]) -> dict[int, Played]:
        """Return the played games of reports by FIDE ID, as far as both players are in the portal."""
        stored = [key for key in reports if key not in self._unwritten]
        played = stored_games(stored) if stored else {}
        return played | {key: self._unwritten_games(key) for key in reports if key in self._unwritten}

    def events_with(self, game: PlayedGame, tournament: Tournament) -> dict[int, RecordedEvent]:
        """Return the other events of the kind within two years that have a game, by report (D-129)."""
        stored = self._meetings.get(game)
        if stored is None:
            stored = _load_meetings([game], tournament.start, tournament.start)[game]
        written_anew = self._without | {key - UNWRITTEN for key in self._unwritten}
        events = [event for event in stored if event.tournament not in written_anew]
        white, black, _code = game
        beside = {line.event.report for line in self._lines[black] if line.event.report in self._unwritten}
        events += [
            line.event
            for line in self._lines[white]
            if line.event.report in beside
            and any(game in games for games in self._unwritten_games(line.event.report).values())
        ]
        return {
            event.report: event
            for event in events
            if event.tournament != tournament.pk
            and event.kind == tournament.kind
            and abs(event.start - tournament.start) <= SAME_GAMES_WITHIN
        }

    def _unwritten_games(self, key: int) -> Played:
        """Return the games of a report that is about to be written, put together once."""
        if key not in self._played:
            self._played[key] = games_by_id(*self._unwritten[key])
        return self._played[key]

    def rounds_of(self, lines: Iterable[OtherLine]) -> Counter[tuple[int, int]]:
        """Return how many games the lines have, by report and starting rank."""
        numbers: dict[int, set[int]] = defaultdict(set)
        for line in lines:
            numbers[line.event.report].add(line.number)
        played: Counter[tuple[int, int]] = Counter()
        for key in self._unwritten.keys() & numbers.keys():
            for game in self._unwritten[key][0].games:
                if game.played:
                    played.update(((key, game.white), (key, game.black)))
        stored = {key: some for key, some in numbers.items() if key not in self._unwritten}
        if stored:
            played.update(_stored_rounds(stored))
        return played


def games_by_id(report: Report, players: Mapping[int, Player]) -> Played:
    """Return the played games of a report by FIDE ID, as far as both players are in the portal."""
    played: Played = defaultdict(Counter)
    for game in report.games:
        if game.played and game.white in players and game.black in players:
            white, black = (
                one.merged_into_id or one.fide_id for one in (players[game.white], players[game.black])
            )
            played[game.round][white, black, game.white_code] += 1
    return dict(played)


def first_game(report: Report, ids: Mapping[int, int]) -> PlayedGame | None:
    """Return one game of the first round that was played, always the same, by the FIDE IDs of starting ranks."""
    played = [
        (game.round, ids[game.white], ids[game.black], game.white_code)
        for game in report.games
        if game.played and game.white in ids and game.black in ids
    ]
    return min(played)[1:] if played else None


def _load_meetings(
    games: Collection[PlayedGame], first: date, last: date
) -> dict[PlayedGame, list[RecordedEvent]]:
    """Return the events of two years before and after in whose accepted reports games are, in the reports' order."""
    found: dict[PlayedGame, list[RecordedEvent]] = {game: [] for game in games}
    opponents = [
        f"report__participants__{name}" for name in ("player_id", "player__merged_into_id", "number")
    ]
    pairs = (
        Participant.objects.filter(
            player_id__in=_ids_of({white for white, _, _ in games}),
            report__state=ReportState.ACCEPTED,
            report__tournament__start__range=(first - SAME_GAMES_WITHIN, last + SAME_GAMES_WITHIN),
            report__participants__player_id__in=_ids_of({black for _, black, _ in games}),
        )
        .order_by("report_id")
        .values_list("number", "player_id", "player__merged_into_id", *opponents, "report_id", *EVENT)
    )
    met: dict[tuple[int, int, int], tuple[int, int]] = {}
    events: dict[int, RecordedEvent] = {}
    for white, white_id, white_into, black_id, black_into, black, report, *values in pairs:
        met[report, white, black] = white_into or white_id, black_into or black_id
        events[report] = _event(report, *values)
    rows = Game.objects.filter(report_id__in=list(events), is_played=True).order_by("report_id")
    games_played = rows.values_list("report_id", "white", "black", "white_code") if events else ()
    for report, white, black, code in games_played:
        game = *met.get((report, white, black or 0), (0, 0)), code
        if game in found and events[report] not in found[game]:
            found[game].append(events[report])
    return found


def _ids_of(people: Collection[int]) -> QuerySet[Any, Any]:
    """Return the FIDE IDs of people, those that were merged into them included, as a subquery."""
    ids, players = ids_subquery(people), Player.objects.order_by().values("pk")
    return players.filter(pk__in=ids).union(players.filter(merged_into__in=ids))


def _load_others(players: Collection[int], first: date, last: date) -> Iterator[OtherLine]:
    rows = Participant.objects.filter(
        player_id__in=ids_subquery(players),
        report__state=ReportState.ACCEPTED,
        report__tournament__start__lte=last + AGAIN_WITHIN,
        report__tournament__end__gte=first - AGAIN_WITHIN,
    ).order_by()
    events: dict[int, RecordedEvent] = {}
    for player, number, report, *values in rows.values_list("player_id", "number", "report_id", *EVENT):
        if report not in events:
            events[report] = _event(report, *values)
        yield OtherLine(player, number, events[report])


def _event(report: int, rounds: int, *registered: Any) -> RecordedEvent:
    tournament, event_id, name, kind, start, end, schedule = registered
    rounds_on = _rounds_on(start, end, schedule, rounds)
    return RecordedEvent(report, tournament, event_id, name, kind, start, end, rounds_on)


def _rounds_on(start: date, end: date, schedule: Iterable[Any], rounds: int) -> dict[date, int]:
    """Return the rounds of an event by day, as far as that is certain: one day, or the registered schedule."""
    # Not by the rounds' own dates: those of stored reports would have to be read again from their files.
    if start == end:
        return {start: rounds}
    return dict(Counter(date.fromisoformat(str(day)) for day in schedule if day))


def stored_games(reports: Collection[int]) -> dict[int, Played]:
    """Return the played games of stored reports by FIDE ID, as far as both players are in the portal."""
    played: dict[int, Played] = defaultdict(lambda: defaultdict(Counter))
    ids = {
        (report, number): person or player
        for report, number, player, person in Participant.objects.filter(
            report_id__in=reports, player_id__isnull=False
        )
        .order_by()
        .values_list("report_id", "number", "player_id", "player__merged_into_id")
    }
    rows = Game.objects.filter(report_id__in=reports, is_played=True).order_by()
    for report, number, white, black, code in rows.values_list(
        "report_id", "round", "white", "black", "white_code"
    ):
        white_id, black_id = ids.get((report, white)), ids.get((report, black or 0))
        if white_id and black_id:
            played[report][number][white_id, black_id, code] += 1
    return played


def _stored_rounds(numbers: Mapping[int, set[int]]) -> Counter[tuple[int, int]]:
    """Return the games of starting ranks by report; of other ranks of these reports too, some of theirs."""
    wanted = {number for some in numbers.values() for number in some}
    rows = Game.objects.filter(report_id__in=list(numbers), is_played=True)
    rows = rows.filter(Q(white__in=wanted) | Q(black__in=wanted)).order_by()
    played: Counter[tuple[int, int]] = Counter()
    for report, white, black in rows.values_list("report_id", "white", "black"):
        played[report, white] += 1
        played[report, black or 0] += 1
    return played
