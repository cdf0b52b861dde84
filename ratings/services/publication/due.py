"""Which accepted reports a list takes (FIDE R&B 2024, 6.1.3; D-18)."""

from __future__ import annotations

from datetime import date, datetime

from core.bulk import batched
from ratings.models import TournamentRating
from ratings.queries.in_force import Lists, basis_on
from ratings.services.rating import is_up_to_date, rate_reports
from tournaments.choices import OPEN_REGISTRATIONS, ReportState, Stage
from tournaments.list_calendar import takes
from tournaments.models import Report
from tournaments.queries.lookups import Lookups

GROUP = 50


def due_reports(kind: str, list_date: date) -> list[Report]:
    """Return the accepted reports that go into a list, in a total order: by event id, then version."""
    reports = (
        Report.objects.filter(
            state=ReportState.ACCEPTED,
            accepted_on__lte=list_date,
            tournament__kind=kind,
            tournament__registration__in=OPEN_REGISTRATIONS,
            tournament__is_held=False,
            tournament__end__lt=list_date,
        )
        .exclude(tournament__stage=Stage.PUBLISHED)
        .select_related("tournament")
        .defer("content", "pgn", "findings")
        .order_by("tournament__event_id", "version")
    )
    return [report for report in reports if _is_taken(report, list_date)]


def _is_taken(report: Report, list_date: date) -> bool:
    end, is_official = report.tournament.end, report.tournament.is_official
    accepted_on = report.accepted_on or list_date
    return takes(list_date, end, is_official=is_official, accepted_on=accepted_on)


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
    lists = lookups.of(Lists)
    ratings = {item.report_id: item for item in TournamentRating.objects.filter(report__in=reports)}
    stale = {
        report.pk
        for report in reports
        if report.pk not in ratings
        or not is_up_to_date(
            ratings[report.pk], basis_on(report.tournament.kind, report.tournament.start, lists)
        )
    }
    current = {key: item for key, item in ratings.items() if key not in stale}
    return current | rate_reports(stale, at=at, lookups=lookups) if stale else current
