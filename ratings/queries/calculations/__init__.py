"""The calculation of one player on one list, from stored rows alone (promise 3)."""

from ratings.queries.calculations.reading import explained, explained_by, is_known_to
from ratings.queries.calculations.values import Explained, ExplainedCorrection, ExplainedEvent, ExplainedGame

__all__ = [
    "Explained",
    "ExplainedCorrection",
    "ExplainedEvent",
    "ExplainedGame",
    "explained",
    "explained_by",
    "is_known_to",
]
