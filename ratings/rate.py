"""Rating a report: every participant's standing and every game's outcome, by the lists in force at the start."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from core.bulk import write_rows
from players.choices import WebhookEvent
from ratings.in_force import InForce
from ratings.models import ParticipantRating, RatingList, TournamentRating
from ratings.standings import Basis, StandingBasis, StatusesAtStart, basis_on, standings_of
from ratings.systems.otb.tournament import GameConditions, games_that_count, rate_tournament
from ratings.systems.otb.values import UNRATED, Participation, ReportedGame, StatusAtStart
from ratings.systems.registry import ENGINE_VERSION
from tournaments import regulations
from tournaments.choices import DecidedBy, ReportState, Stage
from tournaments.lookups import Lookups
from tournaments.models import Participant, Report, Tournament
from tournaments.webhooks import tell_of_tournaments

RATING_FIELDS = (
    "tournament_rating", "participant", "player", "number", "start_status", "start_rating", "start_k", "k_reason",
    "own_status", "own_rating", "own_k", "games", "half_points", "opponents_sum", "change_hundredths",
    "outcomes",
)  # fmt: skip


class StoredPerson(NamedTuple):
    """A player of the portal, as far as a standing depends on them."""

    fide_id: int
    federation_id: str
    birth_year: int | None
    merged_into: int | None


class StoredParticipant(NamedTuple):
    """A line of a stored report, and who that is in the portal."""

    pk: int
    number: int
    person: StoredPerson | None


@dataclass(frozen=True, slots=True)
class RatedReport:
    """A report as it rates: the basis, and each participant's result by starting rank."""

    basis: Basis
    participations: Mapping[int, Participation]

    @property
    def counted_games(self) -> int:
        """The pairings that count for at least one side."""
        return games_that_count(self.participations.values())


@dataclass(frozen=True, slots=True)
class RatedContents(RatedReport):
    """A stored report with its lines, as it rates."""

    report: Report
    participants: Sequence[StoredParticipant]


def rate_report(report: Report, *, at: datetime) -> TournamentRating | None:
    """Rate an accepted report and store the outcome; None where it is no longer the accepted one."""
    return rate_reports([report.pk], at=at, lookups=Lookups()).get(report.pk)


def rate_reports(
    report_ids: Collection[int], *, at: datetime, lookups: Lookups
) -> dict[int, TournamentRating]:
    """Rate accepted reports in one transaction and return what is stored of each; the others are left out.

    Rating again gives the same rows; one that a list has taken is left as it is.
    """
    with transaction.atomic():
        reports = _lock_reports(report_ids)
        former = {item.report_id: item for item in TournamentRating.objects.filter(report__in=report_ids)}
        taken = {key: item for key, item in former.items() if item.included_in_id is not None}
        due = [
            report for report in reports if report.pk not in taken and report.state == ReportState.ACCEPTED
        ]
        for report in due:
            if report.pk in former:
                former[report.pk].delete()
        stored = _store(rated_contents(due, lookups), at=at)
        tournaments = [report.tournament_id for report in due]
        # A published tournament that a correction rates anew stays published.
        Tournament.objects.filter(pk__in=tournaments, stage=Stage.REPORTED).update(stage=Stage.RATED)
        rated = [(report.tournament, str(report.version)) for report in due]
        if rated:
            tell_of_tournaments(WebhookEvent.RATED, rated, at=at)
    return taken | stored


def _lock_reports(report_ids: Collection[int]) -> list[Report]:
    """Return the reports with their tournaments, which stay locked to the end of the transaction."""
    of_reports = Report.objects.filter(pk__in=report_ids).order_by()
    tournaments = Tournament.objects.filter(pk__in=of_reports.values("tournament"))
    # In the order of keys: two transactions must not each hold a tournament that the other waits for.
    locked = {item.pk: item for item in tournaments.select_for_update().order_by("pk")}
    # The files are large, and only the rows that were made of them are rated.
    reports = list(of_reports.defer("content", "pgn", "findings").order_by("pk"))
    for report in reports:
        report.tournament = locked[report.tournament_id]
    return reports


def is_up_to_date(rating: TournamentRating, basis: Basis) -> bool:
    """Return whether a stored rating still uses the text and lists in force at the start and this engine."""
    own = basis.own_list.pk if basis.own_list else None
    standard = basis.standard_list.pk if basis.standard_list else None
    stored = (rating.rules, rating.basis_id, rating.standard_basis_id, rating.engine_version)
    return stored == (basis.rules.slug, own, standard, ENGINE_VERSION)


def stored_bases(ratings: Iterable[TournamentRating], in_force: InForce) -> dict[int, Basis]:
    """Return the lists by which reports were rated, by report, with the text adopted for the first day.

    A list that came or was corrected later changes none of them; another text (D-90) is tried on the same lists.
    """
    return {
        rating.report_id: Basis(
            rules=in_force.adoptions.text_on(rating.report.event.start),
            start=rating.report.event.start,
            own_list=in_force.lists.by_id.get(rating.basis_id or 0),
            standard_list=in_force.lists.by_id.get(rating.standard_basis_id or 0),
            known_at=rating.rated_at,
        )
        for rating in ratings
    }


