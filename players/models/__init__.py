from players.models.appointment import Appointment
from players.models.federation import Federation, FederationExclusion
from players.models.player import NameWord, Player

__all__ = ["Appointment", "Federation", "FederationExclusion", "NameWord", "Player"]
