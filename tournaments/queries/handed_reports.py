"""Reports of chief arbiters."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from core.sql import OctetLength
from players.choices import CaseKind
from players.models import Case
from tournaments.models import HandedReport, Tournament
from tournaments.permissions import arbitrated_by
from tournaments.queries.report_versions import problem_counts_of

MAX_ARBITRATED = 25


def tournaments_of_arbiter(user: Any, *, most: int = MAX_ARBITRATED) -> list[Tournament]:
    """Return the tournaments of a chief arbiter, the newest first, each with `handed_state` of its newest report."""
    handed = Case.objects.filter(kind=CaseKind.HANDED, tournament=OuterRef("pk"))
    newest = Subquery(handed.order_by("-asked_at", "-pk").values("state")[:1])
    rows = arbitrated_by(user).select_related("federation").annotate(handed_state=newest)
    return [*rows.order_by("-end", "event_id")[:most]]


def handed_of(rows: QuerySet[HandedReport]) -> list[HandedReport]:
    """Return arbiters' reports without their bytes, the newest first, with numbers of problems and `size`."""
    light = rows.select_related("checked_by", "handover__asked_by").defer("content", "original", "pgn")
    found: list[HandedReport] = [*light.annotate(size=OctetLength("content")).order_by("-number")]
    for handed in found:
        handed.counts = problem_counts_of(handed.findings)  # type: ignore[attr-defined]
    return found
