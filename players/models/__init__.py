from players.models.appointment import Appointment
from players.models.federation import Federation, FederationExclusion
from players.models.identity import Application, IdBlock, Transfer
from players.models.invitation import Invitation
from players.models.notice import Notice, NoticePreference
from players.models.player import NameSound, NameWord, Player

__all__ = [
    "Application",
    "Appointment",
    "Federation",
    "FederationExclusion",
    "IdBlock",
    "Invitation",
    "NameSound",
    "NameWord",
    "Notice",
    "NoticePreference",
    "Player",
    "Transfer",
]
