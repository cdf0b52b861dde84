from core.models import AppendOnlyError
from tournaments.models.qc import (
    Appeal,
    CaseFile,
    Hold,
    InformationRequest,
    InternalNote,
    Objection,
    RequestedChange,
    ResultCorrection,
)
from tournaments.models.report import Game, HandedReport, NamedArbiter, OriginalFile, Participant, Report
from tournaments.models.tokens import DeadlineFeed, OfficerToken
from tournaments.models.tournament import (
    AuditEntry,
    LogLink,
    Tournament,
    TournamentArbiter,
    TournamentEntry,
)
from tournaments.models.town import Town, TownSpelling

__all__ = [
    "Appeal",
    "AppendOnlyError",
    "AuditEntry",
    "CaseFile",
    "DeadlineFeed",
    "Game",
    "HandedReport",
    "Hold",
    "InformationRequest",
    "InternalNote",
    "LogLink",
    "NamedArbiter",
    "Objection",
    "OfficerToken",
    "OriginalFile",
    "Participant",
    "Report",
    "RequestedChange",
    "ResultCorrection",
    "Tournament",
    "TournamentArbiter",
    "TournamentEntry",
    "Town",
    "TownSpelling",
]
