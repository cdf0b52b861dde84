"""The text of 2024 with FIDE's amendment of 7.3.1, effective 1 December 2024 (D-91). On offer, not adopted.

A game between players whose ratings differ by 600 points or more is not rated if one of them is rated above 2600.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from ratings.systems.fide_rapid_blitz_2024 import RULES as TEXT_OF_2024
from ratings.systems.fide_rapid_blitz_2024 import RapidBlitz2024
from ratings.systems.otb.values import StatusAtStart
from ratings.systems.words import About, Reason
from ratings.systems.words import gettext_noop as _

LARGEST_DIFFERENCE = 600
RATED_ABOVE = 2600
NOT_RATED = Reason(
    "difference-600-7.3.1",
    About.GAME,
    False,
    _("Not rated: the ratings differ by 600 points or more, and one is above 2600."),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RapidBlitz202412(RapidBlitz2024):
    def void_by_ratings(self, white: StatusAtStart, black: StatusAtStart) -> str:
        """7.3.1: by the ratings at the start, before the cap of 400; both players are rated (D-91)."""
        # A game with an unrated player joins the pool, which the amendment leaves alone (D-91).
        if white.rating is None or black.rating is None:
            return ""
        is_far = abs(white.rating - black.rating) >= LARGEST_DIFFERENCE
        return NOT_RATED.key if is_far and max(white.rating, black.rating) > RATED_ABOVE else ""


_SENTENCE = _(
    "Only games against rated opponents are rated. A difference in rating of more than 400 points counts as 400. A "
    "game between players whose ratings differ by 600 points or more is not rated if one of them is rated above 2600."
)
_SHARED = {field.name: getattr(TEXT_OF_2024, field.name) for field in fields(TEXT_OF_2024) if field.init}
RULES = RapidBlitz202412(
    **_SHARED
    | {
        "slug": "fide-rapid-blitz-2024-12",
        "title": "FIDE Rapid and Blitz Rating Regulations, with the amendment of 1 December 2024",
        # On offer: only independent programs quote the amendment, so that staff decide whether it is adopted (D-91).
        "shipped_from": None,
        "articles": {**TEXT_OF_2024.articles, "7.3.1": _SENTENCE},
        "decisions": {
            **TEXT_OF_2024.decisions,
            "D-91": _(
                "The amendment of 7.3.1 uses the ratings at the start, before the cap of 400. The game "
                "is unrated for both players and is not one of the 30 games for K. Games that count "
                "towards an initial rating are not affected."
            ),
        },
        "reasons": {**TEXT_OF_2024.reasons, NOT_RATED.key: NOT_RATED},
        "points": {
            **TEXT_OF_2024.points,
            _("Large rating difference"): (
                _("capped at 400, not rated from 600 if a rating is above 2600"),
                "7.3.1",
                "D-91",
            ),
        },
    }
)
