"""The ledger of corrections: what was corrected, when, why, and what the next list took from it (D-11)."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Max, Min, Q, QuerySet

from ratings.models import Correction, RatingList


def ledger() -> QuerySet[Correction]:
    """Return all corrections, newest first, each with the players concerned and the lists that took them."""
    return (
        Correction.objects.select_related("tournament", "new_report", "player")
        .annotate(
            players=Count("lines__player", distinct=True),
            pending=Count("lines", filter=Q(lines__taken_by=None)),
            corrected_on=Min("lines__corrected_list__date"),
            taken_on=Min("lines__taken_by__date"),
            taken_kind=Min("lines__taken_by__kind"),
        )
        .order_by("-at", "-pk")
    )


def corrections_since(rating_list: RatingList) -> tuple[int, datetime | None]:
    """Return how many corrections concern a published list, and when the last of them was made."""
    concerned = Correction.objects.filter(lines__corrected_list=rating_list)
    found = concerned.aggregate(number=Count("pk", distinct=True), last=Max("at"))
    return found["number"], found["last"]
