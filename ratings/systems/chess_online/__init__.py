"""The rating system `chess-online`: a provisional average over 20 games, then Elo with K 20 and a floor.

Ratings are whole numbers. A state is that of one member in one category.
"""

from ratings.systems.chess_online.floor import end_day
from ratings.systems.chess_online.messages import MESSAGES
from ratings.systems.chess_online.rating import rate_game, unrated_reason
from ratings.systems.chess_online.reversal import reverse_game
from ratings.systems.chess_online.state import State

SLUG = "chess-online"
NEWCOMER = State()

__all__ = ("MESSAGES", "NEWCOMER", "SLUG", "State", "end_day", "rate_game", "reverse_game", "unrated_reason")
