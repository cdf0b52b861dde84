"""Published reports that the portal corrects by itself: restored on appeal, or rated anew by lists that came late."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from core.acts import Act
from core.sql import ids_subquery
from ratings.amend.amend import amend
from ratings.choices import SENTENCES, Status
from ratings.models import CorrectionLine, ListEntry, ParticipantRating, RatingList, TournamentRating
from tournaments.amendments import Anew, File
from tournaments.choices import ReportState, Stage
from tournaments.models import Appeal, Report, Tournament
from tournaments.signals import appeal_upheld

Corrected = tuple[Tournament, tuple[CorrectionLine, ...]]


@receiver(appeal_upheld)
def restore_published_report(*, appeal: Appeal, at: datetime, **kwargs: Any) -> None:
    """Restore a published report that was withdrawn, as a correction on the next list (D-87, D-11)."""
    tournament = Tournament.objects.get(pk=appeal.tournament.pk)
    withdrawn = tournament.reports.filter(state=ReportState.WITHDRAWN).order_by("version").last()
    if tournament.stage != Stage.PUBLISHED or withdrawn is None:
        return
    file = File(name=withdrawn.file_name, content=bytes(withdrawn.content))
    amend(tournament, [file], Act(appeal.decided_by, at, appeal.answer), is_decided=True)


def correct_standard_ratings(rating_list: RatingList, *, at: datetime) -> list[Corrected]:
    """Correct published tournaments that a late standard list rates otherwise; return them with their lines (D-77)."""
    reason = SENTENCES.state("standard-late", date=rating_list.date)
    return rate_published_anew(_reports_rated_without(rating_list), reason=reason, at=at)


def rate_published_anew(reports: Iterable[Report], *, reason: str, at: datetime) -> list[Corrected]:
    """Correct published reports by what is known of the lists in force now, and return them with their lines (D-11).

    Tournaments in which nothing differs stay as they are. The caller holds the transaction.
    """
    act, found = Act(None, at, reason), []
    for report in reports:
        # Tried first: the public log is for corrections that change something.
        if amend(report.tournament, [Anew()], act, is_dry_run=True).lines:
            found.append((report.tournament, amend(report.tournament, [Anew()], act).lines))
    return found


def _reports_rated_without(rating_list: RatingList) -> list[Report]:
    """Return the published reports with a player for whom the list would have been in force at the start (D-1).

    In steps: as one statement PostgreSQL took half an hour for some hundred reports that it had no statistics of.
    """
    ratings = TournamentRating.objects.filter(
        Q(standard_basis=None) | Q(standard_basis__date__lt=rating_list.date),
        report__state=ReportState.ACCEPTED,
        report__tournament__stage=Stage.PUBLISHED,
        report__tournament__start__gte=rating_list.date,
    )
    report_of = dict(ratings.order_by().values_list("pk", "report"))
    unrated = ParticipantRating.objects.filter(
        tournament_rating__in=ids_subquery(report_of), player__isnull=False
    )
    pairs = list(unrated.exclude(start_status=Status.RATED).values_list("tournament_rating", "player"))
    entries = ListEntry.objects.filter(rating_list=rating_list).listed()
    players = ids_subquery({player for _rating, player in pairs})
    listed = set(entries.filter(player__in=players).values_list("player", flat=True))
    return _in_order({report_of[rating] for rating, player in pairs if player in listed})


def reports_rated_by_standard(rating_list: RatingList, players: Iterable[int]) -> list[Report]:
    """Return the accepted reports rated with a standard list in which one of the players had no other rating."""
    rows = ParticipantRating.objects.filter(
        tournament_rating__standard_basis=rating_list,
        tournament_rating__report__state=ReportState.ACCEPTED,
        player__in=ids_subquery(players),
    )
    return _in_order(
        set(rows.exclude(start_status=Status.RATED).values_list("tournament_rating__report", flat=True))
    )


def _in_order(report_ids: Collection[int]) -> list[Report]:
    reports = Report.objects.filter(pk__in=ids_subquery(report_ids)).select_related("tournament")
    # The database has no order of its own, and reports must be corrected in the same one each time.
    return list(reports.order_by("tournament__event_id"))
