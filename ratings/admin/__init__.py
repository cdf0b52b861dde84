"""Lists, calculations and the work behind them in the admin."""

from __future__ import annotations

from ratings.admin.calculations import CalculationAdmin, PoolEventAdmin, TournamentRatingAdmin
from ratings.admin.corrections import CorrectionAdmin
from ratings.admin.imports import FideImportAdmin
from ratings.admin.lists import (
    FeeRateAdmin,
    FeeStatementAdmin,
    FideListAdmin,
    ListEntryAdmin,
    RatingListAdmin,
)
from ratings.admin.runs import RunAdmin

__all__ = [
    "CalculationAdmin",
    "CorrectionAdmin",
    "FeeRateAdmin",
    "FeeStatementAdmin",
    "FideImportAdmin",
    "FideListAdmin",
    "ListEntryAdmin",
    "PoolEventAdmin",
    "RatingListAdmin",
    "RunAdmin",
    "TournamentRatingAdmin",
]
