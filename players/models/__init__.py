from players.models.act import Act
from players.models.federation import Appointment, Federation, FederationExclusion, Invitation
from players.models.notice import Notice, NoticePreference
from players.models.player import (
    Application,
    ChangeRequest,
    IdBlock,
    MergeProposal,
    NameSound,
    NameWord,
    Player,
    TitleGrant,
    Transfer,
)
from players.models.webhook import Delivery, Webhook

__all__ = [
    "Act",
    "Application",
    "Appointment",
    "ChangeRequest",
    "Delivery",
    "Federation",
    "FederationExclusion",
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
