from players.models.claim import Act, Claim, HiddenBirthYear
from players.models.federation import Appointment, Federation, FederationExclusion, Invitation
from players.models.notice import Delivery, Notice, NoticePreference, Webhook
from players.models.player import (
    Application,
    ArbiterLicence,
    ChangeRequest,
    DistinctPlayers,
    IdBlock,
    MergeProposal,
    NameSound,
    NameWord,
    Player,
    TitleGrant,
    Transfer,
)

__all__ = [
    "Act",
    "Application",
    "Appointment",
    "ArbiterLicence",
    "ChangeRequest",
    "Claim",
    "Delivery",
    "DistinctPlayers",
    "Federation",
    "FederationExclusion",
    "HiddenBirthYear",
    "IdBlock",
    "Invitation",
    "MergeProposal",
    "NameSound",
    "NameWord",
    "Notice",
    "NoticePreference",
    "Player",
    "TitleGrant",
    "Transfer",
    "Webhook",
]