def rated_contents(
    reports: Sequence[Report], lookups: Lookups, bases: Mapping[int, Basis] | None = None
) -> list[RatedContents]:
    """Rate the stored participants and games of reports, each for itself; writes nothing.

    `bases` are those to rate by, by report; the lists and texts in force on the first day where there are none (D-1).
    """
    participants = _participants_of(reports)
    games = lookups.games_of([report.pk for report in reports])
    in_force = lookups.of(InForce)
    basis_of = bases or {
        report.pk: basis_on(report.event.kind, report.event.start, in_force) for report in reports
    }
    for key, lines in participants.items():
        # Only a merged ID can have its place on a list under another one.
        if any(item.person and item.person.merged_into for item in lines):
            lines[:] = [_on_list(item, basis_of[key].own_list, in_force) for item in lines]
    people = (
        (basis_of[key], [item.person for item in lines if item.person]) for key, lines in participants.items()
    )
    standings = StatusesAtStart(people, in_force)
    found = []
    for report in reports:
        basis, lines = basis_of[report.pk], participants[report.pk]
        by_number = {
            item.number: standings.of(item.person, basis) if item.person else UNRATED for item in lines
        }
        reported = [ReportedGame(*row) for row in games[report.pk]]
        rated = _rate(report.event, report.rounds, basis, by_number, reported)
        found.append(RatedContents(basis, rated, report, lines))
    return found


def _on_list(item: StoredParticipant, rating_list: RatingList | None, in_force: InForce) -> StoredParticipant:
    """Return a line with the ID that has the person's place on a list: a late one may have taken a merger since."""
    if item.person is None:
        return item
    holder = in_force.holder_on(rating_list, item.person.fide_id)
    return item._replace(person=item.person._replace(fide_id=holder))


def rate_games(
    tournament: Tournament,
    *,
    rounds: int,
    players: Mapping[int, StandingBasis],
    numbers: Sequence[int],
    games: Sequence[ReportedGame],
    in_force: InForce,
) -> RatedReport:
    """Rate games between starting ranks; those without a player in the portal count as unrated."""
    basis = basis_on(tournament.kind, tournament.start, in_force)
    by_id = standings_of(basis, players.values(), in_force)
    by_number = {
        number: by_id[players[number].fide_id] if number in players else UNRATED for number in numbers
    }
    return RatedReport(basis, _rate(tournament, rounds, basis, by_number, games))


def _rate(
    tournament: Tournament,
    rounds: int,
    basis: Basis,
    standings: Mapping[int, StatusAtStart],
    games: Sequence[ReportedGame],
) -> dict[int, Participation]:
    """Return each participant's result by the conditions of the registration (1.2, 5; 0.2).

    A match has the number of games in the registration, else the number of rounds in the report (D-84, D-17).
    """
    conditions = GameConditions(
        rounds=tournament.games_per_match or rounds,
        is_match=tournament.is_match,
        has_waiver=bool(tournament.match_waiver),
        has_unequal_times=tournament.has_unequal_times,
        void=_void_by_decision(tournament, standings),
    )
    return rate_tournament(basis.rules, conditions, games, standings)


def _void_by_decision(tournament: Tournament, standings: Mapping[int, StatusAtStart]) -> str:
    """Return the reason key if the President's decision does not apply: the average must exceed 2700 (0.2)."""
    if tournament.decided_by != DecidedBy.PRESIDENT:
        return ""
    ratings = [standing.rating for standing in standings.values() if standing.rating is not None]
    # Multiplied rather than divided: an average of exactly 2700 does not exceed it, and no float decides.
    exceeds = bool(ratings) and sum(ratings) > regulations.PRESIDENT_AVERAGE * len(ratings)
    return "" if exceeds else "president-average-0.2"


def _participants_of(reports: Sequence[Report]) -> dict[int, list[StoredParticipant]]:
    participants: dict[int, list[StoredParticipant]] = {report.pk: [] for report in reports}
    rows = Participant.objects.filter(report__in=list(participants)).order_by("report", "number")
    person = ("player_id", "player__federation_id", "player__birth_year", "player__merged_into_id")
    for report_id, pk, number, *known in rows.values_list("report_id", "pk", "number", *person):
        participants[report_id].append(
            StoredParticipant(pk, number, StoredPerson(*known) if known[0] else None)
        )
    return participants


def _store(rated: Sequence[RatedContents], *, at: datetime) -> dict[int, TournamentRating]:
    ratings = TournamentRating.objects.bulk_create(
        TournamentRating(
            report=item.report,
            rules=item.basis.rules.slug,
            engine_version=ENGINE_VERSION,
            basis_id=item.basis.own_list.pk if item.basis.own_list else None,
            standard_basis_id=item.basis.standard_list.pk if item.basis.standard_list else None,
            counted_games=item.counted_games,
            rated_at=at,
        )
        for item in rated
    )
    rows = (row for rating, item in zip(ratings, rated, strict=True) for row in _rows(rating.pk, item))
    write_rows(ParticipantRating, RATING_FIELDS, rows)
    return {item.report.pk: rating for rating, item in zip(ratings, rated, strict=True)}


def _rows(rating_id: int, item: RatedContents) -> Iterator[tuple[Any, ...]]:
    for pk, number, person in item.participants:
        part = item.participations[number]
        status, rating, k, reason = part.standing
        player_id = person.fide_id if person else None
        yield (
            rating_id,
            pk,
            player_id,
            number,
            str(status),
            rating,
            k,
            reason,
            # Until a list finds another one, the own status is that of the start (7.2.5, D-2).
            str(status),
            rating,
            k,
            part.games,
            part.half_points,
            part.opponents_sum,
            part.change,
            # Tuples are as good as the lists of `Outcome.as_row` here: JSON knows no other.
            part.outcomes,
        )
