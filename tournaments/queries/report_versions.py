"""The versions of a tournament's report, without their bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import ngettext

from core.sql import OctetLength
from players.choices import CaseKind
from players.models import Case, LogEntry
from tournaments.choices import Action, ReportState
from tournaments.models import HandedReport, Report, Tournament
from tournaments.permissions import arbitrated_by
from tournaments.queries.marked_report import SEVERITIES


def versions_of(tournament: Tournament) -> list[Report]:
    """Return the versions of a tournament's report, the oldest first.

    Each with its numbers of problems, its `size` in bytes, and the version before it (`former`, 0 without one).
    """
    # The bytes of all versions would be in memory for a table that only shows their size.
    of_all = tournament.reports.select_related("submitted_by").defer("content", "pgn")
    versions: list[Report] = [*of_all.annotate(size=OctetLength("content")).order_by("version")]
    for former, version in zip([None, *versions], versions, strict=False):
        version.former = former.version if former else 0  # type: ignore[attr-defined]
        version.counts = problem_counts_of(version.findings)  # type: ignore[attr-defined]
    return versions


def problem_counts_of(findings: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many problems of each severity there are: a code is one, however many lines have it."""
    found = [severity for severity, _code in {(one["severity"], one["code"]) for one in findings}]
    return {severity: found.count(severity) for severity in SEVERITIES}


def problems_in_words(findings: Iterable[Mapping[str, Any]]) -> str:
    """Return how many errors and warnings there are: `1 error, 2 warnings`."""
    counts = problem_counts_of(findings)
    errors = ngettext("%(number)s error", "%(number)s errors", counts["error"])
    warnings = ngettext("%(number)s warning", "%(number)s warnings", counts["warning"])
    return f"{errors % {'number': counts['error']}}, {warnings % {'number': counts['warning']}}"


def with_same_elsewhere(reports: QuerySet[Report]) -> QuerySet[Report]:
    """Return versions that know in `is_elsewhere` whether another tournament has an accepted report of these bytes."""
    same = Report.objects.filter(sha256=OuterRef("sha256"), state=ReportState.ACCEPTED)
    return reports.annotate(is_elsewhere=Exists(same.exclude(tournament=OuterRef("tournament"))))


def same_accepted_elsewhere(report: Report) -> Report | None:
    """Return an accepted report of another tournament that has the same bytes, None without one.

    No query for a version of `with_same_elsewhere` that has none.
    """
    if not getattr(report, "is_elsewhere", True):
        return None
    same = Report.objects.filter(Q(sha256=report.sha256), state=ReportState.ACCEPTED)
    return (
        same.exclude(tournament=report.tournament_id)
        .select_related("tournament")
        .defer("content", "pgn")
        .first()
    )


def acknowledged_by(report: Report) -> LogEntry | None:
    """Return the step in which the warnings of a version were acknowledged: who, when; None where none were."""
    if not report.acknowledgement:
        return None
    steps = LogEntry.objects.filter(
        tournament=report.tournament_id, action=Action.ACCEPT, reason=report.acknowledgement
    )
    return steps.select_related("by").order_by("at", "pk").last()


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
