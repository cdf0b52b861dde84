"""FIDE Online Arena rapid, blitz and bullet ratings (RBB), in the order of the regulations' articles.

Ratings and changes are whole hundredths of a point (3.1): K is whole and dR whole hundredths, so nothing is
rounded but the average of a first rating. A state is that of one member in one category.
"""

from ratings.systems.foa_rbb.messages import MESSAGES
from ratings.systems.foa_rbb.rating import State, adjust, category_of, first_state, rate_game, unrated_reason
from ratings.systems.foa_rbb.reversal import reverse_game

SLUG = "foa-rbb"
CATEGORIES = ("rapid", "blitz", "bullet")
NEWCOMER = State()

__all__ = (
    "CATEGORIES",
    "MESSAGES",
    "NEWCOMER",
    "SLUG",
    "State",
    "adjust",
    "category_of",
    "first_state",
    "rate_game",
    "reverse_game",
    "unrated_reason",
)
