"""Games of a report that are rated in another event already: each game is rated once (D-117)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from players.models import Player
from tournaments.models import Tournament
from tournaments.other_reports import (
    OtherLine,
    OtherReports,
    Played,
    RecordedEvent,
    Span,
    first_game,
    games_by_id,
)
from tournaments.trf import Finding, Report
from tournaments.trf.fields import in_ranges
from tournaments.trf.findings import found

# One game may be alike by chance.
FEWEST_GAMES = 2
# Whole rounds that come again are no chance.
FEWEST_ROUNDS = 2
# From so many games on, all of them are no chance in two years (D-129).
FEWEST_OF_ALL = 10
# On other days, so many games and nine in ten of them are needed: the same people may play the same results again.
FEWEST_ON_OTHER_DAYS = 6
# Of so many events that have the most players in common the games are compared.
MAX_EVENTS = 50


@dataclass(frozen=True, slots=True)
class GamesAgain:
    """Another event with games of a report: how many of how many, and the report's rounds with whole rounds of it."""

    event: RecordedEvent
    common: int
    games: int
    rounds: tuple[int, ...]

    def finding(self) -> Finding:
        """Return an error where whole rounds come again, else a warning."""
        event = {
            "name": self.event.name,
            "event_id": self.event.event_id,
            "start": self.event.start.isoformat(),
        }
        if len(self.rounds) >= FEWEST_ROUNDS:
            return found("rounds-again", rounds=in_ranges(self.rounds), common=self.common, **event)
        return found("event-again", common=self.common, games=self.games, **event)


def find_games_again(
    report: Report,
    tournament: Tournament,
    players: Mapping[int, Player],
    others: Collection[OtherLine],
    reports: OtherReports,
) -> list[GamesAgain]:
    """Return the events in which games of a report are rated: the same pair, colours and result on days that overlap.

    On other days nine in ten games of both must be the same.
    """
    shared = Counter(other.event.report for other in others)
    # A game in common needs two players in common.
    others = [other for other in others if shared[other.event.report] > 1]
    if not others:
        return []
    mine = games_by_id(report, players)
    count = sum(games.total() for games in mine.values())
    events = _with_the_same_pairs(mine, others)
    if count < FEWEST_GAMES or not events:
        return []
    days = _days_of_rounds(report, tournament)
    found = (
        compare_games(mine, theirs, events[number], days)
        for number, theirs in reports.games_of(events).items()
    )
    return [item for item in found if item is not None]


def find_same_games(
    report: Report,
    tournament: Tournament,
    players: Mapping[int, Player],
    reports: OtherReports,
    *,
    but: Collection[int],
) -> dict[int, Finding]:
    """Return by report the events of two years that have all games of a report, or its first rounds in order (D-129).

    Those that have all of `mine` have one game of the first round, too: by it they are found.
    """
    people = {number: player.merged_into_id or player.fide_id for number, player in players.items()}
    first = first_game(report, people)
    events = reports.events_with(first, tournament) if first else {}
    events = {key: event for key, event in events.items() if key not in but}
    mine = games_by_id(report, players) if events else {}
    if sum(games.total() for games in mine.values()) < FEWEST_GAMES:
        return {}
    dates = dict(enumerate(report.round_dates, 1))
    found = (
        (key, _same_games(mine, theirs, events[key], dates))
        for key, theirs in reports.games_of(events).items()
    )
    return {key: finding for key, finding in found if finding is not None}


def _same_games(
    mine: Played, theirs: Played, event: RecordedEvent, dates: Mapping[int, date | None]
) -> Finding | None:
    named = {"name": event.name, "event_id": event.event_id, "start": event.start.isoformat()}
    all_mine = _all_games(mine)
    if all_mine <= _all_games(theirs):
        code = "games-again" if all_mine.total() >= FEWEST_OF_ALL else "few-games-again"
        return found(code, games=all_mine.total(), **named)
    rounds = _first_rounds(mine, theirs)
    own = [day for number in rounds if (day := dates.get(number)) and not event.start <= day <= event.end]
    if len(rounds) < FEWEST_ROUNDS or len(own) == len(rounds):
        return None
    return found("first-rounds-again", rounds=in_ranges(rounds), **named)


def _first_rounds(mine: Played, theirs: Played) -> list[int]:
    """Return the first rounds of a report that are, with all games and in this order, rounds of another."""
    found: list[int] = []
    left = iter(sorted(theirs))
    for number in sorted(mine):
        if not any(theirs[other] == mine[number] for other in left):
            break
        found.append(number)
    return found


def _with_the_same_pairs(mine: Played, others: Iterable[OtherLine]) -> dict[int, RecordedEvent]:
    """Return the events, by report, in which two pairs of a report may have met, of few events at most."""
    pairs = [(white, black) for games in mine.values() for white, black, _code in games.elements()]
    playing = {player for pair in pairs for player in pair}
    events: dict[int, RecordedEvent] = {}
    theirs: dict[int, set[int]] = defaultdict(set)
    for other in others:
        if other.player_id in playing:
            events[other.event.report] = other.event
            theirs[other.event.report].add(other.player_id)
    # With the key, so that equal numbers of players give the same findings each time.
    most_first = sorted(theirs, key=lambda number: (-len(theirs[number]), number))
    possible = [
        number
        for number in most_first
        if sum(white in theirs[number] and black in theirs[number] for white, black in pairs) >= FEWEST_GAMES
    ]
    # In the order of the reports, in which the findings are shown.
    return {number: events[number] for number in sorted(possible[:MAX_EVENTS])}


def _days_of_rounds(report: Report, tournament: Tournament) -> dict[int, Span]:
    """Return the first and the last day on which each round may have been played: of 132, else all of the event."""
    dates = dict(enumerate(report.round_dates, 1))
    whole = Span(tournament.start, tournament.end)
    return {
        number: Span(day, day) if (day := dates.get(number)) else whole
        for number in range(1, report.rounds_played + 1)
    }


def compare_games(
    mine: Played, theirs: Played, event: RecordedEvent, days: Mapping[int, Span]
) -> GamesAgain | None:
    """Return what the games of a report, with the days of its rounds, have in common with those of another event."""
    all_mine, all_theirs = _all_games(mine), _all_games(theirs)
    # Round by round: of a long league only some rounds are on days on which the other event was played.
    at_once: Played = {number: games for number, games in mine.items() if event.is_on(*days[number])}
    common = (_all_games(at_once) & all_theirs).total()
    if common >= FEWEST_GAMES:
        return GamesAgain(event, common, all_mine.total(), _rounds_again(at_once, theirs))
    common = (all_mine & all_theirs).total()
    most = max(all_mine.total(), all_theirs.total())
    if common >= FEWEST_ON_OTHER_DAYS and 10 * common >= 9 * most:
        return GamesAgain(event, common, all_mine.total(), ())
    return None


def _all_games(played: Played) -> Counter[tuple[int, int, str]]:
    return sum(played.values(), Counter())


def _rounds_again(mine: Played, theirs: Played) -> tuple[int, ...]:
    """Return the rounds of a report with games of whole rounds of another; none where it is one such round only."""
    all_mine = _all_games(mine)
    # Rounds of the other event, as the same games may be numbered otherwise here.
    whole = [games for games in theirs.values() if games <= all_mine]
    if len(whole) < FEWEST_ROUNDS:
        return ()
    again = sum(whole, Counter())
    return tuple(number for number, games in sorted(mine.items()) if games & again)
