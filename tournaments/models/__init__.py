from core.models import AppendOnlyError
from tournaments.models.qc import (
    Appeal,
    CaseFile,
    InformationRequest,
    InternalNote,
    Objection,
    Question,
    RequestedChange,
    ResultCorrection,
)
from tournaments.models.report import Game, HandedReport, NamedArbiter, OriginalFile, Participant, Report
from tournaments.models.tokens import DeadlineFeed, OfficerToken
from tournaments.models.tournament import LogLink, Tournament, TournamentArbiter, TrailEntry

__all__ = [
    "Appeal",
    "AppendOnlyError",
    "CaseFile",
    "DeadlineFeed",
    "Game",
    "HandedReport",
    "InformationRequest",
    "InternalNote",
    "LogLink",
    "NamedArbiter",
    "Objection",
    "OfficerToken",
    "OriginalFile",
    "Participant",
    "Question",
    "Report",
    "RequestedChange",
    "ResultCorrection",
    "Tournament",
    "TournamentArbiter",
    "TrailEntry",
]
