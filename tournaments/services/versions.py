"""The versions of a tournament's report: those that came before, and the next one as it is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db.models import Max

from tournaments.choices import ReportState
from tournaments.models import Report, Tournament
from tournaments.services.checking import CheckedReport

LONGEST_FILE_NAME = 120


@dataclass(frozen=True, slots=True)
class FormerVersions:
    """The number of the newest version of a report, and by SHA-256 those that are accepted or only checked.

    `accepted` is the SHA-256 of the one that is accepted, empty where none is.
    One that was replaced stays what it was: its bytes again are a new version.
    """

    newest: int = 0
    open: Mapping[str, int] = field(default_factory=dict)
    accepted: str = ""

    def followed_by(self, version: int, digest: str, state: str) -> FormerVersions:
        """Return them with one more."""
        is_open = state in (ReportState.ACCEPTED, ReportState.CHECKED)
        return FormerVersions(
            newest=version,
            open={**self.open, digest: version} if is_open else self.open,
            accepted=digest if state == ReportState.ACCEPTED else self.accepted,
        )


def former_versions(tournaments: Collection[Tournament]) -> dict[int, FormerVersions]:
    """Return the versions of tournaments' reports that came before, by tournament."""
    former = {tournament.pk: FormerVersions() for tournament in tournaments}
    rows = Report.objects.filter(tournament__in=list(former)).order_by("version")
    for tournament, digest, version, state in rows.values_list("tournament_id", "sha256", "version", "state"):
        former[tournament] = former[tournament].followed_by(version, digest, state)
    return former


def kept_report(
    tournament: Tournament,
    content: bytes,
    checked: CheckedReport,
    *,
    version: int,
    file_name: str,
    by: Any,
    on: date,
    at: datetime,
) -> Report:
    """Return a version of a tournament's report with its bytes and findings, not saved yet."""
    return Report(
        tournament=tournament,
        version=version,
        state=ReportState.CHECKED,
        file_name=safe_file_name(file_name),
        content=content,
        sha256=hashlib.sha256(content).hexdigest(),
        rounds=min(checked.report.rounds, 32_767),
        findings=checked.findings_as_json(),
        submitted_on=on,
        submitted_at=at,
        submitted_by=by,
    )


def next_version(tournament: Tournament) -> int:
    """Return the number of the next version of a tournament's report."""
    return (tournament.reports.aggregate(newest=Max("version"))["newest"] or 0) + 1


def safe_file_name(name: str) -> str:
    """Return the last part of a file name without control characters, cut to a sensible length."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    clean = "".join(letter for letter in last if letter.isprintable())
    return clean[-LONGEST_FILE_NAME:] or "report.trf"
