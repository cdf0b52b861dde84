"""The rounds of a rated tournament with their pairings, and the teams of a team event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Q
from django.db.models.functions import Coalesce, Least

from ratings.events import PAGE, standings_by_number
from ratings.models import Correction, ParticipantRating, TournamentRating
from ratings.played import PlayedEvent
from ratings.systems.otb.values import Outcome
from tournaments.models import Game, Report
from tournaments.trf.checks.pairings import HALF_POINTS
from tournaments.trf.fields import FieldError
from tournaments.trf.tables import TEAMS_16, TEAMS_26, loads
from tournaments.trf.text import lines_of, text_of

FACTS_SECONDS = 7 * 24 * 3600
TEAMS_A_PAGE = 25
MATCHES_A_PAGE = 25
Pair = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """Average rating at the start of those who had one, number of rated games, and of players without a rating."""

    average: int | None
    games: int
    unrated: int


@dataclass(frozen=True, slots=True)
class Board:
    """A pairing of a round; without `black` a round that a player had no opponent in."""

    round: int
    white: ParticipantRating
    black: ParticipantRating | None

    @property
    def outcomes(self) -> tuple[Outcome | None, Outcome | None]:
        """What the round gave White and Black."""
        theirs = self._outcome(self.black, self.white) if self.black else None
        return self._outcome(self.white, self.black), theirs

    @property
    def reasons(self) -> dict[int, str]:
        """Why the game does not count, by the starting rank of whom it does not count for; for both: at White's."""
        if self.black is None:
            return {}
        sides = zip((self.white, self.black), self.outcomes, strict=True)
        found = {row.number: one.reasons[0] for row, one in sides if one and not one.counts and one.reasons}
        if found.get(self.white.number) == found.get(self.black.number):
            found.pop(self.black.number, None)
        return found

    def _outcome(self, of: ParticipantRating, against: ParticipantRating | None) -> Outcome | None:
        number = against.number if against else None
        return next((one for one in of.outcomes if (one.round, one.opponent) == (self.round, number)), None)


@dataclass(frozen=True, slots=True)
class Round:
    """A page of a round's pairings, those without an opponent last."""

    boards: Sequence[Board]
    total: int
    number: int
    pages: int

    @property
    def sides(self) -> list[tuple[Board, bool]]:
        """Return each board with White first, as the boards of a match."""
        return [(board, True) for board in self.boards]


@dataclass(frozen=True, slots=True)
class Match:
    """Two teams in a round with their boards; without names the pairings of a round that belong to no match."""

    home: str
    away: str
    boards: Sequence[Board]
    home_players: frozenset[int]

    @property
    def sides(self) -> list[tuple[Board, bool]]:
        """Return each board, and whether the first team has White; White comes first without teams."""
        own = self.home_players
        return [(board, not own or board.white.number in own) for board in self.boards]

    @property
    def score(self) -> tuple[int, int]:
        """Return the sums of the boards of both teams, in half points."""
        home = away = 0
        for board, is_white in self.sides:
            white, black = (one.half_points if one else 0 for one in board.outcomes)
            home, away = (home + white, away + black) if is_white else (home + black, away + white)
        return home, away


@dataclass(frozen=True, slots=True)
class MatchRound:
    """A page of a round's matches."""

    matches: Sequence[Match]
    total: int
    number: int
    pages: int


@dataclass(frozen=True, slots=True)
class Team:
    """A team with its players in the order of the report. Points are half points, None if unknown."""

    name: str
    rank: int | None
    match_points: int | None
    game_points: int | None
    members: Sequence[PlayedEvent]


