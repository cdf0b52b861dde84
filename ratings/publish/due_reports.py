"""The accepted reports that a new list takes (FIDE R&B 2024, 6.1.3; D-18), and their ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from core.bulk import batched
from core.sql import ids_subquery
from players.choices import CaseKind
from players.models.cases import waits
from ratings.in_force import InForce
from ratings.models import RatingList, TournamentRating
from ratings.rate import is_up_to_date, rate_reports
from ratings.standings import basis_on
from tournaments.choices import OPEN_REGISTRATIONS, Action, ReportState, Stage
from tournaments.lists import takes
from tournaments.log import new_entry, record_actions
from tournaments.lookups import Lookups
from tournaments.models import Report, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.requested_changes import close_cases_of_published

GROUP = 50


def lock_due_reports(kind: str, list_date: date, *, is_adopted: bool = False) -> list[Report]:
    """Lock the tournaments that a list takes to the end of the transaction, then read their reports (D-104).

    FIDE's list, if it `is_adopted`, may have those that were accepted here after its date, too (D-142).

    An act on one of them either came first and is seen here, or waits and finds the tournament published.
    """
    accepted = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.ACCEPTED)
    tournaments = _takeable(kind, list_date).filter(Exists(accepted)).order_by("pk")
    # In the order of keys, as ratings lock them, so that neither waits for the other in a circle.
    locked = list(tournaments.select_for_update(no_key=True).values_list("pk", flat=True))
    return due_reports(kind, list_date, among=locked, is_adopted=is_adopted)


def due_reports(
    kind: str, list_date: date, *, among: Collection[int] | None = None, is_adopted: bool = False
) -> list[Report]:
    """Return the accepted reports that go into a list, in a total order: by event id, then version.

    `among` are the tournaments to look at; all where there is None.
    """
    tournaments = _takeable(kind, list_date)
    if among is not None:
        tournaments = tournaments.filter(pk__in=ids_subquery(among))
    reports = (
        Report.objects.filter(
            state=ReportState.ACCEPTED,
            tournament__in=tournaments.values("pk"),
        )
        .select_related("tournament")
        .defer("content", "pgn", "findings")
        .order_by("tournament__event_id", "version")
    )
    return [
        report
        for report in reports
        if takes(
            list_date,
            report.tournament,
            accepted_on=list_date if is_adopted else report.accepted_on or list_date,
        )
    ]


def _takeable(kind: str, list_date: date) -> QuerySet[Tournament]:
    open_ones = Tournament.objects.filter(kind=kind, registration__in=OPEN_REGISTRATIONS)
    open_ones = open_ones.filter(~waits(CaseKind.HOLD), end__lt=list_date)
    return open_ones.exclude(stage=Stage.PUBLISHED).order_by()


def set_published(rating_list: RatingList, reports: Sequence[Report], *, by: Any, at: datetime) -> None:
    """Set the tournaments that a list took to published, with a step of the log, and close what waits of them.

    `RuntimeError` where one is not as it was when locked (D-104).
    """
    tournaments = Tournament.objects.filter(
        ~waits(CaseKind.HOLD),
        pk__in=ids_subquery(report.tournament_id for report in reports),
        registration__in=OPEN_REGISTRATIONS,
    )
    accepted = Report.objects.filter(
        pk__in=ids_subquery(report.pk for report in reports), state=ReportState.ACCEPTED
    )
    changed = tournaments.exclude(stage=Stage.PUBLISHED).update(stage=Stage.PUBLISHED)
    if not changed == accepted.count() == len(reports):
        raise RuntimeError("a tournament changed while its list was published")
    taken = SENTENCES.state("list", kind=rating_list.kind, month=rating_list.date)
    record_actions(new_entry(report.event, Action.PUBLISH, reason=taken, by=by, at=at) for report in reports)
    close_cases_of_published([report.tournament_id for report in reports], at=at)


def ratings_of(reports: list[Report], *, at: datetime) -> list[TournamentRating]:
    """Return the reports' ratings, rating again where the lists in force have come only since then (D-1)."""
    found: dict[int, TournamentRating] = {}
    for batch in batched(reports, GROUP):
        found |= _current_ratings(batch, at=at)
    for report in reports:
        if report.pk not in found:
            raise RuntimeError(f"report {report.pk} was replaced while the list was made")
        found[report.pk].report = report
    return [found[report.pk] for report in reports]


def _current_ratings(reports: list[Report], *, at: datetime) -> dict[int, TournamentRating]:
    lookups = Lookups()
    in_force = lookups.of(InForce)
    ratings = {item.report_id: item for item in TournamentRating.objects.filter(report__in=reports)}
    stale = {
        report.pk
        for report in reports
        if report.pk not in ratings
        or not is_up_to_date(
            ratings[report.pk], basis_on(report.tournament.kind, report.tournament.start, in_force)
        )
    }
    current = {key: item for key, item in ratings.items() if key not in stale}
    return current | rate_reports(stale, at=at, lookups=lookups) if stale else current
