"""FIDE IDs of accepted reports that became known after the acceptance (D-139)."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from players.models import Player
from tournaments.choices import ReportState
from tournaments.models import Participant, Report, Tournament


def lines_known_since() -> QuerySet[Participant]:
    """Return the lines of accepted reports whose FIDE ID nobody had, and a player has now."""
    # A second line of one person that was not used has a known ID and no player on purpose.
    linked = Participant.objects.filter(
        report=OuterRef("report"), fide_id=OuterRef("fide_id"), player__isnull=False
    )
    return Participant.objects.filter(
        Exists(Player.objects.filter(pk=OuterRef("fide_id"))),
        ~Exists(linked),
        player=None,
        fide_id__isnull=False,
        report__state=ReportState.ACCEPTED,
    )


def tournaments_with_known_ids() -> QuerySet[Tournament]:
    """Return the tournaments whose accepted report has such a line."""
    lines = lines_known_since().filter(report__tournament=OuterRef("pk"))
    return Tournament.objects.filter(Exists(lines))


def findings_known_since(report: Report) -> list[dict[str, Any]]:
    """Return the findings of an accepted report without those that an ID is unknown which is known now."""
    found: list[dict[str, Any]] = report.findings
    if not any(one["code"] == "id-unknown" for one in found):
        return found
    known = set(lines_known_since().filter(report=report).values_list("number", flat=True))
    return [one for one in found if one["code"] != "id-unknown" or one["params"].get("number") not in known]
