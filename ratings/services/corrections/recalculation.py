"""Calculating a published list again for some players, by the reports as they stand corrected (D-11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ratings.models import ParticipantRating, PoolEvent, RatingList, TournamentRating
from ratings.services.corrections.birth_years import corrected_years, with_birth_year
from ratings.services.publication.due import Mergers, mergers_of
from ratings.services.publication.periods import Source, Sources, entries_of
from ratings.services.rating import rate_contents
from ratings.services.verification.evidence import Evidence
from ratings.systems.otb.period import Period, PeriodResult, calculate
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import UNRATED, Event, Participation, PoolShare
from ratings.systems.registry import Adoptions
from tournaments.choices import ReportState
from tournaments.models import Participant, Report, Tournament


def recalculated(
    rating_list: RatingList, player_ids: Iterable[int], adoptions: Adoptions
) -> dict[int, PeriodResult]:
    """Return what the list makes of the players by the reports that are accepted now; corrections left out."""
    periods = periods_of(rating_list, player_ids, adoptions)
    return {player_id: calculate(period) for player_id, period in periods.items()}


def periods_of(rating_list: RatingList, player_ids: Iterable[int], adoptions: Adoptions) -> dict[int, Period]:
    """Return all that the list knows of the players by what stands now: reports, and corrected years of birth."""
    wanted = sorted(set(player_ids))
    years = corrected_years(wanted)
    periods = _periods_as_published(rating_list, wanted, adoptions)
    return {
        player_id: with_birth_year(period, rating_list, player_id, years[player_id])
        if player_id in years
        else period
        for player_id, period in periods.items()
    }


def _periods_as_published(
    rating_list: RatingList, wanted: list[int], adoptions: Adoptions
) -> dict[int, Period]:
    mergers = mergers_of(rating_list.kind, rating_list.date, taken_by=rating_list)
    ids = mergers.ids_of(wanted)
    evidence = Evidence(rating_list, wanted)
    sources = Sources(rating_list.date, adoptions, mergers=mergers)
    sources.events = _events(rating_list, ids, mergers)
    sources.load_players(rating_list.previous, lambda _: _pools(rating_list, ids, mergers, adoptions))
    sources.entries |= entries_of(rating_list.previous, [key for key in wanted if key not in sources.entries])
    sources.people = {player_id: evidence.person(player_id) for player_id in wanted}
    return {player_id: sources.period_of(player_id) for player_id in wanted}


def current_report(tournament: Tournament) -> Report | None:
    """Return the report that stands for a tournament now, None where it was withdrawn."""
    return tournament.reports.filter(state=ReportState.ACCEPTED).first()


def _events(rating_list: RatingList, ids: set[int], mergers: Mergers) -> dict[int, list[Source]]:
    events: dict[int, list[Source]] = defaultdict(list)
    for tournament in _tournaments_with(rating_list, ids):
        for player_id, row, part in participations_now(tournament, mergers):
            if player_id in ids:
                event = Event(tournament.event_id, tournament.start, tournament.end, part)
                events[player_id].append(Source(row, 0, event))
    return dict(events)


def _tournaments_with(rating_list: RatingList, ids: set[int]) -> list[Tournament]:
    """Return the list's tournaments in which one of the players takes part, by the former or the present report."""
    taken = TournamentRating.objects.filter(included_in=rating_list)
    tournaments = Tournament.objects.filter(pk__in=taken.values("report__tournament"))
    playing = Participant.objects.filter(player__in=ids, report__tournament__in=tournaments)
    return list(tournaments.filter(pk__in=playing.values("report__tournament")).order_by("event_id"))


def participations_now(tournament: Tournament, mergers: Mergers) -> Iterator[tuple[int, int, Participation]]:
    """Yield player, stored row (0 where there is none) and participation by the standing at the start."""
    report = current_report(tournament)
    if report is None:
        return
    rated = rate_contents(report)
    rows = ParticipantRating.objects.filter(tournament_rating__report=report)
    stored = dict(rows.values_list("number", "pk"))
    lines = Participant.objects.filter(report=report, player__isnull=False)
    played = _ids_published(tournament) if mergers.final else []
    for number, player_id in lines.values_list("number", "player_id"):
        person = mergers.played_as(player_id or 0, played)
        yield person, stored.get(number, 0), rated.participations[number]


def _ids_published(tournament: Tournament) -> list[int]:
    """Return the players of the report by which a list took the tournament."""
    taken = TournamentRating.objects.filter(report__tournament=tournament, included_in__isnull=False)
    lines = Participant.objects.filter(report__in=taken.values("report"), player__isnull=False)
    return [player_id or 0 for player_id in lines.values_list("player_id", flat=True)]


def _pools(
    rating_list: RatingList, ids: set[int], mergers: Mergers, adoptions: Adoptions
) -> dict[int, list[PoolShare]]:
    """Return the pools before the list, each event by the report that stands for it now."""
    pools: dict[int, list[PoolShare]] = defaultdict(list)
    rows = PoolEvent.objects.filter(
        kind=rating_list.kind, player__in=ids, added_by__date__lt=rating_list.date
    )
    rows = rows.exclude(closed_by__date__lt=rating_list.date).select_related("tournament")
    for row in rows:
        for player_id, _, part in participations_now(row.tournament, mergers):
            if player_id == mergers.person(row.player_id):
                rules = adoptions.text_on(row.tournament.start)
                share = unrated_share(rules, row.tournament, part, is_disregarded=row.is_disregarded)
                pools[row.player_id].append(share)
    return dict(pools)


def unrated_share(
    rules: PeriodRules, tournament: Tournament, part: Participation, *, is_disregarded: bool = False
) -> PoolShare:
    """Return what a participation adds to a pool when its player counts as unrated (7.2.5, D-2)."""
    own = rules.rate_again(UNRATED, part.outcomes)
    return PoolShare(
        tournament.event_id,
        tournament.start,
        tournament.end,
        own.opponents_sum,
        own.games,
        own.half_points,
        is_disregarded=is_disregarded and own.half_points == 0,
    )
