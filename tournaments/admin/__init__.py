"""Tournaments, their reports and their trail in the admin."""

from __future__ import annotations

from tournaments.admin.handover import HandedReportAdmin
from tournaments.admin.reports import ReportAdmin
from tournaments.admin.tournaments import TournamentAdmin, TrailEntryAdmin

__all__ = ["HandedReportAdmin", "ReportAdmin", "TournamentAdmin", "TrailEntryAdmin"]
