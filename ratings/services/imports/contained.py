"""The reports that an adopted FIDE list contains: rated on it, and never counted again (D-142)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import Any

from ratings.choices import PUBLISHED_KINDS
from ratings.models import RatingList, TournamentRating
from ratings.services.publication.due_reports import lock_due_reports, ratings_of, set_published
from tournaments.choices import Action
from tournaments.models import Report
from tournaments.portal_reasons import SENTENCES
from tournaments.services.audit_log import new_entry, record_actions
from tournaments.services.requested_changes import close_cases_of_published


def reports_waiting(kinds: Iterable[str], on: date) -> list[Report]:
    """Return the accepted reports that the list of a date may contain: those that ended in time for it."""
    published = [kind for kind in kinds if kind in PUBLISHED_KINDS]
    return [report for kind in published for report in lock_due_reports(kind, on, is_adopted=True)]


def take_contained(rating_list: RatingList, reports: Collection[Report], *, by: Any, at: datetime) -> None:
    """Mark waiting reports as rated on an adopted list, which has what they did to the ratings."""
    reports = [report for report in reports if report.event.kind == rating_list.kind]
    if not reports:
        return
    ratings = ratings_of(reports, at=at)
    TournamentRating.objects.filter(pk__in=[item.pk for item in ratings]).update(included_in=rating_list)
    set_published(reports)
    taken = SENTENCES.state("list", kind=rating_list.kind, month=rating_list.date)
    record_actions(new_entry(report.event, Action.PUBLISH, reason=taken, by=by, at=at) for report in reports)
    close_cases_of_published([report.tournament_id for report in reports], at=at)
