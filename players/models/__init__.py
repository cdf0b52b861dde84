from players.models.appointment import Appointment
from players.models.cases import Application, Case, ChangeRequest, Claim, MergeProposal, Transfer
from players.models.federation import Federation, FederationExclusion
from players.models.invitation import Invitation
from players.models.log import LogEntry, LogLink, SealedEntry
from players.models.membership import Membership, RegisterColumns
from players.models.notice import Notice, NoticePreference
from players.models.player import (
    ArbiterLicence,
    DistinctPlayers,
    FormerFederation,
    FormerName,
    HiddenBirthYear,
    IdBlock,
    NameSound,
    NameWord,
    Player,
    TitleGrant,
)
from players.models.webhook import Delivery, Webhook

__all__ = [
    "Application",
    "Appointment",
    "ArbiterLicence",
    "Case",
    "ChangeRequest",
    "Claim",
    "Delivery",
    "DistinctPlayers",
    "Federation",
    "FederationExclusion",
    "FormerFederation",
    "FormerName",
    "HiddenBirthYear",
    "IdBlock",
    "Invitation",
    "LogEntry",
    "LogLink",
    "Membership",
    "MergeProposal",
    "NameSound",
    "NameWord",
    "Notice",
    "NoticePreference",
    "Player",
    "RegisterColumns",
    "SealedEntry",
    "TitleGrant",
    "Transfer",
    "Webhook",
]
