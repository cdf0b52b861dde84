"""Marking games of an accepted report that are not rated (FIDE R&B 2024, 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from tournaments.choices import (
    GAME_MARKED,
    MARK_REMOVED,
    PORTAL_REASONS,
    Action,
    GameMark,
    ReportState,
    Stage,
)
from tournaments.models import Report, Tournament
from tournaments.services.audit_log import record_action
from tournaments.services.marks import Mark, apply_marks, mark_changes
from tournaments.signals import reports_accepted


def mark_games(tournament: Tournament, marks: Sequence[Mark], *, by: Any, at: datetime) -> Report:
    """Mark games of an accepted report that is not published yet, queue its rating, and return the report.

    From now on lists include the report only as rated with the marks (D-100).

    `RefusedError` without such a report or game, or without a reference; then nothing is written. Published reports
    are corrected instead (D-11).
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        report = locked.reports.filter(state=ReportState.ACCEPTED).first()
        if report is None or locked.stage == Stage.PUBLISHED:
            message = _(
                "Games can only be marked after the report is accepted and before it is published "
                "(article 4.1, decision D-11)."
            )
            raise refused("not-markable", message)
        changes = mark_changes(report, marks)
        apply_marks(report, marks)
        Tournament.objects.filter(pk=locked.pk).update(stage=Stage.REPORTED)
        sentences = " ".join(_sentence(mark) for mark in marks)
        record_action(locked, Action.MARK, reason=sentences, by=by, at=at, changes=changes)
        reports_accepted.send(Report, reports=[report], at=at, dispatch=None)
    return report


def _sentence(mark: Mark) -> str:
    game = {"round": mark.round, "white": mark.white}
    if not mark.reason:
        return PORTAL_REASONS.fill_in(MARK_REMOVED, **game)
    return PORTAL_REASONS.fill_in(
        GAME_MARKED, **game, mark=GameMark(mark.reason).label, reference=mark.reference.strip()
    )
