"""Tournaments that a list which came later has in force at their start (D-1)."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from ratings.choices import ListKind, Work
from ratings.models import RatingList, TournamentRating
from ratings.services.runs import make_due
from tournaments.choices import ReportState
from tournaments.signals import Dispatch


def rate_again(rating_list: RatingList, *, at: datetime, dispatch: Dispatch | None) -> None:
    """Let the accepted reports that the list is in force for, and no list has taken yet, be rated by it."""
    day = rating_list.date
    waiting = TournamentRating.objects.filter(
        included_in=None, report__state=ReportState.ACCEPTED, report__tournament__start__gte=day
    )
    if rating_list.kind == ListKind.STANDARD:
        stale = waiting.filter(Q(standard_basis=None) | Q(standard_basis__date__lt=day))
    else:
        own = waiting.filter(report__tournament__kind=rating_list.kind)
        stale = own.filter(Q(basis=None) | Q(basis__date__lt=day))
    for report in stale.order_by("report").values_list("report", flat=True):
        make_due(Work.RATE, str(report), at=at, dispatch=dispatch)
