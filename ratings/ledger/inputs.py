"""The inputs with which lists are recalculated for a correction (D-11).

They are the games of players in the current reports, by the list that added each tournament, and the right year of
birth if a wrong one, and so a wrong K, was published (D-4).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from core.bulk import batched
from core.sql import ids_subquery
from ratings.choices import Origin
from ratings.in_force import InForce
from ratings.ledger.periods import Periods
from ratings.ledger.stored import BATCH, StoredParticipation
from ratings.models import (
    Correction,
    LateAdoption,
    ListEntry,
    ParticipantRating,
    RatingList,
    TournamentRating,
)
from ratings.rate import rated_contents, stored_bases
from ratings.standings import basis_on
from ratings.systems.otb.values import (
    Event,
    KFactor,
    Participation,
    Remembered,
    Status,
    StatusAtStart,
)
from ratings.systems.registry import Adoptions, rules_named
from tournaments.choices import ReportState, Stage
from tournaments.lookups import Lookups
from tournaments.models import Participant, Report


class CountedParticipant(NamedTuple):
    """A participant of a current report; `published` are the players of the report that the list added."""

    player_id: int
    source: StoredParticipation
    published: frozenset[int]
    submitted_at: datetime


def played_now(kind: str, ids: set[int], adoptions: Adoptions) -> dict[int, list[CountedParticipant]]:
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
    participations = _participations({line.report for line in stored}, ids, adoptions)
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


def _participations(
    reports: set[Report], ids: set[int], adoptions: Adoptions
) -> dict[tuple[int, int], tuple[int, Participation]]:
    """Return the stored row and the participation by the standing at the start, by report and starting rank.

    A row that a list left out no longer has its games: its report is rated again, by the lists that it was rated by. So
    is a report that was rated by another text than the one that is adopted for its first day now (D-132), and one whose
    games may be kept as a text adopted late rates them.
    """
    rows = ParticipantRating.objects.filter(
        tournament_rating__report__in=reports, player__in=ids_subquery(ids)
    )
    late = LateAdoption.objects.filter(
        confirmed_at__isnull=False, first_day__lte=OuterRef("tournament_rating__report__tournament__start")
    )
    rows = rows.annotate(is_kept_anew=Q(tournament_rating__included_in=None) & Exists(late))
    found, unclear = {}, {}
    text_of = {report.pk: adoptions.text_on(report.event.start).slug for report in reports}
    for row in rows.select_related("tournament_rating"):
        key = (row.tournament_rating.report_id, row.number)
        # Leaving a game out puts the reason before the game's own, and takes the opponent's rating away.
        is_left_out = row.games == 0 and any(len(outcome.reasons) > 1 for outcome in row.outcomes)
        if is_left_out or row.is_kept_anew or row.tournament_rating.rules != text_of[key[0]]:
            unclear[key] = row.pk
        start = StatusAtStart(Status(row.start_status), row.start_rating, row.start_k, row.k_reason)
        found[key] = (row.pk, rules_named(row.tournament_rating.rules).rate_again(start, row.outcomes))
    if unclear:
        keys = {report_id for report_id, _number in unclear}
        again = [report for report in reports if report.pk in keys]
        stored = TournamentRating.objects.filter(report__in=again).select_related("report__tournament")
        lookups = Lookups()
        lookups.of(InForce).adoptions = adoptions
        bases = stored_bases(stored, lookups.of(InForce))
        contents = rated_contents(again, lookups, bases)
        rated = {item.report.pk: item.participations for item in contents}
        found |= {key: (pk, rated[key[0]][key[1]]) for key, pk in unclear.items()}
    return found


FIELD = "birth_year"


def corrected_years(player_ids: Iterable[int]) -> dict[int, int | None]:
    """Return the years of birth that corrections gave to players, the last of each."""
    found: dict[int, int | None] = {}
    for batch in batched(player_ids, BATCH):
        corrections = Correction.objects.filter(player__in=ids_subquery(batch)).of_datum(FIELD)
        for row in corrections.order_by("at", "pk").only("player_id", "amendments"):
            year = row.fields[FIELD].after
            found[row.player_id or 0] = int(year) if year else None
    return found


def factors_by_year(
    found: Periods, previous: RatingList | None, years: Mapping[int, int | None], in_force: InForce
) -> dict[int, dict[str, KFactor]]:
    """Return each K of `found` that is another one by a corrected year of birth, by person and event (D-4, D-144).

    The empty name is K of the list before. K of an imported list does not change (D-12).
    """
    factors: dict[int, dict[str, KFactor]] = defaultdict(dict)
    for player_id, year in years.items():
        entry = found.entries.get(player_id)
        if entry is not None and entry.is_rated and previous is not None and _is_own(previous):
            k_before = _k_by(year, entry, previous)
            if k_before.k != entry.k:
                factors[player_id][""] = k_before
        for source in found.events.get(player_id, ()):
            k_now = _k_of_event(source.event, player_id, year, found, in_force)
            if k_now is not None and k_now.k != source.event.participation.standing.k:
                factors[player_id][source.event.event_id] = k_now
    return dict(factors)


def _is_own(rating_list: RatingList) -> bool:
    return rating_list.origin == Origin.PUBLISHED


def _k_by(year: int | None, known: Remembered, rating_list: RatingList) -> KFactor:
    return rules_named(rating_list.rules).list_k(known, birth_year=year, on=rating_list.date)


def _k_of_event(
    event: Event, player_id: int, year: int | None, found: Periods, in_force: InForce
) -> KFactor | None:
    """Return K that the list in force would have given at the start (7.3.3, D-21); None where it stays."""
    standing, rules = event.participation.standing, found.adoptions.text_on(event.start)
    if standing.status is Status.STANDARD:
        return rules.standard_k(year, event.start)
    basis = basis_on(found.kind, event.start, in_force).own_list
    if standing.status is Status.UNRATED or basis is None or not _is_own(basis):
        return None
    entry = ListEntry.objects.filter(rating_list=basis.pk, player=player_id, rating__isnull=False).first()
    return None if entry is None else rules.tournament_k(_k_by(year, entry, basis))
