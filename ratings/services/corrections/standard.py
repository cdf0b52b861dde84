"""A standard list that comes late: whoever it makes rated, or rates otherwise, is corrected (7.2.1, D-11, D-77)."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from ratings.choices import Status
from ratings.models import ListEntry, ParticipantRating, RatingList, TournamentRating
from ratings.services.corrections.correct import Effect, correct_report
from tournaments.choices import ReportState, Stage
from tournaments.models import Report


def correct_standard_ratings(rating_list: RatingList, *, at: datetime) -> list[Effect]:
    """Correct the published tournaments that a late standard list rates otherwise, and return the effects.

    Tournaments in which nothing differs stay as they are. The caller holds the transaction.
    """
    reason = _("The standard list of %(date)s was late (article 7.2.1, decision D-77).")
    reason %= {"date": rating_list.date.isoformat()}
    return [
        effect
        for report in _reports_rated_without(rating_list)
        for effect in _corrected(report, reason=reason, at=at)
    ]


def _corrected(report: Report, *, reason: str, at: datetime) -> list[Effect]:
    content, found = bytes(report.content), []
    for is_dry_run in (True, False):
        effect = correct_report(
            report.tournament,
            content,
            file_name=report.file_name,
            reason=reason,
            by=None,
            on=at.date(),
            at=at,
            is_rated_anew=True,
            is_dry_run=is_dry_run,
        )
        if not effect.lines:
            return []
        found = [effect]
    return found


def _reports_rated_without(rating_list: RatingList) -> list[Report]:
    """Return the published reports with a player for whom the list would have been in force at the start (D-1)."""
    listed = ListEntry.objects.filter(rating_list=rating_list, player=OuterRef("player")).listed()
    concerned = ParticipantRating.objects.filter(
        Exists(listed), ~Q(start_status=Status.RATED), tournament_rating=OuterRef("pk")
    )
    ratings = TournamentRating.objects.filter(
        Exists(concerned),
        Q(standard_basis=None) | Q(standard_basis__date__lt=rating_list.date),
        report__state=ReportState.ACCEPTED,
        report__tournament__stage=Stage.PUBLISHED,
        report__tournament__start__gte=rating_list.date,
    )
    reports = Report.objects.filter(pk__in=ratings.values("report")).select_related("tournament")
    return list(reports.order_by("tournament__event_id"))
