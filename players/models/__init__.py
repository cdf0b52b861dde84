from players.models.appointment import Appointment
from players.models.arbiter import ArbiterLicence
from players.models.cases import Application, Case, ChangeRequest, Claim, MergeProposal, Transfer
from players.models.distinct_players import DistinctPlayers
from players.models.exclusion import FederationExclusion
from players.models.federation import Federation
from players.models.hidden_birth_year import HiddenBirthYear
from players.models.id_block import IdBlock
from players.models.invitation import Invitation
from players.models.log import LogEntry, LogLink, SealedEntry
from players.models.membership import Membership, RegisterColumns
from players.models.names import FormerName, NameSound, NameWord
from players.models.notice import Notice, NoticePreference
from players.models.player import Player
from players.models.titles import TitleGrant
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
