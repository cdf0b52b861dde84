"""Appeals to FIDE Council (0.4)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from tournaments.models import Appeal, Tournament


def appeals_in(states: Sequence[str]) -> QuerySet[Appeal]:
    """Return the appeals in these states, with their tournaments."""
    return Appeal.objects.filter(state__in=states).select_related("tournament__federation", "decided_by")


def newest_appeal(tournament: Tournament) -> Appeal | None:
    """Return the newest appeal of a tournament with the decision that it is against, None without one."""
    found = Appeal.objects.filter(tournament=tournament)
    return found.select_related("decision", "asked_by", "decided_by").order_by("-pk").first()
