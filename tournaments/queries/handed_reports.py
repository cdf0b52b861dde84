"""Reports of chief arbiters."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from core.sql import OctetLength
from tournaments.choices import HandedState
from tournaments.models import HandedReport, Tournament
from tournaments.permissions import arbitrated_by
from tournaments.queries.report_versions import problem_counts_of

MAX_ARBITRATED = 25


def tournaments_of_arbiter(user: Any, *, most: int = MAX_ARBITRATED) -> list[Tournament]:
    """Return the tournaments of a chief arbiter, the newest first, each with `handed_state` of its newest report."""
    handed = HandedReport.objects.filter(tournament=OuterRef("pk")).exclude(state=HandedState.CHECKED)
    newest = Subquery(handed.order_by("-handed_at", "-pk").values("state")[:1])
    rows = arbitrated_by(user).select_related("federation").annotate(handed_state=newest)
    return [*rows.order_by("-end", "event_id")[:most]]


def waiting_for(own: QuerySet[Tournament]) -> QuerySet[HandedReport]:
    """Return the reports handed over for these tournaments that nobody has taken or sent back, oldest first."""
    rows = HandedReport.objects.filter(tournament__in=own, state=HandedState.WAITING)
    related = rows.select_related("tournament", "handed_by").defer("content", "original", "pgn")
    return related.order_by("handed_at", "pk")


def handed_of(rows: QuerySet[HandedReport]) -> list[HandedReport]:
    """Return arbiters' reports without their bytes, the newest first, with numbers of problems and `size`."""
    related = rows.select_related("checked_by", "handed_by", "decided_by", "report")
    light = related.defer("content", "original", "pgn", "report__content", "report__pgn", "report__findings")
    found: list[HandedReport] = [*light.annotate(size=OctetLength("content")).order_by("-number")]
    for handed in found:
        handed.counts = problem_counts_of(handed.findings)  # type: ignore[attr-defined]
    return found