def round_of(rating: TournamentRating, number: int, *, page: int = 1) -> Round | None:
    """Return a page of a round in order of the lower starting ranks; None for a page that there is not."""
    every = _pairs_of(rating, number)
    pages = max(1, -(-len(every) // PAGE))
    if not 1 <= page <= pages:
        return None
    boards = _boards_of(rating, number, every[(page - 1) * PAGE : page * PAGE])
    return Round(list(boards.values()), len(every), page, pages)


def matches_of(
    rating: TournamentRating, number: int, teams: Sequence[tuple[Any, ...]], *, page: int = 1
) -> MatchRound | None:
    """Return a page of the matches of a round, by the better team; None for a page that does not exist.

    `teams` are those of `participants_and_teams`. Boards are in the order of the first team's players.
    """
    groups = _group_by_match(_pairs_of(rating, number), teams)
    pages = max(1, -(-len(groups) // MATCHES_A_PAGE))
    if not 1 <= page <= pages:
        return None
    chosen = groups[(page - 1) * MATCHES_A_PAGE : page * MATCHES_A_PAGE]
    boards = _boards_of(rating, number, [pair for _teams, pairs in chosen for pair in pairs])
    matches = [
        Match(
            home=teams[both[0]][0] if both else "",
            away=teams[both[1]][0] if both else "",
            boards=[boards[pair] for pair in pairs if pair in boards],
            home_players=frozenset(teams[both[0]][4]) if both else frozenset(),
        )
        for both, pairs in chosen
    ]
    return MatchRound(matches, len(groups), page, pages)


def _group_by_match(
    pairs: Sequence[Pair], teams: Sequence[tuple[Any, ...]]
) -> list[tuple[tuple[int, int] | None, list[Pair]]]:
    """Return the pairings by match, named by the places of both teams; those of no match last, by the page."""
    ranks = {place: team[1] or 10**6 for place, team in enumerate(teams)}
    places = {
        number: (place, board) for place, team in enumerate(teams) for board, number in enumerate(team[4])
    }
    matches: dict[tuple[int, int], list[Pair]] = {}
    others: list[Pair] = []
    for pair in pairs:
        found = {places[key][0] for key in pair if key in places}
        if len(found) < 2:
            others.append(pair)
            continue
        first, second = sorted(found, key=lambda place: (ranks[place], place))
        matches.setdefault((first, second), []).append(pair)
    for (home, _away), boards in matches.items():
        boards.sort(key=lambda pair: min(places[key][1] for key in pair if key and places[key][0] == home))
    named = sorted(matches.items(), key=lambda match: (ranks[match[0][0]], match[0]))
    rest = [others[start : start + PAGE] for start in range(0, len(others), PAGE)]
    return [*named, *((None, part) for part in rest)]


def corrected_games(
    rating: TournamentRating, correction: Correction | None
) -> dict[tuple[int | None, ...], tuple[int, int]]:
    """Return the half points of games that a corrected report has otherwise, by round, White and Black; one query."""
    if correction is None or correction.new_report_id is None:
        return {}
    games = Game.objects.filter(report__in=(rating.report_id, correction.new_report_id)).exclude(black=None)
    found: dict[int, dict[tuple[int | None, ...], tuple[str, str]]] = defaultdict(dict)
    for report, *key, white, black in games.values_list(
        "report", "round", "white", "black", "white_code", "black_code"
    ):
        found[report][tuple(key)] = white, black
    before, now = (found[key] for key in (rating.report_id, correction.new_report_id))
    return {
        key: (HALF_POINTS.get(codes[0], 0), HALF_POINTS.get(codes[1], 0))
        for key, codes in sorted(now.items())
        if before.get(key, codes) != codes
    }


def _pairs_of(rating: TournamentRating, number: int) -> list[Pair]:
    """Return White and Black of each pairing by their starting ranks, those without an opponent last."""
    games = Game.objects.filter(report=rating.report_id, round=number)
    # SQLite's MIN of a NULL is NULL, so that Black is never empty here.
    lower = Least("white", Coalesce("black", "white"))
    ordered = games.annotate(lower=lower, is_alone=Q(black=None)).order_by("is_alone", "lower", "white")
    return list(ordered.values_list("white", "black"))


def _boards_of(rating: TournamentRating, number: int, pairs: Sequence[Pair]) -> dict[Pair, Board]:
    numbers = {key for pair in pairs for key in pair if key is not None}
    rows = ParticipantRating.objects.filter(tournament_rating=rating, number__in=numbers)
    by_number = {row.number: row for row in rows.select_related("participant", "player")}
    return {
        (white, black): Board(number, by_number[white], by_number.get(black) if black else None)
        for white, black in pairs
        if white in by_number
    }


def teams_of(rating: TournamentRating, *, page: int = 1) -> list[Team]:
    """Return a page of the teams by rank, those without one in the order of the report."""
    records = sorted(participants_and_teams(rating)[1], key=lambda team: team[1] or 10**6)
    chosen = records[(page - 1) * TEAMS_A_PAGE : page * TEAMS_A_PAGE]
    standings = standings_by_number(rating, [number for *_rest, numbers in chosen for number in numbers])
    return [
        Team(name, rank, match_points, game_points, [standings[key] for key in numbers if key in standings])
        for name, rank, match_points, game_points, numbers in chosen
    ]


def summary_of(rating: TournamentRating, start_ratings: Sequence[int | None]) -> RoundSummary:
    """Return the figures of a rated tournament as a whole, from the ratings at the start of all participants."""
    rated = [one for one in start_ratings if one is not None]
    average = round(sum(rated) / len(rated)) if rated else None
    return RoundSummary(average, rating.counted_games, len(start_ratings) - len(rated))


def participants_and_teams(rating: TournamentRating) -> tuple[int, list[tuple[Any, ...]]]:
    """Return how many participants a report has, and name, rank, match points, game points and players of each team.

    Read once, because a report never changes.
    """
    # By the bytes: another version of the report has another key, and nothing need be deleted.
    key = f"event:{rating.report.sha256}"
    found: list[Any] | None = cache.get(key)
    if found is None:
        reports = Report.objects.filter(pk=rating.report_id).annotate(people=Count("participants"))
        people, content = reports.values_list("people", "content").get()
        found = [people, list(_read_teams(lines_of(text_of(bytes(content))[0])))]
        cache.set(key, found, FACTS_SECONDS)
    return found[0], [tuple(team) for team in found[1]]


def _read_teams(lines: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the teams: those of 310 where there are any, else those of 013."""
    wanted = [line for line in lines if line.startswith((f"{TEAMS_16} ", f"{TEAMS_26} "))]
    newest = max((line[:3] for line in wanted), default="")
    for line in wanted:
        if not line.startswith(newest):
            continue
        try:
            team = loads(line)
        # A line that cannot be read is an issue of the report, and must not cost the page.
        except FieldError:
            continue
        figures = (team.get(name) for name in ("rank", "match_points", "game_points"))
        yield team["name"], *figures, team["players"]
