from arenas.models.arena import Arena, ArenaToken
from arenas.models.game import Game
from arenas.models.lists import ArenaList, ArenaListEntry
from arenas.models.member import Member
from arenas.models.rating import Change, Rating

__all__ = ["Arena", "ArenaList", "ArenaListEntry", "ArenaToken", "Change", "Game", "Member", "Rating"]
