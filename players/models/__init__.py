from players.models.act import Act
from players.models.appointment import Appointment, Invitation
from players.models.arbiter import ArbiterLicence
from players.models.cases import Application, ChangeRequest, MergeProposal, Transfer
from players.models.claim import Claim, HiddenBirthYear
from players.models.federation import Federation, FederationExclusion
from players.models.names import NameSound, NameWord
from players.models.notice import Notice, NoticePreference
from players.models.player import DistinctPlayers, IdBlock, Player
from players.models.titles import TitleGrant
from players.models.webhook import Delivery, Webhook

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
