from players.models.appointment import Appointment
from players.models.change import ChangeRequest, TitleGrant
from players.models.federation import Federation, FederationExclusion
from players.models.identity import Application, IdBlock, Transfer
from players.models.invitation import Invitation
from players.models.notice import Notice, NoticePreference
from players.models.player import NameSound, NameWord, Player

__all__ = [
    "Application",
    "Appointment",
    "ChangeRequest",
    "Federation",
    "FederationExclusion",
    "IdBlock",
    "Invitation",
    "NameSound",
    "NameWord",
    "Notice",
    "NoticePreference",
    "Player",
    "TitleGrant",
    "Transfer",
]
