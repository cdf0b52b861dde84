from tournaments.models.report import Game, Participant, Report
from tournaments.models.tournament import Tournament, TrailEntry

__all__ = ["Game", "Participant", "Report", "Tournament", "TrailEntry"]
