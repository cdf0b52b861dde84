"""A player's games of all published tournaments: by colour, the best wins, and those against one opponent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from ratings.models import ParticipantRating
from ratings.systems.otb.values import Outcome
from tournaments.choices import Kind
from tournaments.models import Tournament

BEST = 10
WIN, DRAW, LOSS = 2, 1, 0
REPORT = "tournament_rating__report"
LARGE = tuple(f"{REPORT}__{name}" for name in ("content", "pgn", "findings"))


@dataclass(frozen=True, slots=True)
class Score:
    """Games played with one colour in tournaments of one kind."""

    kind: Kind
    colour: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def half_points(self) -> int:
        return 2 * self.wins + self.draws


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game really played, whether it counted or not, with the tournament and whoever sat on the other side."""

    tournament: Tournament
    tournament_rating: int
    outcome: Outcome
    opponent: ParticipantRating | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What a player's games come to."""

    scores: Sequence[Score] = field(default_factory=list)
    best_wins: Sequence[PlayedGame] = field(default_factory=list)


def record_of(player_ids: Collection[int]) -> Record:
    """Return a player's record over all published tournaments under all IDs given, in two queries."""
    games = list(_games(_participations(player_ids)))
    wins = [game for game in games if game.outcome.half_points == WIN and game.outcome.opponent_rating]
    best = sorted(wins, key=lambda game: (-(game.outcome.opponent_rating or 0), game.tournament.start))[:BEST]
    return Record([*_scores(games)], _with_opponents(best))


def games_against(player_ids: Collection[int], opponent_ids: Collection[int]) -> list[PlayedGame]:
    """Return the games with one opponent under all IDs of both, the newest first, in two queries."""
    theirs = ParticipantRating.objects.filter(
        player__in=opponent_ids, tournament_rating__participants__player__in=player_ids
    )
    sat = {row.tournament_rating_id: row for row in theirs.select_related("participant", "player")}
    rows = _participations(player_ids).filter(tournament_rating__in=list(sat))
    games = [
        PlayedGame(game.tournament, game.tournament_rating, game.outcome, sat[game.tournament_rating])
        for game in _games(rows)
        if game.outcome.opponent == sat[game.tournament_rating].number
    ]
    return sorted(games, key=lambda game: (game.tournament.start, game.outcome.round), reverse=True)


def _participations(player_ids: Collection[int]) -> QuerySet[ParticipantRating]:
    rows = ParticipantRating.objects.filter(
        player__in=player_ids, tournament_rating__included_in__isnull=False
    )
    return rows.select_related(f"{REPORT}__tournament").defer(*LARGE).order_by("pk")


def _games(rows: Iterable[ParticipantRating]) -> Iterable[PlayedGame]:
    """Yield the games really played: those with a colour."""
    for row in rows:
        for stored in row.outcomes:
            outcome = Outcome.from_row(stored)
            if outcome.colour and outcome.opponent:
                yield PlayedGame(row.tournament_rating.report.tournament, row.tournament_rating_id, outcome)


def _scores(games: Sequence[PlayedGame]) -> Iterable[Score]:
    for kind in Kind:
        for colour in ("w", "b"):
            points = [
                game.outcome.half_points
                for game in games
                if game.tournament.kind == kind and game.outcome.colour == colour
            ]
            if points:
                yield Score(kind, colour, points.count(WIN), points.count(DRAW), points.count(LOSS))


def _with_opponents(games: Sequence[PlayedGame]) -> list[PlayedGame]:
    if not games:
        return []
    met = [Q(tournament_rating=game.tournament_rating, number=game.outcome.opponent) for game in games]
    rows = ParticipantRating.objects.filter(reduce(or_, met)).select_related("participant", "player")
    sat = {(row.tournament_rating_id, row.number): row for row in rows.defer("outcomes")}
    return [
        PlayedGame(
            game.tournament,
            game.tournament_rating,
            game.outcome,
            sat.get((game.tournament_rating, game.outcome.opponent or 0)),
        )
        for game in games
    ]
