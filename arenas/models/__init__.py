from arenas.models.arena import Arena, ArenaToken
from arenas.models.game import Game
from arenas.models.member import Member
from arenas.models.rating import Change, Rating

__all__ = ["Arena", "ArenaToken", "Change", "Game", "Member", "Rating"]
