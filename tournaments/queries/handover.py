"""Reports that chief arbiters hand over: what waits for whom, and the tournaments of an arbiter."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from tournaments.choices import HandedState
from tournaments.models import HandedReport, Tournament
from tournaments.permissions import arbitrated_by
from tournaments.queries.report_versions import SEVERITIES, OctetLength

MAX_ROWS = 25


def arbitrated(user: Any, *, most: int = MAX_ROWS) -> list[Tournament]:
    """Return the tournaments of a chief arbiter, the newest first, each with `handed_state` of its newest report."""
    handed = HandedReport.objects.filter(tournament=OuterRef("pk")).exclude(state=HandedState.CHECKED)
    newest = Subquery(handed.order_by("-handed_at", "-pk").values("state")[:1])
    rows = arbitrated_by(user).select_related("federation").annotate(handed_state=newest)
    return [*rows.order_by("-end", "event_id")[:most]]


def waiting_for(own: QuerySet[Tournament]) -> QuerySet[HandedReport]:
    """Return the reports handed over for these tournaments that nobody has taken or sent back, oldest first."""
    rows = HandedReport.objects.filter(tournament__in=own, state=HandedState.WAITING)
    related = rows.select_related("tournament", "handed_by").defer("content", "pgn")
    return related.order_by("handed_at", "pk")


def handed_of(rows: QuerySet[HandedReport]) -> list[HandedReport]:
    """Return arbiters' reports without their bytes, the newest first, with numbers of findings and `size`."""
    related = rows.select_related("checked_by", "handed_by", "decided_by", "report")
    light = related.defer("content", "pgn", "report__content", "report__pgn", "report__findings")
    found: list[HandedReport] = [*light.annotate(size=OctetLength("content")).order_by("-number")]
    for handed in found:
        handed.counts = counts_of(handed)  # type: ignore[attr-defined]
    return found


def counts_of(handed: HandedReport) -> dict[str, int]:
    """Return how many findings of each severity an arbiter's report has."""
    found = [finding["severity"] for finding in handed.findings]
    return {severity: found.count(severity) for severity in SEVERITIES}
