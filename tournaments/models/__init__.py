from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnlyError
from players.choices import Area
from players.models.log import ACTIONS, ACTIONS_FROM, REASONS
from tournaments.choices import TAKING_BACK, Action
from tournaments.models.appeal import Appeal, CaseFile
from tournaments.models.handed_report import HandedReport, Handover, NamedArbiter
from tournaments.models.hold import Flags, Hold, InformationRequest, InternalNote
from tournaments.models.objection import Objection
from tournaments.models.report import Game, OriginalFile, Participant, Report
from tournaments.models.requested_change import RequestedChange, ResultCorrection
from tournaments.models.tokens import DeadlineFeed, OfficerToken
from tournaments.models.tournament import Tournament, TournamentArbiter, TournamentEntry
from tournaments.models.town import Town, TownSpelling
from tournaments.portal_reasons import SENTENCES

# What the log calls the acts on tournaments, and in which words the portal gives reasons for them.
ACTIONS[Area.TOURNAMENT] = Action
ACTIONS_FROM[Area.TOURNAMENT, *TAKING_BACK] = _("withdrew the published report")
REASONS.append(SENTENCES)

__all__ = [
    "Appeal",
    "AppendOnlyError",
    "CaseFile",
    "DeadlineFeed",
    "Flags",
    "Game",
    "HandedReport",
    "Handover",
    "Hold",
    "InformationRequest",
    "InternalNote",
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
