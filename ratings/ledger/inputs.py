"""The inputs with which lists are recalculated for a correction (D-11).

They are the games of players in the current reports, by the list that added each tournament, and the right year of
birth if a wrong one, and so a wrong K, was published (D-4).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from core.sql import ids_subquery
from ratings.choices import Origin
from ratings.ledger.stored import StoredParticipation
from ratings.models import Correction, ListEntry, ParticipantRating, RatingList, TournamentRating
from ratings.queries.in_force import InForce
from ratings.queries.standings import basis_on
from ratings.rate import rated_contents, stored_bases
from ratings.systems.otb.period import Period
from ratings.systems.otb.values import Event, Outcome, Participation, Status, StatusAtStart
from ratings.systems.registry import rules_named
from tournaments.choices import ReportState, Stage
from tournaments.models import Participant, Report
from tournaments.queries.lookups import Lookups


class CountedParticipant(NamedTuple):
    """A participant of a current report; `published` are the players of the report that the list added."""

    player_id: int
    source: StoredParticipation
    published: frozenset[int]
    submitted_at: datetime


def played_now(kind: str, ids: set[int]) -> dict[int, list[CountedParticipant]]:
    """Return the participations of the players in the current reports, by the list that added the tournament.

    If the rating type was corrected since (D-82), it is the list of the new type and the same date.
    """
    lines = Participant.objects.filter(
        _is_of_kind(kind),
        player__in=ids_subquery(ids),
        report__state=ReportState.ACCEPTED,
        report__tournament__stage=Stage.PUBLISHED,
    )
    lines = lines.select_related("report__tournament").defer(
        "report__content", "report__pgn", "report__findings"
    )
    stored = list(lines.order_by("report__tournament__event_id", "number"))
    taken = TournamentRating.objects.filter(
        report__tournament__in={line.report.tournament_id for line in stored}, included_in__isnull=False
    )
    list_of = dict(RatingList.objects.filter(kind=kind).values_list("date", "pk"))
    lists = {
        tournament: (list_of[day], report)
        for tournament, day, report in taken.values_list("report__tournament", "included_in__date", "report")
    }
    published: dict[int, set[int]] = defaultdict(set)
    former = Participant.objects.filter(
        report__in={report for _list, report in lists.values()}, player__in=ids_subquery(ids)
    )
    for report, player_id in former.values_list("report_id", "player_id"):
        published[report].add(player_id or 0)
    participations = _participations({line.report for line in stored}, ids)
    found: dict[int, list[CountedParticipant]] = defaultdict(list)
    for line in stored:
        tournament = line.report.event
        taken_by, report = lists[tournament.pk]
        row, part = participations[line.report_id, line.number]
        event = Event(tournament.event_id, tournament.start, tournament.end, part)
        source = StoredParticipation(row, tournament.pk, event)
        ids_then = frozenset(published[report])
        found[taken_by].append(
            CountedParticipant(line.player_id or 0, source, ids_then, line.report.submitted_at)
        )
    return dict(found)


def _is_of_kind(kind: str) -> Q:
    """Return whether a version of a report is of the kind: a list of the other kind may have added it (D-82)."""
    return Q(report__former_conditions__isnull=True, report__tournament__kind=kind) | Q(
        report__former_conditions__kind=kind
    )


def _participations(reports: set[Report], ids: set[int]) -> dict[tuple[int, int], tuple[int, Participation]]:
    """Return the stored row and the participation by the standing at the start, by report and starting rank.

    A row that a list left out no longer has its games: its report is rated again, by the lists that it was rated by.
    """
    rows = ParticipantRating.objects.filter(
        tournament_rating__report__in=reports, player__in=ids_subquery(ids)
    )
    found, unclear = {}, {}
    for row in rows.select_related("tournament_rating"):
        outcomes = tuple(Outcome.from_row(outcome) for outcome in row.outcomes)
        key = (row.tournament_rating.report_id, row.number)
        # Leaving a game out puts the reason before the game's own, and takes the opponent's rating away.
        if row.games == 0 and any(len(outcome.reasons) > 1 for outcome in outcomes):
            unclear[key] = row.pk
        start = StatusAtStart(Status(row.start_status), row.start_rating, row.start_k)
        found[key] = (row.pk, rules_named(row.tournament_rating.rules).rate_again(start, outcomes))
    if unclear:
        keys = {report_id for report_id, _number in unclear}
        again = [report for report in reports if report.pk in keys]
        stored = TournamentRating.objects.filter(report__in=again).select_related("report__tournament")
        lookups = Lookups()
        bases = stored_bases(stored, lookups.of(InForce))
        contents = rated_contents(again, lookups, bases)
        rated = {item.report.pk: item.participations for item in contents}
        found |= {key: (pk, rated[key[0]][key[1]]) for key, pk in unclear.items()}
    return found


FIELD = "birth_year"


def corrected_years(player_ids: Iterable[int]) -> dict[int, int | None]:
    """Return the years of birth that corrections gave to players, the last of each."""
    corrections = Correction.objects.filter(player__in=list(player_ids), data__has_key=FIELD)
    rows = corrections.order_by("at", "pk").values_list("player_id", "data")
    return {player_id or 0: int(data[FIELD][1]) if data[FIELD][1] else None for player_id, data in rows}


def with_birth_year(
    period: Period, previous: RatingList | None, kind: str, player_id: int, in_force: InForce
) -> Period:
    """Return a period with K of the lists in force by the right year of birth, which is the one in the period.

    K of an imported list does not change (D-12).
    """
    k = k_on(previous, player_id, period.birth_year)
    state = period.state if k is None or period.state.k is None else period.state._replace(k=k)
    events = tuple(_event(event, kind, player_id, period, in_force) for event in period.events)
    return period._replace(state=state, events=events)


def k_on(rating_list: RatingList | None, player_id: int, year: int | None) -> int | None:
    """Return K of a published list by a year of birth; None if the list does not show K."""
    if rating_list is None or rating_list.origin != Origin.PUBLISHED:
        return None
    entry = ListEntry.objects.filter(
        rating_list=rating_list.pk, player=player_id, rating__isnull=False
    ).first()
    if entry is None:
        return None
    return rules_named(rating_list.rules).list_k(entry, birth_year=year, on=rating_list.date).k


def _event(event: Event, kind: str, player_id: int, period: Period, in_force: InForce) -> Event:
    """Return the event with the K that its list in force would have given at the start (7.3.3, D-21)."""
    standing, rules = event.participation.standing, period.adoptions.text_on(event.start)
    if standing.status is Status.UNRATED:
        return event
    k: int | None = rules.standard_k(period.birth_year, event.start)
    if standing.status is Status.RATED:
        listed = k_on(basis_on(kind, event.start, in_force).own_list, player_id, period.birth_year)
        k = standing.k if listed is None else rules.tournament_k(listed)
    part = event.participation._replace(standing=standing._replace(k=k))
    return event._replace(participation=part)
