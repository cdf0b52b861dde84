"""Rating a report: every participant's standing and every game's outcome, by the lists in force at the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from players.bulk import write_rows
from ratings.models import ParticipantRating, TournamentRating
from ratings.services.standings import Basis, basis_on, standings_of
from ratings.systems.otb.tournament import Conditions, rate_tournament
from ratings.systems.otb.values import UNRATED, Game, Participation, Standing
from ratings.systems.registry import ENGINE_VERSION
from tournaments import regulations
from tournaments.choices import DecidedBy, ReportState, Stage
from tournaments.models import Game as GameRow
from tournaments.models import Participant, Report, Tournament

RATING_FIELDS = (
    *("tournament_rating", "participant", "player", "number"),
    *("start_status", "start_rating", "start_k", "own_status", "own_rating", "own_k"),
    *("games", "half_points", "opponents_sum", "change_hundredths", "outcomes"),
)


@dataclass(frozen=True, slots=True)
class RatedReport:
    """A report as it rates: the basis, and each participant's result by starting rank."""

    basis: Basis
    standings: Mapping[int, Standing]
    participations: Mapping[int, Participation]

    @property
    def counted_games(self) -> int:
        """The pairings that count for at least one side."""
        counted = {
            (outcome.round, *sorted((number, outcome.opponent or 0)))
            for number, participation in self.participations.items()
            for outcome in participation.outcomes
            if outcome.counts
        }
        return len(counted)


def rate_report(report: Report, *, at: datetime) -> TournamentRating | None:
    """Rate an accepted report and store the outcome; None where it is no longer the accepted one.

    Rating again gives the same rows; one that a list has taken is left as it is.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=report.tournament_id)
        report.refresh_from_db()
        former = TournamentRating.objects.filter(report=report).first()
        if former is not None and former.included_in_id is not None:
            return former
        if report.state != ReportState.ACCEPTED:
            return None
        if former is not None:
            former.delete()
        rating = _store(report, rate_contents(tournament, report), at=at)
        Tournament.objects.filter(pk=tournament.pk, stage=Stage.REPORTED).update(stage=Stage.RATED)
    return rating


def is_up_to_date(rating: TournamentRating, basis: Basis) -> bool:
    """Whether a stored rating still stands on the lists in force at the start and on this engine."""
    own = basis.own_list.pk if basis.own_list else None
    standard = basis.standard_list.pk if basis.standard_list else None
    return (rating.basis_id, rating.standard_basis_id, rating.engine_version) == (
        own,
        standard,
        ENGINE_VERSION,
    )


def rate_contents(tournament: Tournament, report: Report) -> RatedReport:
    """Rate the stored participants and games of a report; writes nothing."""
    participants = list(Participant.objects.filter(report=report).select_related("player"))
    return rate_games(
        tournament,
        rounds=report.rounds,
        players={p.number: p.player for p in participants if p.player},
        numbers=[p.number for p in participants],
        games=games_of(report),
    )


def rate_games(
    tournament: Tournament,
    *,
    rounds: int,
    players: Mapping[int, Any],
    numbers: Sequence[int],
    games: Sequence[Game],
) -> RatedReport:
    """Rate games between starting ranks; those without a player in the portal count as unrated."""
    basis = basis_on(tournament.kind, tournament.start)
    by_id = standings_of(basis, players.values())
    standings = {
        number: by_id[players[number].fide_id] if number in players else UNRATED for number in numbers
    }
    conditions = conditions_of(tournament, rounds, standings)
    return RatedReport(basis, standings, rate_tournament(basis.rules, conditions, games, standings))


def conditions_of(tournament: Tournament, rounds: int, standings: Mapping[int, Standing]) -> Conditions:
    """Return what the registration says about all games (1.2, 5; 0.2 for the President's decision)."""
    return Conditions(
        rounds=rounds,
        is_match=tournament.is_match,
        has_waiver=bool(tournament.match_waiver),
        has_unequal_times=tournament.has_unequal_times,
        void=_void_by_decision(tournament, standings),
    )


def _void_by_decision(tournament: Tournament, standings: Mapping[int, Standing]) -> str:
    """The President's decision holds only where the average rating exceeds 2700 (0.2)."""
    if tournament.decided_by != DecidedBy.PRESIDENT:
        return ""
    ratings = [standing.rating for standing in standings.values() if standing.rating is not None]
    exceeds = bool(ratings) and sum(ratings) > regulations.PRESIDENT_AVERAGE * len(ratings)
    return "" if exceeds else "president-average-0.2"


def games_of(report: Report) -> list[Game]:
    """Return the stored rounds of a report as the rating system takes them."""
    rows = GameRow.objects.filter(report=report).values_list(
        "round", "white", "black", "white_code", "black_code", "is_played", "mark"
    )
    return [Game(*row) for row in rows]


def _store(report: Report, rated: RatedReport, *, at: datetime) -> TournamentRating:
    rating = TournamentRating.objects.create(
        report=report,
        rules=rated.basis.rules.slug,
        engine_version=ENGINE_VERSION,
        basis=rated.basis.own_list,
        standard_basis=rated.basis.standard_list,
        counted_games=rated.counted_games,
        rated_at=at,
    )
    write_rows(ParticipantRating, RATING_FIELDS, _rows(rating.pk, report, rated))
    return rating


def _rows(rating_id: int, report: Report, rated: RatedReport) -> Iterator[tuple[Any, ...]]:
    participants = Participant.objects.filter(report=report).values_list("pk", "number", "player_id")
    for pk, number, player_id in participants.order_by("number"):
        part = rated.participations[number]
        standing = (str(part.standing.status), part.standing.rating, part.standing.k)
        yield (
            *(rating_id, pk, player_id, number, *standing, *standing),
            *(part.games, part.half_points, part.opponents_sum, part.change),
            [outcome.as_row() for outcome in part.outcomes],
        )
