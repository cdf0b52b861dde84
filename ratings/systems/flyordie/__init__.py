"""The rating system `flyordie`: Elo from 0, with series of games, provisional weight and daily reduction.

Ratings are whole numbers from 0. A state is that of one member in one category.
"""

from ratings.systems.flyordie.messages import MESSAGES
from ratings.systems.flyordie.rating import SERIES_WINDOW, k_factor, rate_game
from ratings.systems.flyordie.reduction import end_day, reduction
from ratings.systems.flyordie.reversal import reverse_game
from ratings.systems.flyordie.state import Series, State

SLUG = "flyordie"
NEWCOMER = State()

__all__ = (
    "MESSAGES",
    "NEWCOMER",
    "SERIES_WINDOW",
    "SLUG",
    "Series",
    "State",
    "end_day",
    "k_factor",
    "rate_game",
    "reduction",
    "reverse_game",
)
